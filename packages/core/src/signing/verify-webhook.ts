import { timingSafeEqual } from "node:crypto";
import { type Instant, SECOND_MS, systemClock } from "../kernel/clock.js";
import { type WebhookPayload, webhookPayloadSchema } from "./payload.js";
import { standardMac, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP } from "./signature.js";

/** The receiver's headers: standard Headers, a Map, or a plain object such as Node's. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** Milliseconds since 1970. Default: the system clock. */
  readonly now?: Instant;
  /** Largest difference between `now` and the timestamp of the call. Default 300. */
  readonly toleranceSeconds?: number;
}

export type WebhookVerification =
  | { readonly ok: true; readonly event: WebhookPayload }
  | { readonly ok: false; readonly reason: WebhookRefusal };

export type WebhookRefusal =
  | "missing-headers"
  | "invalid-timestamp"
  | "timestamp-out-of-tolerance"
  | "invalid-signature"
  | "invalid-body";

const DEFAULT_TOLERANCE_SECONDS = 300;
const UNIX_SECONDS = /^\d{1,12}$/;

/**
 * For receivers: verifies that a call is recent, unaltered and signed with the shared secret, and returns its event.
 *
 * `rawBody` is the body before any parsing. With several secrets, one match is enough; this allows a receiver to rotate
 * its secret. The Standard Webhooks headers are required: `X-Service-Signature` covers no time and does not prevent
 * replays. Delivery is at least once: `event.metadata.delivery_id` identifies duplicates.
 *
 * No received value makes it throw. Throws a RangeError for an empty secret, and a TypeError for a parsed body.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): WebhookVerification {
  if (typeof rawBody !== "string" && !(rawBody instanceof Uint8Array)) {
    throw new TypeError("verifyWebhook needs the unparsed body: a string or bytes");
  }
  const { now = systemClock.now(), toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options;
  const id = headerOf(headers, WEBHOOK_ID);
  const timestamp = headerOf(headers, WEBHOOK_TIMESTAMP);
  const signature = headerOf(headers, WEBHOOK_SIGNATURE);
  if (id === null || timestamp === null || signature === null) return refuse("missing-headers");
  if (!UNIX_SECONDS.test(timestamp)) return refuse("invalid-timestamp");
  const isRecent = Math.abs(now / SECOND_MS - Number(timestamp)) <= toleranceSeconds; // false for NaN
  if (!isRecent) return refuse("timestamp-out-of-tolerance");
  const body = Buffer.from(rawBody);
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const given = signature.split(" ").flatMap(readSignature);
  const secrets = typeof secret === "string" ? [secret] : secret;
  const fits = secrets.map((each) => standardMac(each, signed)).some((mac) => given.some((one) => isEqual(one, mac)));
  return fits ? read(body) : refuse("invalid-signature");
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (hasGet(headers)) return headers.get(name) ?? null;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

function hasGet(headers: WebhookHeaders): headers is Extract<WebhookHeaders, { get(name: string): unknown }> {
  return typeof headers.get === "function";
}

/** The bytes behind `v1,`; other versions are ignored. */
function readSignature(text: string): Buffer[] {
  const [version, encoded = ""] = text.split(",");
  return version === "v1" ? [Buffer.from(encoded, "base64")] : [];
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function read(body: Buffer): WebhookVerification {
  try {
    const payload = webhookPayloadSchema.safeParse(JSON.parse(body.toString()));
    return payload.success ? { ok: true, event: payload.data } : refuse("invalid-body");
  } catch {
    return refuse("invalid-body"); // not JSON
  }
}

function refuse(reason: WebhookRefusal): WebhookVerification {
  return { ok: false, reason };
}
