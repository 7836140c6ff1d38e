import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kernel/clock.js";
import { admitLogin, admitPasswordReset, recordLogin } from "./login-throttle.js";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";
import type { RateLimitStore } from "./rate-limit-store.js";

const START = Date.UTC(2026, 2, 2, 12);
const QUARTER_MS = 15 * MINUTE_MS;
const HOME = "203.0.113.7";
const ANA = "ana@example.com";

/** Attempts on a fresh store. An attempt that logs in is recorded. */
function world(store: RateLimitStore = createMemoryRateLimitStore()) {
  const attempt = (clientAddress: string | null, at = 0, emailKey = ANA) =>
    admitLogin(store, { emailKey, clientAddress, now: START + at });
  const logIn = async (clientAddress: string | null, at = 0) => {
    const decision = await attempt(clientAddress, at);
    if (decision.refusal !== null) return decision;
    await recordLogin(store, { emailKey: ANA, clientAddress, now: START + at }, decision.isKnownNetwork);
    return decision;
  };
  return { attempt, logIn };
}

/** An address in a /48 of its own. */
function farAddress(index: number): string {
  return `2001:db8:${index.toString(16)}::1`;
}

describe("failed logins to an account", () => {
  it("refuses logins to an account for 15 minutes after ten failures from one network", async () => {
    const { attempt } = world();
    for (let failure = 0; failure < 10; failure += 1) expect((await attempt(HOME)).refusal).toBeNull();
    expect((await attempt(HOME, 1)).refusal).toEqual({
      limit: 10,
      remaining: 0,
      resetAt: START + QUARTER_MS,
      retryAfterSeconds: 900,
    });
    expect((await attempt("198.51.100.1", 1)).refusal).toBeNull();
    expect((await attempt(HOME, QUARTER_MS)).refusal).toBeNull();
  });

  it("refuses concurrent logins to an account after ten failures from one network", async () => {
    const { attempt } = world();
    const guesses = await Promise.all(Array.from({ length: 40 }, () => attempt(HOME)));
    expect(guesses.filter(({ refusal }) => refusal === null)).toHaveLength(10);
  });

  it("allows ten failures however often the user logs in, before and in between", async () => {
    const { attempt, logIn } = world();
    for (let count = 0; count < 30; count += 1) expect((await logIn(HOME, count)).refusal).toBeNull();
    for (let failure = 0; failure < 9; failure += 1) expect((await attempt(HOME, 100)).refusal).toBeNull();
    expect((await logIn(HOME, 100)).refusal).toBeNull();
    expect((await attempt(HOME, 101)).refusal).toBeNull();
    expect((await attempt(HOME, 102)).refusal).toMatchObject({ limit: 10 });
  });

  it("a successful login makes no room for failures once it has left the window", async () => {
    const { attempt, logIn } = world();
    for (let count = 0; count < 5; count += 1) await logIn(HOME);
    for (let failure = 0; failure < 10; failure += 1) expect((await attempt(HOME, 1)).refusal).toBeNull();
    expect((await attempt(HOME, QUARTER_MS - 1)).refusal).not.toBeNull();
    expect((await attempt(HOME, QUARTER_MS)).refusal).not.toBeNull();
    expect((await attempt(HOME, QUARTER_MS + 1)).refusal).toBeNull();
  });

  it("counts failed logins from unknown addresses together, and treats none as a known network", async () => {
    const { attempt, logIn } = world();
    await logIn(null);
    for (let failure = 0; failure < 10; failure += 1) {
      expect(await attempt(failure % 2 === 0 ? null : "not an address")).toEqual({
        isKnownNetwork: false,
        refusal: null,
      });
    }
    expect((await attempt(null)).refusal).toMatchObject({ limit: 10 });
  });

  it.each([
    ["the /24 of an IPv4 address", (n: number) => `203.0.113.${n}`, 30],
    ["an IPv6 /56", (n: number) => `2001:db8:0:${n.toString(16)}::1`, 30],
    ["an IPv6 /48", (n: number) => `2001:db8:0:${(n * 256).toString(16)}::1`, 60],
  ])("refuses failed logins over %s at a higher limit", async (_, addressOf, limit) => {
    const { attempt } = world();
    for (let failure = 0; failure < limit; failure += 1) {
      const decision = await attempt(addressOf(failure % 50), failure * MINUTE_MS * 0.2);
      expect(decision.refusal).toBeNull();
    }
    expect((await attempt(addressOf(51), limit * MINUTE_MS * 0.2)).refusal).toMatchObject({ limit });
  });

  it("fills no wider range with failures of a network that is refused already", async () => {
    const { attempt } = world();
    for (let failure = 0; failure < 200; failure += 1) await attempt("2001:db8:0:1::1");
    expect((await attempt("2001:db8:0:2::1")).refusal).toBeNull();
  });
});

