import { postgresStore } from "@budgetkit/store-postgres";
import type pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { callersSide } from "../harness/callers-side.js";
import { CONCURRENT } from "../harness/concurrently.js";
import { withPool, withPostgres } from "../harness/postgres.js";
import { measureInTurn } from "../harness/rounds.js";
import type { Settings } from "../harness/settings.js";

const SUBJECTS = 1_000;
const HARDLY_A_LIMIT = 1_000_000_000;
const HOUR_S = 3_600;
const MINUTE_S = 60;
const WINDOWS = [HOUR_S, MINUTE_S].map((seconds) => ({ lengthMs: seconds * 1_000, limit: HARDLY_A_LIMIT }));

export const limiterOnPostgres: Benchmark = {
  title: `a decision over an hour and a minute in PostgreSQL, ${CONCURRENT} at a time, beside rate-limiter-flexible`,
  run: (settings) => withPostgres((url) => withPool(url, CONCURRENT, (pool) => measure(pool, settings))),
};

async function measure(pool: pg.Pool, settings: Settings) {
  const store = postgresStore(pool);
  await store.migrate();
  const hour = await fixedWindow(pool, "hour", HOUR_S);
  const minute = await fixedWindow(pool, "minute", MINUTE_S);
  const subject = (count: number) => `key:1001:${count % SUBJECTS}`;
  const [exact, oneFixed, twoFixed] = await measureInTurn(
    [
      callersSide("Budgetkit, exact, both windows", async (count) => {
        const { refusal } = await store.consume(subject(count), WINDOWS, Date.now());
        if (refusal !== null) throw new Error("a decision was a refusal");
      }),
      callersSide("rate-limiter-flexible, one fixed window", (count) => hour.consume(subject(count))),
      callersSide("rate-limiter-flexible, two fixed windows", async (count) => {
        await hour.consume(subject(count));
        await minute.consume(subject(count));
      }),
    ],
    settings,
  );
  return {
    measured: [exact, oneFixed, twoFixed],
    figures: [
      rateRatio({ recorded: "limiter decision in PostgreSQL / rate-limiter-flexible once" }, exact, oneFixed),
      rateRatio({ recorded: "limiter decision in PostgreSQL / rate-limiter-flexible twice" }, exact, twoFixed),
    ],
    notes: [
      "The server waits for the disk. Budgetkit's windows are not logged and begin anew after its crash; the others' are kept.",
    ],
  };
}

function fixedWindow(pool: pg.Pool, keyPrefix: string, duration: number): Promise<RateLimiterPostgres> {
  return new Promise((resolve, reject) => {
    const limiter = new RateLimiterPostgres(
      { storeClient: pool, points: HARDLY_A_LIMIT, duration, keyPrefix, clearExpiredByTimeout: false },
      (error) => (error === undefined ? resolve(limiter) : reject(error)),
    );
  });
}
