import { postgresStore } from "@budgetkit/store-postgres";
import pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { startPostgres } from "../../../packages/store-postgres/src/testing/postgres-server.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { measureInTurn, type Side } from "../harness/rounds.js";
import { percentile } from "../harness/statistics.js";

const CALLERS = 50;
const SUBJECTS = 1_000;
const HARDLY_A_LIMIT = 1_000_000_000;
const HOUR_S = 3_600;
const MINUTE_S = 60;
const WINDOWS = [HOUR_S, MINUTE_S].map((seconds) => ({ lengthMs: seconds * 1_000, limit: HARDLY_A_LIMIT }));

export const limiterOnPostgres: Benchmark = {
  title: `a decision over an hour and a minute in PostgreSQL, ${CALLERS} at a time, beside rate-limiter-flexible`,
  run: async (settings) => {
    const server = await startPostgres({ isDurable: true });
    const pool = new pg.Pool({ connectionString: server.url, max: CALLERS });
    pool.on("error", () => {}); // idle connections that the server's end cuts
    try {
      const store = postgresStore(pool);
      await store.migrate();
      const hour = await fixedWindow(pool, "hour", HOUR_S);
      const minute = await fixedWindow(pool, "minute", MINUTE_S);
      const [exact, oneFixed, twoFixed] = await measureInTurn(
        [
          callersSide("Budgetkit, exact, both windows", async (subject) => {
            const { admitted } = await store.admit(subject, WINDOWS, Date.now());
            if (!admitted) throw new Error("a decision was a refusal");
          }),
          callersSide("rate-limiter-flexible, one fixed window", (subject) => hour.consume(subject)),
          callersSide("rate-limiter-flexible, two fixed windows", async (subject) => {
            await hour.consume(subject);
            await minute.consume(subject);
          }),
        ],
        settings,
      );
      return {
        measured: [exact, oneFixed, twoFixed],
        verdicts: [
          rateRatio("limiter decision in PostgreSQL / rate-limiter-flexible once", exact, oneFixed, null),
          rateRatio("limiter decision in PostgreSQL / rate-limiter-flexible twice", exact, twoFixed, null),
        ],
        notes: [
          "The server waits for the disk. Budgetkit's windows are not logged and begin anew after its crash; the others' are kept.",
        ],
      };
    } finally {
      await pool.end();
      await server.stop();
    }
  },
};

function fixedWindow(pool: pg.Pool, keyPrefix: string, duration: number): Promise<RateLimiterPostgres> {
  return new Promise((resolve, reject) => {
    const limiter = new RateLimiterPostgres(
      { storeClient: pool, points: HARDLY_A_LIMIT, duration, keyPrefix, clearExpiredByTimeout: false },
      (error) => (error === undefined ? resolve(limiter) : reject(error)),
    );
  });
}

/** Callers that each ask for the next decision as soon as they have the last, for subjects in turn. */
function callersSide(name: string, decide: (subject: string) => Promise<unknown>): Side {
  let asked = 0;
  return {
    name,
    measure: async (seconds) => {
      const times: number[] = [];
      const start = performance.now();
      const end = start + seconds * 1_000;
      const caller = async () => {
        for (let before = performance.now(); before < end; ) {
          asked += 1;
          await decide(`key:1001:${asked % SUBJECTS}`);
          const after = performance.now();
          times.push((after - before) * 1_000);
          before = after;
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      const perSecond = (times.length * 1_000) / (performance.now() - start);
      return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99), server: null };
    },
  };
}
