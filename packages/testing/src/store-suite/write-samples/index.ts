import type { Write } from "@budgetkit/core/store";
import { attachmentRemovalSamples, attachmentSamples } from "./of-attachments.js";
import {
  budgetSamples,
  checkSamples,
  mailSamples,
  messageSamples,
  optOutSamples,
  paymentSamples,
  viewSamples,
} from "./of-budgets.js";
import { businessSamples, tierSamples } from "./of-businesses.js";
import { customerSamples, packageSamples, productSamples } from "./of-catalog.js";
import { integrationRemovalSamples, integrationSamples, keySamples, keyUseSamples } from "./of-keys.js";
import {
  hashSamples,
  refreshSamples,
  sessionEndSamples,
  sessionSamples,
  sessionsEndSamples,
  userRemovalSamples,
  userSamples,
} from "./of-users.js";
import { deliverySamples, endpointRemovalSamples, endpointSamples } from "./of-webhooks.js";
import type { WriteSample } from "./sample.js";

/** A new kind of write names here what is missing. */
const BY_KIND: Readonly<Record<Write["kind"], readonly WriteSample[]>> = {
  budget: budgetSamples,
  payment: paymentSamples,
  mail: mailSamples,
  message: messageSamples,
  "link-view": viewSamples,
  "reminder-check": checkSamples,
  "reminder-opt-out": optOutSamples,
  attachment: attachmentSamples,
  "attachment-removal": attachmentRemovalSamples,
  customer: customerSamples,
  product: productSamples,
  package: packageSamples,
  business: businessSamples,
  tier: tierSamples,
  user: userSamples,
  "user-removal": userRemovalSamples,
  "password-hash": hashSamples,
  session: sessionSamples,
  "session-refresh": refreshSamples,
  "session-end": sessionEndSamples,
  "sessions-end": sessionsEndSamples,
  key: keySamples,
  "key-use": keyUseSamples,
  integration: integrationSamples,
  "integration-removal": integrationRemovalSamples,
  endpoint: endpointSamples,
  "endpoint-removal": endpointRemovalSamples,
  delivery: deliverySamples,
};

export const WRITE_SAMPLES: readonly WriteSample[] = Object.values(BY_KIND).flat();
