import type { ApiKey } from "../access/api-key.js";
import { canonicalAddress, canonicalRange } from "../access/ip-allow-list.js";
import { at } from "../kernel/at.js";
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from "../kernel/clock.js";
import { sha256Hex } from "../kernel/digest.js";
import type { Admission, RateLimitStore, Window } from "./rate-limit-store.js";

/** What the limiter says of one request of a key. The headers always speak of the hour. */
export interface RateVerdict {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Instant; // when the oldest request of the hour leaves it; of a full hour, when a place is free
  readonly refusal: Refusal | null; // null = admitted
}

/** Speaks of the window that refused. */
interface Refusal {
  readonly limit: number;
  readonly remaining: 0;
  readonly resetAt: Instant; // when that window has a place again
  readonly retryAfterSeconds: number; // at least 1
}

const MIN_BURST = 100;
const BURSTS_PER_HOUR = 30;

/**
 * Requests a minute of a key: 100, as the contract has it for the default rate, or a thirtieth of the hour where that
 * is more, so that a key with a higher rate can use it. Source: contract, Limits, Burst.
 */
export function burstOf(rateLimitPerHour: number): number {
  return Math.max(MIN_BURST, Math.floor(rateLimitPerHour / BURSTS_PER_HOUR));
}

/** Charges one request to the key's hour and minute, or to neither. */
export async function admitKeyRequest(store: RateLimitStore, key: ApiKey, now: Instant): Promise<RateVerdict> {
  const hour: Window = { lengthMs: HOUR_MS, limit: key.rateLimitPerHour };
  const minute: Window = { lengthMs: MINUTE_MS, limit: burstOf(key.rateLimitPerHour) };
  const windows = [hour, minute];
  const admission = await store.admit(subjectOf(key), windows, now);
  const { used, freesAt } = at(admission.windows, 0);
  return {
    admitted: admission.admitted,
    limit: hour.limit,
    remaining: Math.max(0, hour.limit - used),
    resetAt: freesAt,
    refusal: refusalOf(admission, windows, now),
  };
}

/** How many requests the key's hour counts now. Charges nothing. */
export function currentUsageOf(store: RateLimitStore, key: ApiKey, now: Instant): Promise<number> {
  return store.countAdmitted(subjectOf(key), HOUR_MS, now);
}

function subjectOf({ businessId, id }: ApiKey): string {
  return `key:${businessId}:${id}`;
}

const LOGIN_WINDOW_MS = 15 * MINUTE_MS;
const LOGINS_PER_ADDRESS: readonly Window[] = [{ lengthMs: LOGIN_WINDOW_MS, limit: 50 }];
const FAILURES_PER_ACCOUNT = 10;
/** Of more logins than this that succeed in a window the others count like failures. */
const SUCCESSES: readonly Window[] = [{ lengthMs: LOGIN_WINDOW_MS, limit: 1_000 }];

export type LoginVerdict =
  | { readonly admitted: true }
  | {
      readonly admitted: false;
      readonly limit: number;
      readonly resetAt: Instant;
      readonly retryAfterSeconds: number;
    };

/**
 * Charges one attempt to log in, by address (an IPv6 /64 counts as one) and by account, whether the account exists or
 * not. An address that is unknown charges the account alone: one window for all who have none would let any of them
 * keep the others out.
 *
 * An attempt is charged before anybody knows how it ends, or many at once would all be let through. The account's limit
 * is as much higher as logins succeeded within the window ({@link recordLogin}): what fails or is under way has ten
 * places, however often the person logs in.
 *
 * The address goes first: one that is refused charges no account, and so cannot keep a person locked out.
 */
export async function admitLogin(
  store: RateLimitStore,
  emailKey: string,
  clientAddress: string | null,
  now: Instant,
): Promise<LoginVerdict> {
  const network = clientAddress === null ? null : networkOf(clientAddress);
  if (network !== null) {
    const subject = `login:address:${sha256Hex(network)}`;
    const refusal = refusalOf(await store.admit(subject, LOGINS_PER_ADDRESS, now), LOGINS_PER_ADDRESS, now);
    if (refusal !== null) return refusedLogin(refusal, refusal.limit);
  }
  const succeeded = await store.countAdmitted(successesOf(emailKey), LOGIN_WINDOW_MS, now);
  const windows = [{ lengthMs: LOGIN_WINDOW_MS, limit: FAILURES_PER_ACCOUNT + succeeded }];
  const refusal = refusalOf(await store.admit(`login:account:${sha256Hex(emailKey)}`, windows, now), windows, now);
  return refusal === null ? { admitted: true } : refusedLogin(refusal, FAILURES_PER_ACCOUNT);
}

/** Tells that the attempt that was admitted at `now` succeeded: it does not keep the account from further ones. */
export async function recordLogin(store: RateLimitStore, emailKey: string, now: Instant): Promise<void> {
  await store.admit(successesOf(emailKey), SUCCESSES, now);
}

function refusedLogin({ resetAt, retryAfterSeconds }: Refusal, limit: number): LoginVerdict {
  return { admitted: false, limit, resetAt, retryAfterSeconds };
}

function successesOf(emailKey: string): string {
  return `login:success:${sha256Hex(emailKey)}`;
}

/** Whoever has an IPv6 address has at least a /64 of them. null = the text is no address. */
function networkOf(clientAddress: string): string | null {
  const address = canonicalAddress(clientAddress);
  if (address === null) return null;
  return address.includes(":") ? String(canonicalRange(`${address}/64`)) : address;
}

function refusalOf(admission: Admission, windows: readonly Window[], now: Instant): Refusal | null {
  if (admission.refusedBy === null) return null;
  const { limit } = at(windows, admission.refusedBy);
  const { freesAt } = at(admission.windows, admission.refusedBy);
  const retryAfterSeconds = Math.max(1, Math.ceil((freesAt - now) / SECOND_MS));
  return { limit, remaining: 0, resetAt: freesAt, retryAfterSeconds };
}
