import { at } from "../kernel/arrays.js";
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from "../kernel/clock.js";
import { canonicalAddress, canonicalRange } from "../kernel/ip-allow-list.js";
import { sha256Hex } from "../kernel/secret-box.js";
import type { RateLimitStore, Window } from "./rate-limit-store.js";
import { type LimitRefusal, refusalOf } from "./rate-limiter.js";

/** Who tries to log in. The account need not exist: the limits of an unknown email are those of a known one. */
export interface LoginAttempt {
  readonly emailKey: string;
  readonly clientAddress: string | null; // null = unknown
  readonly now: Instant;
}

export interface LoginDecision {
  readonly isKnownNetwork: boolean; // a login to this account from this network succeeded in the last 60 days or more
  readonly refusal: LimitRefusal | null; // null = admitted
}

/**
 * The ranges that count attempts, the narrowest first: an IPv4 address and its /24; an IPv6 /64, which one client owns at
 * least, its /56 and its /48. All limits are for 15 minutes; `inAll` is also the limit of password resets in an hour.
 */
const RANGES = [
  { ipv4: 32, ipv6: 64, perAccount: 10, inAll: 50 },
  { ipv4: 24, ipv6: 56, perAccount: 30, inAll: 150 },
  { ipv4: null, ipv6: 48, perAccount: 60, inAll: 300 },
] as const;

const WINDOW_MS = 15 * MINUTE_MS;
const FAILURES_PER_NETWORK = RANGES[0].perAccount;
/** Successful logins beyond this limit count as failures. */
const SUCCESSES: readonly Window[] = [{ lengthMs: WINDOW_MS, limit: 1_000 }];

/**
 * Charges one login attempt before the password is checked, or concurrent attempts would all pass.
 *
 * - A network that has logged in to the account counts its own failures on this account alone. Failures from elsewhere
 *   never refuse it.
 * - Any other network counts by account, and in all accounts together, in each of its ranges; then by the account's pace
 *   ({@link refuseAbovePace}). The narrowest range is charged first: attempts that it refuses do not fill the wider ones.
 * - Without an address, all clients of the account share one count, and no network is remembered.
 *
 * Successful logins do not count as failures ({@link recordLogin}).
 */
export async function admitLogin(store: RateLimitStore, attempt: LoginAttempt): Promise<LoginDecision> {
  const ranges = rangesOf(attempt.clientAddress);
  const isKnownNetwork = await isKnown(store, attempt);
  if (isKnownNetwork || ranges.length === 0) return { isKnownNetwork, refusal: await refuseByFailures(store, attempt) };
  const outOfRange = await refuseByRanges(store, attempt, ranges);
  if (outOfRange !== null) return { isKnownNetwork, refusal: outOfRange };
  const tooFast = await refuseAbovePace(store, attempt);
  if (tooFast !== null) await refundAttempt(store, attempt); // no password was checked
  return { isKnownNetwork, refusal: tooFast };
}

/**
 * Records a successful login: the attempt admitted at `now` does not count as a failure, and the network is known from
 * now on. The store holds digests of networks, each for 90 days, renewed once in 30; an account has at most 100 in 90
 * days.
 */
export async function recordLogin(
  store: RateLimitStore,
  attempt: LoginAttempt,
  isKnownNetwork: boolean,
): Promise<void> {
  const { now } = attempt;
  await refundAttempt(store, attempt);
  if (rangesOf(attempt.clientAddress).length === 0) return;
  if (!isKnownNetwork) {
    const known = await store.consume(`login:networks:${accountOf(attempt)}`, KNOWN_NETWORKS, now);
    if (known.refusal !== null) return;
  }
  await store.consume(knownSubjectOf(attempt), RENEWALS, now);
}

/** The attempt admitted at `now` does not count as a failure. The network does not become known. */
export async function refundAttempt(store: RateLimitStore, attempt: LoginAttempt): Promise<void> {
  await store.consume(`login:success:${pairOf(attempt)}`, SUCCESSES, attempt.now);
}

