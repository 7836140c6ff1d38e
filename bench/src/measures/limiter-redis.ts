import { redisLimiter } from "@budgetkit/limiter-redis";
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { anyRedis, noRedis } from "../../../packages/limiter-redis/src/testing/redis-server.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { CONCURRENT, concurrently } from "../harness/concurrently.js";
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

export const limiterOnRedis: Benchmark = {
  title: `a decision over an hour and a minute on Redis, ${CONCURRENT} at a time, beside rate-limiter-flexible`,
  run: async (settings) => {
    if (noRedis !== null) return { measured: [], figures: [], notes: [`Left out: ${noRedis}.`] };
    const server = await anyRedis();
    const client = new Redis(server.address);
    await client.ping();
    const run = `bench:${Date.now()}:`;
    const limits = redisLimiter(client, { keyPrefix: run, timeoutMs: 10_000, clock: "caller" });
    const fixed = (name: string, lengthMs: number) =>
      new RateLimiterRedis({
        storeClient: client,
        points: HARDLY_A_LIMIT,
        duration: lengthMs / 1_000,
        keyPrefix: `${run}${name}`,
      });
    const hour = fixed("hour", HOUR_MS);
    const minute = fixed("minute", MINUTE_MS);
    let now = Date.now();
    let turn = 0;
    const nextSubject = () => {
      turn = (turn + 1) % SUBJECTS;
      return `key:1001:${turn}`;
    };
    const [exact, both, one] = await measureInTurn(
      [
        functionSide(
          "Budgetkit, exact, both windows",
          concurrently(async () => {
            now += STEP_MS;
            return (await limits.consume(nextSubject(), WINDOWS, Math.floor(now))).refusal === null;
          }),
        ),
        functionSide(
          "rate-limiter-flexible, two fixed windows",
          concurrently(async () => {
            const subject = nextSubject();
            await Promise.all([hour.consume(subject), minute.consume(subject)]);
            return true;
          }),
        ),
        functionSide(
          "rate-limiter-flexible, one fixed window",
          concurrently(async () => {
            await hour.consume(nextSubject());
            return true;
          }),
        ),
      ],
      settings,
    );
    client.disconnect();
    await server.remove();
    return {
      measured: [exact, both, one],
      figures: [
        rateRatio({ recorded: "limiter decision on Redis / rate-limiter-flexible twice" }, exact, both),
        rateRatio({ recorded: "limiter decision on Redis / rate-limiter-flexible once" }, exact, one),
      ],
    };
  },
};
