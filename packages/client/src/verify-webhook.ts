import type { WebhookEvent } from "./schemas.js";

/** Request headers: standard `Headers`, a Map, or a plain object such as Node's. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** Milliseconds since 1970; default: the machine's clock. */
  readonly now?: number;
  /** Allowed difference between the timestamp and `now`, in both directions. Default 300. */
  readonly toleranceSeconds?: number;
}

export type WebhookVerification =
  | { readonly ok: true; readonly event: WebhookEvent }
  | { readonly ok: false; readonly reason: WebhookRefusal };

export type WebhookRefusal =
  | "missing-headers"
  | "invalid-timestamp"
  | "timestamp-out-of-tolerance"
  | "invalid-signature"
  | "invalid-body";

type Bytes = Uint8Array<ArrayBuffer>;

const TOLERANCE_SECONDS = 300;
const UNIX_SECONDS = /^\d{1,12}$/;
const STANDARD_SECRET = "whsec_";
const HMAC = { name: "HMAC", hash: "SHA-256" };
const MAC_BYTES = 32;
const MOST_SIGNATURES = 10; // a service that rotates its secret sends two

/**
 * Verifies that a webhook call is signed with the secret and recent, and returns its event. Works like `verifyWebhook` of
 * `@budgetkit/core`, but with WebCrypto, so that it also runs in browsers and workers.
 *
 * `rawBody` is the body before any parsing. With several secrets, one must match: pass both while you rotate a secret.
 * The first ten signatures of 32 bytes are compared. Delivery is at least once: use `event.metadata.delivery_id` to detect
 * duplicates. A test call has an `event_id` of null and the data of its sender.
 *
 * No input of the sender makes it reject. Rejects with a RangeError for an empty secret, and with a TypeError for a parsed
 * body.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookVerification> {
  if (typeof rawBody !== "string" && !(rawBody instanceof Uint8Array)) {
    throw new TypeError("verifyWebhook needs the raw body: a string or bytes");
  }
  const { now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = options;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signature = headerOf(headers, "webhook-signature");
  if (id === null || timestamp === null || signature === null) return refuse("missing-headers");
  if (!UNIX_SECONDS.test(timestamp)) return refuse("invalid-timestamp");
  const isRecent = Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds; // false for NaN
  if (!isRecent) return refuse("timestamp-out-of-tolerance");
  const body = typeof rawBody === "string" ? bytesOf(rawBody) : rawBody;
  const signed = joined(bytesOf(`${id}.${timestamp}.`), body);
  const given = signature.split(" ").flatMap(readSignature).slice(0, MOST_SIGNATURES);
  const keys = await Promise.all((typeof secret === "string" ? [secret] : secret).map(importKey));
  for (const key of keys) {
    const mac = new Uint8Array(await crypto.subtle.sign(HMAC, key, signed));
    if (given.some((one) => isEqual(one, mac))) return read(body);
  }
  return refuse("invalid-signature");
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (hasGet(headers)) return headers.get(name) ?? null;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

function hasGet(headers: WebhookHeaders): headers is Extract<WebhookHeaders, { get(name: string): unknown }> {
  return typeof headers.get === "function";
}

/** The bytes of a `v1` signature of the right length; other versions are ignored. */
function readSignature(text: string): Bytes[] {
  const [version, encoded = ""] = text.split(",");
  const bytes = version === "v1" ? fromBase64(encoded) : null;
  return bytes?.length === MAC_BYTES ? [bytes] : [];
}

/** Compares in constant time. */
function isEqual(given: Bytes, mac: Bytes): boolean {
  return given.reduce((difference, byte, index) => difference | (byte ^ (mac[index] ?? 0)), 0) === 0;
}

/** The key of a secret: the decoded part after `whsec_`, or the text itself. */
async function importKey(secret: string) {
  const isStandard = secret.startsWith(STANDARD_SECRET);
  const key = isStandard ? fromBase64(secret.slice(STANDARD_SECRET.length)) : bytesOf(secret);
  if (key.byteLength === 0) throw new RangeError("the webhook secret is empty");
  return crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
}

/** Decodes base64 and base64url, padded or not. Ignores other characters, as Node's `Buffer` does. */
function fromBase64(text: string): Bytes {
  const [encoded = ""] = text.split("=");
  const known = encoded
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z0-9+/]/g, "");
  const whole = known.length % 4 === 1 ? known.slice(0, -1) : known;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function read(body: Uint8Array): WebhookVerification {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(body));
    return isEvent(event) ? { ok: true, event } : refuse("invalid-body");
  } catch {
    return refuse("invalid-body"); // not JSON
  }
}

function isEvent(value: unknown): value is WebhookEvent {
  const { event, timestamp, data, metadata } = Object(value);
  return isText(event) && isText(timestamp) && isRecord(data) && isRecord(metadata) && isMetadata(metadata);
}

function isMetadata(metadata: Readonly<Record<string, unknown>>): boolean {
  const { source, version, delivery_id, event_id, sequence } = metadata;
  const isNamed = isText(source) && isText(version) && isText(delivery_id);
  return isNamed && (event_id === null || isText(event_id)) && (sequence === null || Number.isFinite(sequence));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(reason: WebhookRefusal): WebhookVerification {
  return { ok: false, reason };
}