const KNOWN_MS = 90 * DAY_MS;
const KNOWN_NETWORKS: readonly Window[] = [{ lengthMs: KNOWN_MS, limit: 100 }];
const RENEWALS: readonly Window[] = [
  { lengthMs: KNOWN_MS, limit: 3 },
  { lengthMs: KNOWN_MS / 3, limit: 1 },
];

async function isKnown(store: RateLimitStore, attempt: LoginAttempt): Promise<boolean> {
  if (rangesOf(attempt.clientAddress).length === 0) return false;
  return (await store.countConsumed(knownSubjectOf(attempt), KNOWN_MS, attempt.now)) > 0;
}

/** Each success raises the limit by one within the window: ten attempts may fail or be in flight. */
async function refuseByFailures(store: RateLimitStore, attempt: LoginAttempt): Promise<LimitRefusal | null> {
  const pair = pairOf(attempt);
  const succeeded = await store.countConsumed(`login:success:${pair}`, WINDOW_MS, attempt.now);
  const limit = FAILURES_PER_NETWORK + succeeded;
  const refusal = await consume(store, `login:account:${pair}`, { lengthMs: WINDOW_MS, limit }, attempt.now);
  return refusal === null ? null : { ...refusal, limit: FAILURES_PER_NETWORK };
}

async function refuseByRanges(
  store: RateLimitStore,
  attempt: LoginAttempt,
  ranges: readonly LoginRange[],
): Promise<LimitRefusal | null> {
  const { now } = attempt;
  const networks = ranges.map((each) => ofNetwork("login", each, WINDOW_MS));
  const full = await refuseByFullRange(store, networks, now);
  if (full !== null) return full;
  for (const [index, { range, perAccount }] of ranges.entries()) {
    const { subject, window } = at(networks, index);
    const ofAccount = { lengthMs: WINDOW_MS, limit: perAccount };
    const refusal =
      (await consume(store, subject, window, now)) ??
      (index === 0
        ? await refuseByFailures(store, attempt)
        : await consume(store, `login:account:${digestOf(attempt, range)}`, ofAccount, now));
    if (refusal !== null) return refusal;
  }
  return null;
}

/** The attempts of a range, on all accounts together. */
interface RangeLimit {
  readonly subject: string;
  readonly window: Window;
}

function ofNetwork(kind: "login" | "reset" | "token", { range, inAll }: LoginRange, lengthMs: number): RangeLimit {
  return { subject: `${kind}:network:${sha256Hex(range)}`, window: { lengthMs, limit: inAll } };
}

/**
 * Charges nothing: it refuses the attempts of a wide range that is full before a narrower one is charged. Else each of
 * the 65,536 networks in an IPv6 /48 could fill the store with subjects.
 */
async function refuseByFullRange(
  store: RateLimitStore,
  networks: readonly RangeLimit[],
  now: Instant,
): Promise<LimitRefusal | null> {
  for (const { subject, window } of networks.slice(1)) {
    if ((await store.countConsumed(subject, window.lengthMs, now)) < window.limit) continue;
    const refusal = await consume(store, subject, window, now);
    if (refusal !== null) return refusal;
  }
  return null;
}

const UNPACED: Window = { lengthMs: HOUR_MS, limit: 50 };
const PACED: Window = { lengthMs: HOUR_MS, limit: 10_000 };
const PACED_PER_STEP = 25;
const LONGEST_STEP = 6; // 64 seconds

/**
 * The pace of attempts on one account from networks that it does not know, all of them together: 50 an hour without a
 * delay, then one a second; after every 25 of these within an hour the distance doubles, up to 64 seconds.
 */
async function refuseAbovePace(store: RateLimitStore, attempt: LoginAttempt): Promise<LimitRefusal | null> {
  const { now } = attempt;
  const account = accountOf(attempt);
  if ((await consume(store, `login:unpaced:${account}`, UNPACED, now)) === null) return null;
  const paced = await store.countConsumed(`login:paced:${account}`, HOUR_MS, now);
  const step = Math.min(LONGEST_STEP, Math.floor(paced / PACED_PER_STEP));
  const distance: Window = { lengthMs: SECOND_MS * 2 ** step, limit: 1 };
  const refusal = await consume(store, `login:pace:${step}:${account}`, distance, now);
  return refusal ?? consume(store, `login:paced:${account}`, PACED, now);
}