describe("the pace of attempts on an account", () => {
  it("allows 50 attempts an hour on an account from any number of networks", async () => {
    const { attempt } = world();
    for (let n = 0; n < 50; n += 1) expect((await attempt(farAddress(n))).refusal).toBeNull();
    expect((await attempt(farAddress(50))).refusal).toBeNull();
    expect((await attempt(farAddress(51))).refusal).toMatchObject({ limit: 1, retryAfterSeconds: 1 });
    expect((await attempt(farAddress(52), SECOND_MS)).refusal).toBeNull();
  });

  it("slows attempts on an account from one a second to one in 64, and recovers in an hour", async () => {
    const { attempt } = world();
    let at = 0;
    let network = 0;
    const waits = new Set<number>();
    for (let admitted = 0; admitted < 50 + 6 * 25 + 1; network += 1) {
      const { refusal } = await attempt(farAddress(network), at);
      if (refusal === null) admitted += 1;
      else {
        waits.add(refusal.retryAfterSeconds);
        at = refusal.resetAt - START;
      }
    }
    expect([...waits]).toEqual([1, 2, 4, 8, 16, 32]);
    expect((await attempt(farAddress(network), at + 1)).refusal).toMatchObject({ retryAfterSeconds: 64 });
    expect((await attempt(farAddress(network + 1), at + HOUR_MS)).refusal).toBeNull();
    expect((await attempt(farAddress(network + 2), at + HOUR_MS)).refusal).toBeNull();
  });

  it("counts no failure for an attempt that is refused by the pace", async () => {
    const { attempt } = world();
    for (let n = 0; n < 51; n += 1) expect((await attempt(farAddress(n))).refusal).toBeNull();
    for (let count = 0; count < 12; count += 1) expect((await attempt(HOME, 1)).refusal).toMatchObject({ limit: 1 });
    expect((await attempt(HOME, SECOND_MS)).refusal).toBeNull();
  });

  it("the pace of attempts applies to one account alone", async () => {
    const { attempt } = world();
    for (let n = 0; n < 60; n += 1) await attempt(farAddress(n));
    expect((await attempt(farAddress(60))).refusal).not.toBeNull();
    expect((await attempt(farAddress(60), 0, "bea@example.com")).refusal).toBeNull();
  });
});

describe("a network that has logged in to the account", () => {
  it("admits a known network despite failures of others: in its ranges, in all accounts, or by the pace", async () => {
    const { attempt, logIn } = world();
    const home = "2001:db8:0:1::7";
    await logIn(home);
    for (let n = 2; n < 302; n += 1) {
      await attempt(`2001:db8:0:${n.toString(16)}::1`, MINUTE_MS);
      await attempt(home, MINUTE_MS, `user${n}@example.com`);
    }
    expect((await attempt("2001:db8:0:fff::1", MINUTE_MS)).refusal).not.toBeNull();
    expect(await attempt(home, MINUTE_MS)).toEqual({ isKnownNetwork: true, refusal: null });
  });

  it("refuses a known network after ten failures of its own", async () => {
    const { attempt, logIn } = world();
    await logIn(HOME);
    for (let failure = 0; failure < 10; failure += 1) expect((await attempt(HOME, 1)).refusal).toBeNull();
    expect((await attempt(HOME, 1)).refusal).toMatchObject({ limit: 10 });
  });

  it("knows a network for one account alone, and by the same address only", async () => {
    const { attempt, logIn } = world();
    await logIn(HOME);
    expect((await attempt("::ffff:203.0.113.7")).isKnownNetwork).toBe(true);
    expect((await attempt("203.0.113.8")).isKnownNetwork).toBe(false);
    expect((await attempt(HOME, 0, "bea@example.com")).isKnownNetwork).toBe(false);
  });

  it("knows a network for 90 days, and longer when it logs in again after 30", async () => {
    const { attempt, logIn } = world();
    await logIn(HOME);
    expect((await attempt(HOME, 90 * DAY_MS - 1)).isKnownNetwork).toBe(true);
    expect((await attempt(HOME, 90 * DAY_MS)).isKnownNetwork).toBe(false);
    const other = world();
    for (let day = 0; day <= 300; day += 10) expect((await other.logIn(HOME, day * DAY_MS)).refusal).toBeNull();
    expect((await other.attempt(HOME, 385 * DAY_MS)).isKnownNetwork).toBe(true);
    expect((await other.attempt(HOME, 391 * DAY_MS)).isKnownNetwork).toBe(false);
  });

  it("knows at most a hundred networks of an account in 90 days", async () => {
    const { attempt, logIn } = world();
    for (let n = 0; n < 101; n += 1) await logIn(farAddress(n), n * HOUR_MS);
    expect((await attempt(farAddress(99), 101 * HOUR_MS)).isKnownNetwork).toBe(true);
    expect((await attempt(farAddress(100), 101 * HOUR_MS)).isKnownNetwork).toBe(false);
  });
});

