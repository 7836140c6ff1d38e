import { brokenRule, type Problem } from "../kernel/problem.js";

/**
 * How many subscribers a business has at most. Each event is written once for each of them, so without a cap one change
 * could make work without end.
 */
export const MAX_ENDPOINTS = 100;
export const MAX_KEYS_WITH_WEBHOOK = 100;

export const tooManyEndpoints: Problem = brokenRule(
  "TOO_MANY_WEBHOOKS",
  `A business has at most ${MAX_ENDPOINTS} webhooks, disabled ones included; delete one first.`,
  { limit: MAX_ENDPOINTS },
);

export const tooManyKeysWithWebhook: Problem = brokenRule(
  "TOO_MANY_WEBHOOKS",
  `A business has at most ${MAX_KEYS_WITH_WEBHOOK} ACTIVE keys with a webhookUrl.`,
  { field: "webhookUrl", limit: MAX_KEYS_WITH_WEBHOOK },
);