const RESETS_PER_ACCOUNT: Window = { lengthMs: HOUR_MS, limit: 5 };

/**
 * Charges one request for a password reset to the ranges of its address and then to its account, so that mails do not
 * flood a user. @returns null = admitted.
 */
export async function admitPasswordReset(store: RateLimitStore, attempt: LoginAttempt): Promise<LimitRefusal | null> {
  const refusal = await refuseByNetworks(store, "reset", HOUR_MS, attempt);
  return refusal ?? consume(store, `reset:account:${accountOf(attempt)}`, RESETS_PER_ACCOUNT, attempt.now);
}

const PASSWORDS_PER_NETWORK: Window = { lengthMs: WINDOW_MS, limit: FAILURES_PER_NETWORK };

/** Charges the use of a one-time token, of whichever account, to the ranges of its address. @returns null = admitted. */
export function admitOneTimeToken(
  store: RateLimitStore,
  attempt: Omit<LoginAttempt, "emailKey">,
): Promise<LimitRefusal | null> {
  return refuseByNetworks(store, "token", WINDOW_MS, attempt);
}

/**
 * Charges a password that is to be hashed for a valid one-time token to the account and the client's network. Only the
 * holder of the token is charged: others cannot use the account's attempts up. @returns null = admitted.
 */
export function admitNewPassword(store: RateLimitStore, attempt: LoginAttempt): Promise<LimitRefusal | null> {
  return consume(store, `token:account:${pairOf(attempt)}`, PASSWORDS_PER_NETWORK, attempt.now);
}

/** Charges each range of the client's address, the narrowest first. */
async function refuseByNetworks(
  store: RateLimitStore,
  kind: "reset" | "token",
  lengthMs: number,
  { clientAddress, now }: Omit<LoginAttempt, "emailKey">,
): Promise<LimitRefusal | null> {
  const networks = rangesOf(clientAddress).map((each) => ofNetwork(kind, each, lengthMs));
  const full = await refuseByFullRange(store, networks, now);
  if (full !== null) return full;
  for (const { subject, window } of networks) {
    const refusal = await consume(store, subject, window, now);
    if (refusal !== null) return refusal;
  }
  return null;
}

async function consume(
  store: RateLimitStore,
  subject: string,
  window: Window,
  now: Instant,
): Promise<LimitRefusal | null> {
  return refusalOf(await store.consume(subject, [window], now), [window], now);
}

interface LoginRange {
  readonly range: string; // canonical CIDR
  readonly perAccount: number;
  readonly inAll: number; // in all accounts together
}

/** Empty for an unknown or malformed address. */
function rangesOf(clientAddress: string | null): readonly LoginRange[] {
  const address = clientAddress === null ? null : canonicalAddress(clientAddress);
  if (address === null) return [];
  return RANGES.flatMap(({ ipv4, ipv6, perAccount, inAll }) => {
    const bits = address.includes(":") ? ipv6 : ipv4;
    const range = bits === null ? null : canonicalRange(`${address}/${bits}`);
    return range === null ? [] : [{ range, perAccount, inAll }];
  });
}

/** The account and the client's own network. */
function pairOf(attempt: LoginAttempt): string {
  return digestOf(attempt, rangesOf(attempt.clientAddress)[0]?.range ?? "");
}

function knownSubjectOf(attempt: LoginAttempt): string {
  return `login:known:${pairOf(attempt)}`;
}

function accountOf({ emailKey }: LoginAttempt): string {
  return sha256Hex(emailKey);
}

function digestOf({ emailKey }: LoginAttempt, range: string): string {
  return sha256Hex(`${range}\n${emailKey}`);
}