describe("attempts from one network on many accounts", () => {
  it.each([
    ["one IPv4 address", () => HOME],
    ["IPv4 in both notations", (n: number) => (n % 2 === 0 ? HOME : "::ffff:203.0.113.7")],
    ["an IPv6 /64", (n: number) => `2001:db8:0:1::${n.toString(16)}`],
  ])("admits attempts on 50 accounts in 15 minutes from %s", async (_, addressOf) => {
    const { attempt } = world();
    for (let n = 1; n <= 50; n += 1) expect((await attempt(addressOf(n), 0, `user${n}`)).refusal).toBeNull();
    expect((await attempt(addressOf(51), 0, "user51")).refusal).toMatchObject({ limit: 50 });
    expect((await attempt("203.0.113.8", 0, "user51")).refusal).toBeNull();
    expect((await attempt("2001:db8:0:2::1", 0, "user51")).refusal).toBeNull();
  });

  it.each([
    ["a /24", (n: number) => `203.0.113.${n % 200}`, 150],
    ["an IPv6 /56", (n: number) => `2001:db8:0:${(n % 200).toString(16)}::1`, 150],
    ["an IPv6 /48", (n: number) => `2001:db8:0:${((n % 200) * 256).toString(16)}::1`, 300],
  ])("refuses attempts on many accounts over %s at a higher limit", async (_, addressOf, limit) => {
    const { attempt } = world();
    for (let n = 0; n < limit; n += 1) expect((await attempt(addressOf(n), 0, `user${n}`)).refusal).toBeNull();
    expect((await attempt(addressOf(limit), 0, "another")).refusal).toMatchObject({ limit });
  });

  it("charges no account for attempts from a network that is refused", async () => {
    const { attempt } = world();
    for (let n = 1; n <= 50; n += 1) await attempt(HOME, 0, `user${n}`);
    for (let n = 1; n <= 60; n += 1) await attempt(HOME);
    expect((await attempt("203.0.113.8")).refusal).toBeNull();
  });
});

describe("requests for a password reset", () => {
  const ask = (store: RateLimitStore, clientAddress: string | null, emailKey: string) =>
    admitPasswordReset(store, { emailKey, clientAddress, now: START });

  it.each([
    ["one address", () => HOME, 50],
    ["a /24", (n: number) => `203.0.113.${n % 200}`, 150],
    ["an IPv6 /56", (n: number) => `2001:db8:0:${(n % 200).toString(16)}::1`, 150],
    ["an IPv6 /48", (n: number) => `2001:db8:0:${((n % 200) * 256).toString(16)}::1`, 300],
  ])("limits password resets over %s", async (_, addressOf, limit) => {
    const store = createMemoryRateLimitStore();
    for (let n = 0; n < limit; n += 1) expect(await ask(store, addressOf(n), `user${n}`)).toBeNull();
    expect(await ask(store, addressOf(limit), "another")).toMatchObject({ limit });
    expect(await ask(store, "198.51.100.1", "another")).toBeNull();
  });
});

describe("the store of the limits", () => {
  it.each([
    ["logins", admitLogin],
    ["password resets", admitPasswordReset],
  ])("stores nothing more of %s from a range that is refused", async (_, admit) => {
    const subjects = new Set<string>();
    const memory = createMemoryRateLimitStore();
    const store: RateLimitStore = {
      ...memory,
      consume: (subject, windows, now) => {
        subjects.add(subject);
        return memory.consume(subject, windows, now);
      },
    };
    const attempt = (n: number) => {
      const clientAddress = `2001:db8:0:${n.toString(16)}::1`; // each in another /64 of one /48
      return admit(store, { emailKey: `user${n}@example.com`, clientAddress, now: START });
    };
    for (let n = 0; n < 600; n += 1) await attempt(n);
    const before = subjects.size;
    for (let n = 600; n < 1_200; n += 1) await attempt(n);
    expect(subjects.size).toBe(before);
  });

  it("stores digests of emails and networks", async () => {
    const subjects = new Set<string>();
    const memory = createMemoryRateLimitStore();
    const { logIn, attempt } = world({
      ...memory,
      consume: (subject, windows, now) => {
        subjects.add(subject);
        return memory.consume(subject, windows, now);
      },
    });
    await logIn("2001:db8:0:1::7");
    for (let n = 0; n < 60; n += 1) await attempt(farAddress(n));
    for (const subject of subjects) expect(subject).toMatch(/^login:[a-z]+:(?:\d:)?[0-9a-f]{64}$/);
    expect(new Set([...subjects].map((subject) => subject.split(":")[1]))).toEqual(
      new Set(["network", "account", "success", "unpaced", "networks", "known", "pace", "paced"]),
    );
  });
});
