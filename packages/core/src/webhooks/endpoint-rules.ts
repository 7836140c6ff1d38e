import type { Instant } from "../kernel/clock.js";
import type { WebhookEndpoint } from "./endpoint.js";
import type { UpdateEndpointInput } from "./endpoint-view.js";
import { DEFAULT_DELAYS_SECONDS } from "./retry-schedule.js";
import { ROTATION_GRACE_MS } from "./webhook-secret.js";

/** Takes over what was given. One that is made ACTIVE, or sent elsewhere, begins with a clean record. */
export function decideUpdate(endpoint: WebhookEndpoint, input: UpdateEndpointInput): WebhookEndpoint {
  const url = input.url ?? endpoint.url;
  const status = input.status ?? endpoint.status;
  const isFresh = url !== endpoint.url || (status === "ACTIVE" && endpoint.status === "DISABLED");
  return {
    ...endpoint,
    url,
    status,
    description: given(input.description, endpoint.description),
    events: given(input.events, endpoint.events),
    allowedIps: given(input.allowedIps, endpoint.allowedIps),
    retryDelaysSeconds: delaysOf(input.retryPolicy, endpoint.retryDelaysSeconds),
    disabledReason: status === "ACTIVE" ? null : endpoint.disabledReason,
    failingSince: isFresh ? null : endpoint.failingSince,
    healthRound: isFresh ? endpoint.healthRound + 1 : endpoint.healthRound,
  };
}

/** Puts a new secret in the place of the old one, which signs beside it for a day. */
export function decideRotation(endpoint: WebhookEndpoint, sealedSecret: string, now: Instant): WebhookEndpoint {
  return {
    ...endpoint,
    sealedSecret,
    previousSealedSecret: endpoint.sealedSecret,
    previousSecretUntil: now + ROTATION_GRACE_MS,
  };
}

/** A secret that was replaced is not kept beyond its grace. */
export function withoutPastSecret(endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const { previousSecretUntil } = endpoint;
  if (previousSecretUntil === null || now < previousSecretUntil) return endpoint;
  return { ...endpoint, previousSealedSecret: null, previousSecretUntil: null };
}

/** The schedule that a policy stands for; null is the contract's, and an absent one leaves what is stored. */
export function delaysOf(policy: UpdateEndpointInput["retryPolicy"], stored: readonly number[]): readonly number[] {
  if (policy === undefined) return stored;
  return policy === null ? DEFAULT_DELAYS_SECONDS : policy.delaysSeconds;
}

/** null clears a field; only an absent value leaves it. */
function given<T>(value: T | null | undefined, stored: T | null): T | null {
  return value === undefined ? stored : value;
}
