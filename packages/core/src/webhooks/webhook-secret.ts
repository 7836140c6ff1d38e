import type { Instant } from "../kernel/clock.js";
import { DAY_MS } from "../kernel/clock.js";
import type { Random } from "../kernel/random.js";
import type { SecretBox } from "../kernel/secret-box.js";
import type { Subscriber } from "./delivery.js";
import { STANDARD_SECRET } from "./signature.js";

/** How long the secret that was replaced signs beside the new one. */
export const ROTATION_GRACE_MS = DAY_MS;

const SECRET_BYTES = 32;

/** The form of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
export function mintWebhookSecret(random: Random): string {
  return STANDARD_SECRET + Buffer.from(random.bytes(SECRET_BYTES)).toString("base64");
}

/** What a sealed secret is bound to, so that it cannot be moved to another row. */
export function secretBinding(businessId: string, { kind, id }: Subscriber): string {
  return kind === "key" ? `webhook-secret:${businessId}:${id}` : `endpoint-secret:${businessId}:${id}`;
}

/** The secrets of one subscriber as they are stored. */
export interface SealedSecrets {
  readonly current: string;
  readonly previous: string | null; // null = none was replaced
  readonly previousUntil: Instant | null;
}

/**
 * The secrets that sign at `now`, the current one first. Throws an Error when no configured secret of the service opens
 * the current one.
 */
export function openSecrets(
  box: SecretBox,
  sealed: SealedSecrets,
  boundTo: string,
  now: Instant,
): readonly [string, ...string[]] {
  const current = box.open(sealed.current, boundTo);
  if (current === null) throw new Error("a webhook secret was sealed with a secret that is not configured any more");
  const inGrace = sealed.previousUntil !== null && now < sealed.previousUntil;
  const previous = inGrace && sealed.previous !== null ? box.open(sealed.previous, boundTo) : null;
  return previous === null ? [current] : [current, previous];
}
