import {
  type Admission,
  checkOptionNames,
  type Instant,
  longestOf,
  type OptionNames,
  type RateLimitStore,
  StoreUnavailable,
  type Window,
} from "@budgetkit/core/store";
import type { Cluster, Redis } from "ioredis";
import { createBoundedCalls } from "./bounded-calls.js";
import { createReadiness } from "./connection.js";
import { createScript, type Script } from "./script.js";
import { ADMIT, COUNT } from "./window-log-scripts.js";

export type RedisLimiterOptions = {
  /** The prefix of every key; each subject has one key. Default `budgetkit:limits:`. Services that share a Redis need different prefixes. */
  readonly keyPrefix?: string;
  /**
   * The clock that decides. Default `"server"`, the clock of Redis, which all machines share. `"caller"`, the clock of the
   * service, is for tests with a manual clock. Times in a result are by the caller's clock in both cases.
   */
  readonly clock?: "caller" | "server";
  /** The longest a decision may take. Default 500. */
  readonly timeoutMs?: number;
} & (
  | {
      /** Without a decision by Redis, `refuse` (the default) rejects with StoreUnavailable: HTTP 503. */
      readonly whenUnavailable?: "refuse";
    }
  | {
      /** `admit` lets everything through while Redis gives no decision, passwords that are guessed included. */
      readonly whenUnavailable: "admit";
      /** Called for every decision that Redis did not make. */
      readonly onError: (error: StoreUnavailable) => void;
    }
);

export interface RedisLimiter extends RateLimitStore {
  /** True when Redis replies in time and accepts writes; a replica does not. Never rejects. */
  isReady(): Promise<boolean>;
}

const OPTIONS: OptionNames<RedisLimiterOptions> = {
  keyPrefix: true,
  clock: true,
  timeoutMs: true,
  whenUnavailable: true,
  onError: true,
};

const KEY_PREFIX = "budgetkit:limits:";
const TIMEOUT_MS = 500;

/**
 * Rate limits on Redis or a Redis Cluster, exact over all processes and machines that share it. Each decision is one
 * script on one key. The caller opens and closes the client.
 *
 * Throws a RangeError when `timeoutMs` is not positive, and for an unknown option.
 */
export function redisLimiter(client: Redis | Cluster, options: RedisLimiterOptions = {}): RedisLimiter {
  checkOptionNames("redisLimiter", options, OPTIONS);
  const { keyPrefix = KEY_PREFIX, clock = "server", timeoutMs = TIMEOUT_MS } = options;
  if (!(timeoutMs > 0)) throw new RangeError("timeoutMs must be positive");
  const admit = createScript(client, ADMIT);
  const count = createScript(client, COUNT);
  const untilReady = createReadiness(client, timeoutMs);
  const bounded = createBoundedCalls();
  const timeOf = (now: Instant) => (clock === "server" ? "server" : now);

  /** Waits for the connection and the reply, together for at most `timeoutMs`. */
  async function inTime<T>(key: string, call: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    await untilReady();
    return bounded(key, deadline, call);
  }

  async function run(script: Script, subject: string, args: readonly (string | number)[]): Promise<readonly number[]> {
    const key = keyPrefix + subject;
    return integersOf(await inTime(key, () => script(key, args)));
  }

  return {
    databaseSystem: "redis",
    consume: (subject, windows, now) => {
      const args = [timeOf(now), ...windows.flatMap(({ lengthMs, limit }) => [lengthMs, limit])];
      return decided(
        options,
        run(admit, subject, args).then((reply) => admissionOf(reply, now)),
        () => uncounted(windows, now),
      );
    },
    countConsumed: (subject, lengthMs, now) =>
      decided(
        options,
        run(count, subject, [timeOf(now), lengthMs]).then(([counted = 0]) => counted),
        () => 0,
      ),
    // Keys expire by themselves.
    pruneWindows: async () => 0,
    isReady: async () => {
      try {
        // Writes nothing, and fails when a decision would: on a replica, or without memory. It needs no permission for
        // commands or keys that decisions do not need.
        await inTime("", () => client.setrange(keyPrefix, 0, ""));
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The decision; without one, that of `otherwise` where the options admit requests without Redis. */
async function decided<T>(options: RedisLimiterOptions, decision: Promise<T>, otherwise: () => T): Promise<T> {
  try {
    return await decision;
  } catch (cause) {
    const error = new StoreUnavailable(`Redis made no decision: ${messageOf(cause)}`, { cause });
    if (options.whenUnavailable !== "admit") throw error;
    options.onError(error);
    return otherwise();
  }
}

/** The reply of a script: integers, which some client settings return as text. */
function integersOf(reply: unknown): readonly number[] {
  const numbers = (Array.isArray(reply) ? reply : [reply]).map(Number);
  if (!numbers.every(Number.isSafeInteger)) throw new Error("the reply of Redis is not one of the script");
  return numbers;
}

/** The reply of {@link ADMIT}, with the times of the caller's clock. */
function admissionOf([used = 0, freesInMs = 0, window, refusedForMs = 0]: readonly number[], now: Instant): Admission {
  const refusal = window === undefined ? null : { window, freesAt: now + refusedForMs };
  return { used, freesAt: now + freesInMs, refusal };
}

/** The result for an uncounted unit: as if it were the only one. */
function uncounted(windows: readonly Window[], now: Instant): Admission {
  return { used: 1, freesAt: now + longestOf(windows), refusal: null };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
