import type { Instant } from "../../kernel/clock.js";
import { ROTATION_GRACE_MS } from "../../signing/webhook-secret.js";
import { DEFAULT_DELAYS_SECONDS } from "../deliveries/retry-schedule.js";
import type { WebhookEndpoint } from "../endpoint.js";
import type { UpdateEndpointInput } from "./endpoint-view.js";

/** A reactivation or a new URL resets the record of failures. */
export function decideUpdate({ ordering, ...endpoint }: WebhookEndpoint, input: UpdateEndpointInput): WebhookEndpoint {
  const url = input.url ?? endpoint.url;
  const status = input.status ?? endpoint.status;
  const { filter: stored, ...others } = endpoint;
  const filter = given(input.filter, stored ?? null);
  const isFresh = url !== endpoint.url || (status === "ACTIVE" && endpoint.status === "DISABLED");
  return {
    ...others,
    ...(filter === null ? {} : { filter }),
    ...(isFresh ? { failingSince: null, failedOn: [], healthRound: endpoint.healthRound + 1 } : {}),
    url,
    status,
    description: given(input.description, endpoint.description),
    events: given(input.events, endpoint.events),
    allowedIps: given(input.allowedIps, endpoint.allowedIps),
    retryDelaysSeconds: delaysOf(input.retryPolicy, endpoint.retryDelaysSeconds),
    ...orderingOf(input.ordering ?? ordering),
    disabledReason: status === "ACTIVE" ? null : endpoint.disabledReason,
  };
}

/** Replaces the secret; the old secret signs too for a day. */
export function decideRotation(endpoint: WebhookEndpoint, sealedSecret: string, now: Instant): WebhookEndpoint {
  return {
    ...endpoint,
    sealedSecret,
    previousSealedSecret: endpoint.sealedSecret,
    previousSecretUntil: now + ROTATION_GRACE_MS,
  };
}

/** Drops a replaced secret once its grace period is over. */
export function withoutPastSecret(endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const { previousSecretUntil } = endpoint;
  if (previousSecretUntil === null || now < previousSecretUntil) return endpoint;
  return { ...endpoint, previousSealedSecret: null, previousSecretUntil: null };
}

/** Stored only where it is not the default. */
export function orderingOf(ordering: UpdateEndpointInput["ordering"]): Pick<WebhookEndpoint, "ordering"> {
  return ordering === "subject" ? { ordering } : {};
}

/** null = the contract's schedule; an absent policy keeps the stored one. */
export function delaysOf(policy: UpdateEndpointInput["retryPolicy"], stored: readonly number[]): readonly number[] {
  if (policy === undefined) return stored;
  return policy === null ? DEFAULT_DELAYS_SECONDS : policy.delaysSeconds;
}

/** null clears a field; an absent value keeps it. */
function given<T>(value: T | null | undefined, stored: T | null): T | null {
  return value === undefined ? stored : value;
}
