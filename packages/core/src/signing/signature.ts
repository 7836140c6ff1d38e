import { createHmac, createSecretKey } from "node:crypto";
import type { Instant } from "../kernel/clock.js";
import { SECOND_MS } from "../kernel/clock.js";

const SERVICE_SIGNATURE = "x-service-signature";
export const WEBHOOK_ID = "webhook-id";
export const WEBHOOK_TIMESTAMP = "webhook-timestamp";
export const WEBHOOK_SIGNATURE = "webhook-signature";

/** Prefix of a Standard Webhooks secret; base64 of the key follows. */
export const STANDARD_SECRET = "whsec_";

/** The signed parts of one call of a receiver. */
export interface CallToSign {
  readonly deliveryId: string;
  readonly sentAt: Instant;
  readonly body: string;
}

export interface SignedCall extends CallToSign {
  readonly secrets: Secrets;
}

/** The current secret first, then those in their grace period. */
type Secrets = readonly [string, ...string[]];

export type Signer = (call: CallToSign) => Record<string, string>;

export function signatureHeaders({ secrets, ...call }: SignedCall): Record<string, string> {
  return createSigner(secrets)(call);
}

/**
 * Makes the signature headers of calls; imports the secrets once. `X-Service-Signature` signs the body with the current
 * secret (contract, Authentication, rule 7). The others are those of Standard Webhooks 1.0: they also sign the id and the
 * time, once with each secret. Throws a RangeError for an empty secret.
 */
export function createSigner(secrets: Secrets): Signer {
  const serviceKey = createSecretKey(Buffer.from(secrets[0]));
  const standardKeys = secrets.map((secret) => createSecretKey(standardKeyOf(secret)));
  return ({ deliveryId, sentAt, body }) => {
    const timestamp = String(Math.floor(sentAt / SECOND_MS));
    const signed = `${deliveryId}.${timestamp}.${body}`;
    return {
      [SERVICE_SIGNATURE]: `sha256=${createHmac("sha256", serviceKey).update(body).digest("hex")}`,
      [WEBHOOK_ID]: deliveryId,
      [WEBHOOK_TIMESTAMP]: timestamp,
      [WEBHOOK_SIGNATURE]: standardKeys
        .map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`)
        .join(" "),
    };
  };
}

/** HMAC-SHA256 of Standard Webhooks. Throws a RangeError for an empty key, which protects nothing. */
export function standardMac(secret: string, signed: Uint8Array): Buffer {
  return createHmac("sha256", standardKeyOf(secret)).update(signed).digest();
}

/** The base64 behind `whsec_`, or else the text of the secret itself. */
function standardKeyOf(secret: string): Buffer {
  const key = secret.startsWith(STANDARD_SECRET)
    ? Buffer.from(secret.slice(STANDARD_SECRET.length), "base64")
    : Buffer.from(secret);
  if (key.byteLength === 0) throw new RangeError("the webhook secret is empty");
  return key;
}
