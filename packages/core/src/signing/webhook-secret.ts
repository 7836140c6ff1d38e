import type { Subscriber } from "../events/event.js";
import { DAY_MS, type Instant } from "../kernel/clock.js";
import type { Random } from "../kernel/random.js";
import type { SecretBox } from "../kernel/secret-box.js";
import { STANDARD_SECRET } from "./signature.js";

/** A replaced secret signs together with the new one for this time. */
export const ROTATION_GRACE_MS = DAY_MS;

const SECRET_BYTES = 32;

/** The form of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
export function mintWebhookSecret(random: Random): string {
  return STANDARD_SECRET + Buffer.from(random.bytes(SECRET_BYTES)).toString("base64");
}

/** Binds a sealed secret to its row, so that it does not decrypt in another one. */
export function secretBinding(businessId: string, { kind, id }: Subscriber): string {
  return kind === "key" ? `webhook-secret:${businessId}:${id}` : `endpoint-secret:${businessId}:${id}`;
}

/** The stored secrets of one subscriber. */
export interface SealedSecrets {
  readonly current: string;
  readonly previous: string | null; // null = none
  readonly previousUntil: Instant | null; // null = no previous secret
}

/** Decrypts a current secret. Throws an Error when no configured secret of the service decrypts it. */
export function openSecret(box: SecretBox, sealed: string, boundTo: string): string {
  const secret = box.open(sealed, boundTo);
  if (secret === null) throw new Error("no configured secret of the service decrypts this webhook secret");
  return secret;
}

/** The secrets that sign at `now`, the current one first. Throws as openSecret does for the current one. */
export function openSecrets(
  box: SecretBox,
  sealed: SealedSecrets,
  boundTo: string,
  now: Instant,
): readonly [string, ...string[]] {
  const current = openSecret(box, sealed.current, boundTo);
  const inGrace = sealed.previousUntil !== null && now < sealed.previousUntil;
  const previous = inGrace && sealed.previous !== null ? box.open(sealed.previous, boundTo) : null;
  return previous === null ? [current] : [current, previous];
}
