import type { RateLimitStore } from "@budgetkit/core/store";
import type { RateLimitCases } from "./rate-limit-cases.js";
import { rateLimitCountCases } from "./rate-limit-counts.js";
import { rateLimitDecisionCases } from "./rate-limit-decisions.js";
import { rateLimitCases } from "./rate-limits.js";
import type { SuiteRunner } from "./suite.js";

/** An empty limiter of its own for one case. */
export interface RateLimitsUnderTest {
  readonly limits: RateLimitStore;
  /** Lets go of everything; it is called once, after the case. */
  close?(): Promise<void>;
  /** Opens another limiter on the same data. Left out: nothing outlives the limiter. */
  reopen?(): Promise<RateLimitStore>;
}

export type MakeRateLimits = () => Promise<RateLimitsUnderTest>;

export interface RateLimitSuiteOptions {
  /** Whether data outlive the limiter; the cases about that are left out otherwise. Default false. */
  readonly persists?: boolean;
  /** Whether `pruneWindows` is what forgets idle subjects. False where they vanish by themselves. Default true. */
  readonly prunes?: boolean;
}

/**
 * Every promise of the RateLimitStore port, as cases that any limiter can be held to:
 *
 * ```ts
 * rateLimitSuite({ describe, it }, async () => ({ limits: myLimiter() }));
 * ```
 */
export function rateLimitSuite(
  runner: SuiteRunner,
  make: MakeRateLimits,
  { persists = false, prunes = true }: RateLimitSuiteOptions = {},
): void {
  const onFreshLimits = async (body: (underTest: RateLimitsUnderTest) => Promise<void>): Promise<void> => {
    const underTest = await make();
    try {
      await body(underTest);
    } finally {
      await underTest.close?.();
    }
  };
  allRateLimitCases({
    prunes,
    describe: (name, body) => void runner.describe(name, body),
    it: (name, body) => void runner.it(name, () => onFreshLimits(({ limits }) => body(limits))),
    itDurably: (name, body) => {
      if (!persists) return;
      runner.it(name, () => onFreshLimits((underTest) => body(underTest.limits, reopening(underTest))));
    },
  });
}

/** The cases of the suite. The store suite runs them on a store, which is a limiter too. */
export function allRateLimitCases(cases: RateLimitCases): void {
  rateLimitCases(cases);
  rateLimitDecisionCases(cases);
  rateLimitCountCases(cases);
}

function reopening({ reopen }: RateLimitsUnderTest): () => Promise<RateLimitStore> {
  if (reopen === undefined) throw new Error("a limiter that persists can be opened again");
  return reopen;
}
