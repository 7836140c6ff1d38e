import { createMemoryRateLimitStore } from "@budgetkit/core";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { functionSide } from "../harness/function-side.js";
import { measureInTurn } from "../harness/rounds.js";

const SUBJECTS = 100;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const WINDOWS = [
  { lengthMs: HOUR_MS, limit: 1_000 },
  { lengthMs: MINUTE_MS, limit: 100 },
];
/** A clock that runs so that each subject's hour stays nearly full: with 990 of 1,000. */
const STEP_MS = HOUR_MS / 990 / SUBJECTS;
const HARDLY_A_LIMIT = 1_000_000_000;

export const limiter: Benchmark = {
  title: "a decision over an hour and a minute in memory, beside two limiters of rate-limiter-flexible",
  run: async (settings) => {
    const subjects = Array.from({ length: SUBJECTS }, (_, index) => `key:1001:${index}`);
    const store = createMemoryRateLimitStore();
    const hour = new RateLimiterMemory({ points: HARDLY_A_LIMIT, duration: HOUR_MS / 1_000, keyPrefix: "hour" });
    const minute = new RateLimiterMemory({ points: HARDLY_A_LIMIT, duration: MINUTE_MS / 1_000, keyPrefix: "minute" });
    let now = Date.now();
    let turn = 0;
    const nextSubject = () => {
      turn = (turn + 1) % SUBJECTS;
      return subjects[turn] ?? "";
    };
    const [exact, fixed] = await measureInTurn(
      [
        functionSide("Budgetkit, exact, both windows", async (count) => {
          for (let done = 0; done < count; done += 1) {
            now += STEP_MS;
            const { refusal } = await store.consume(nextSubject(), WINDOWS, now);
            if (refusal !== null) throw new Error("a decision was a refusal");
          }
        }),
        functionSide("rate-limiter-flexible, two fixed windows", async (count) => {
          for (let done = 0; done < count; done += 1) {
            const subject = nextSubject();
            await hour.consume(subject);
            await minute.consume(subject);
          }
        }),
      ],
      settings,
    );
    return {
      measured: [exact, fixed],
      figures: [rateRatio("limiter", exact, fixed)],
    };
  },
};
