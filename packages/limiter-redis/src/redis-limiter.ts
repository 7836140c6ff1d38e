import type { Admission, Instant, RateLimitStore, Window } from "@budgetkit/core/store";
import { StoreUnavailable } from "@budgetkit/core/store";
import type { Cluster, Redis } from "ioredis";
import { createBoundedCalls } from "./bounded-calls.js";
import { createReadiness } from "./connection.js";
import { createScript, type Script } from "./script.js";
import { ADMIT, COUNT } from "./window-log-scripts.js";

export type RedisLimiterOptions = {
  /** Before every key, one a subject. Default `budgetkit:limits:`. Services that share a Redis need one each. */
  readonly keyPrefix?: string;
  /**
   * Whose clock decides. Default `"server"`, that of Redis: machines whose clocks differ agree about it. `"caller"`, that
   * of the service, is for tests that move time by hand. Moments in an answer are the caller's in both cases.
   */
  readonly clock?: "caller" | "server";
  /** How long a decision may take. Default 500. */
  readonly timeoutMs?: number;
} & (
  | {
      /** When Redis gives no decision: `refuse` (the default) rejects with StoreUnavailable, over HTTP 503. */
      readonly whenUnavailable?: "refuse";
    }
  | {
      /** `admit` lets everything through while Redis gives no decision, passwords that are guessed included. */
      readonly whenUnavailable: "admit";
      /** Told why, for every decision that was not made. */
      readonly onError: (error: StoreUnavailable) => void;
    }
);

export interface RedisLimiter extends RateLimitStore {
  /** True when Redis answers in time and takes writes, which a replica does not; never rejects. */
  isReady(): Promise<boolean>;
}

const KEY_PREFIX = "budgetkit:limits:";
const TIMEOUT_MS = 500;

/**
 * The windows of the rate limits on Redis or a Redis Cluster, exact over all processes and machines that share it. Each
 * decision is one script on one key. The client stays the caller's: whoever opened it closes it.
 *
 * Throws a RangeError for a `timeoutMs` that is no positive number.
 */
export function redisLimiter(client: Redis | Cluster, options: RedisLimiterOptions = {}): RedisLimiter {
  const { keyPrefix = KEY_PREFIX, clock = "server", timeoutMs = TIMEOUT_MS } = options;
  if (!(timeoutMs > 0)) throw new RangeError("timeoutMs must be positive");
  const admit = createScript(client, ADMIT);
  const count = createScript(client, COUNT);
  const untilReady = createReadiness(client, timeoutMs);
  const bounded = createBoundedCalls();
  const momentOf = (now: Instant) => (clock === "server" ? "server" : now);

  /** Waits for the connection and then for the answer, for `timeoutMs` in all. */
  async function inTime<T>(key: string, call: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    await untilReady();
    return bounded(key, deadline, call);
  }

  async function run(script: Script, subject: string, args: readonly (string | number)[]): Promise<readonly number[]> {
    const key = keyPrefix + subject;
    return integersOf(await inTime(key, () => script(key, args)));
  }

  async function decided<T>(decision: Promise<T>, otherwise: () => T): Promise<T> {
    try {
      return await decision;
    } catch (cause) {
      const error = new StoreUnavailable(`Redis gives no decision: ${messageOf(cause)}`, { cause });
      if (options.whenUnavailable !== "admit") throw error;
      options.onError(error);
      return otherwise();
    }
  }

  return {
    databaseSystem: "redis",
    admit: (subject, windows, now) => {
      const args = [momentOf(now), ...windows.flatMap(({ lengthMs, limit }) => [lengthMs, limit])];
      return decided(
        run(admit, subject, args).then((reply) => admissionOf(reply, windows, now)),
        () => uncounted(windows, now),
      );
    },
    countAdmitted: (subject, lengthMs, now) =>
      decided(
        run(count, subject, [momentOf(now), lengthMs]).then(([counted = 0]) => counted),
        () => 0,
      ),
    // Redis forgets a subject by itself once its windows have passed.
    pruneWindows: async () => 0,
    isReady: async () => {
      try {
        // Writes nothing, and is refused whenever a decision would be: by a replica, or without memory. No other command
        // and no other keys need to be allowed for it than for decisions.
        await inTime("", () => client.setrange(keyPrefix, 0, ""));
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The answer of a script: integers, which some clients are set to give as text. */
function integersOf(reply: unknown): readonly number[] {
  const numbers = (Array.isArray(reply) ? reply : [reply]).map(Number);
  if (!numbers.every(Number.isSafeInteger)) throw new Error("Redis gave what is no answer of the script");
  return numbers;
}

function admissionOf(
  [refusedBy = -1, ...states]: readonly number[],
  windows: readonly Window[],
  now: Instant,
): Admission {
  return {
    admitted: refusedBy === -1,
    refusedBy: refusedBy === -1 ? null : refusedBy,
    windows: windows.map((_, index) => ({
      used: Number(states[2 * index]),
      freesAt: now + Number(states[2 * index + 1]),
    })),
  };
}

/** What is answered of a unit that nobody counted: as if it were the only one. */
function uncounted(windows: readonly Window[], now: Instant): Admission {
  return {
    admitted: true,
    refusedBy: null,
    windows: windows.map(({ lengthMs }) => ({ used: 1, freesAt: now + lengthMs })),
  };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
