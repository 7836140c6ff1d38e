import { createHmac } from "node:crypto";
import type { Instant } from "../kernel/clock.js";
import { SECOND_MS } from "../kernel/clock.js";

const SERVICE_SIGNATURE = "x-service-signature";
export const WEBHOOK_ID = "webhook-id";
export const WEBHOOK_TIMESTAMP = "webhook-timestamp";
export const WEBHOOK_SIGNATURE = "webhook-signature";

/** Prefix of a Standard Webhooks secret; base64 of the key follows. */
export const STANDARD_SECRET = "whsec_";

/** The signed parts of one call of a receiver. */
export interface SignedCall {
  readonly deliveryId: string;
  readonly sentAt: Instant;
  readonly body: string;
  readonly secrets: readonly [string, ...string[]]; // the current one first, then those in their grace period
}

/**
 * The signature headers of a call. `X-Service-Signature` signs the body with the current secret (contract,
 * Authentication, rule 7). The others are those of Standard Webhooks 1.0: they also sign the id and the time, once with
 * each secret.
 */
export function signatureHeaders({ deliveryId, sentAt, body, secrets }: SignedCall): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / SECOND_MS));
  const signed = `${deliveryId}.${timestamp}.${body}`;
  return {
    [SERVICE_SIGNATURE]: `sha256=${createHmac("sha256", secrets[0]).update(body).digest("hex")}`,
    [WEBHOOK_ID]: deliveryId,
    [WEBHOOK_TIMESTAMP]: timestamp,
    [WEBHOOK_SIGNATURE]: secrets
      .map((secret) => `v1,${standardMac(secret, Buffer.from(signed)).toString("base64")}`)
      .join(" "),
  };
}

/**
 * HMAC-SHA256. The key is the base64 behind `whsec_`, or else the text of the secret itself.
 * Throws a RangeError for an empty key, which protects nothing.
 */
export function standardMac(secret: string, signed: Uint8Array): Buffer {
  const key = secret.startsWith(STANDARD_SECRET)
    ? Buffer.from(secret.slice(STANDARD_SECRET.length), "base64")
    : Buffer.from(secret);
  if (key.byteLength === 0) throw new RangeError("the webhook secret is empty");
  return createHmac("sha256", key).update(signed).digest();
}
