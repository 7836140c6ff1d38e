import type { AccessStore } from "../access/access-store.js";
import type { Clock } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { WebhookStore } from "../webhooks/webhook-store.js";
import type { IntegrationStore } from "./integration-store.js";

/** What the operations of integrations work with. */
export interface IntegrationContext {
  readonly store: IntegrationStore & Pick<AccessStore, "findBusiness" | "findKey"> & Pick<WebhookStore, "findEndpoint">;
  readonly clock: Clock;
  readonly ids: IdSource;
}
