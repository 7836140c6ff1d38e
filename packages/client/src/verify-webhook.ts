import type { WebhookEvent } from "./schemas.js";

/** Headers as receivers have them: standard ones, a Map, or a plain object such as Node's. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** Milliseconds since 1970; default: the machine's clock. */
  readonly now?: number;
  /** How far the time of the call may lie in the past or in the future. Default 300. */
  readonly toleranceSeconds?: number;
}

export type WebhookVerdict =
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
const MOST_SIGNATURES = 10; // a service that changes its secret sends two

/**
 * Whether a call comes from the service that shares the secret, recently and unaltered, and what it says: what
 * `verifyWebhook` of `@budgetkit/core` does, by WebCrypto, in browsers and workers too.
 *
 * `rawBody` is the body as it came, before any parsing. Of several secrets one has to fit, which is how a receiver
 * changes its secret. Of the signatures that a call carries, the first ten of 32 bytes are compared, and the body is signed
 * once for each secret. Deliveries come at least once: `event.metadata.delivery_id` tells duplicates. A test carries the
 * data that its sender chose, and an `event_id` of null.
 *
 * Nothing that a caller sends makes it reject. Rejects with a RangeError for a secret that is empty, since anybody could
 * sign under it, and with a TypeError for a body that somebody has parsed already.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookVerdict> {
  if (typeof rawBody !== "string" && !(rawBody instanceof Uint8Array)) {
    throw new TypeError("verifyWebhook needs the body as it came: a string or bytes");
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

/** The bytes behind `v1,`, where they are as many as they must be; other versions are not this function's to judge. */
function readSignature(text: string): Bytes[] {
  const [version, encoded = ""] = text.split(",");
  const bytes = version === "v1" ? fromBase64(encoded) : null;
  return bytes?.length === MAC_BYTES ? [bytes] : [];
}

/** Looks at every byte, so that the time it takes does not tell where the first difference is. */
function isEqual(given: Bytes, mac: Bytes): boolean {
  return given.reduce((difference, byte, place) => difference | (byte ^ (mac[place] ?? 0)), 0) === 0;
}

/** The key that a secret stands for: what is behind `whsec_`, or the text itself. */
async function importKey(secret: string) {
  const isStandard = secret.startsWith(STANDARD_SECRET);
  const key = isStandard ? fromBase64(secret.slice(STANDARD_SECRET.length)) : bytesOf(secret);
  if (key.byteLength === 0) throw new RangeError("the webhook secret is empty");
  return crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
}

/** Base64 with either alphabet, padded or not; what is neither is left out, as Node's `Buffer` does. */
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

function read(body: Uint8Array): WebhookVerdict {
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

function refuse(reason: WebhookRefusal): WebhookVerdict {
  return { ok: false, reason };
}
