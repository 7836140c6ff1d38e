import { FIXTURE_TIME as NOW } from "@budgetkit/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";
import { type PostgresServer, startPostgres } from "../testing/postgres-server.js";

/** 48,000 admissions, each in a transaction of its turn; a thousand of each subject are counted. */
const SUBJECTS = 12;
const TURNS = 4_000;
const TURNS_BETWEEN_VACUUMS = 400;
const KILOBYTE = 1_024;

describe("what the limiter keeps", () => {
  let server: PostgresServer;
  let pool: pg.Pool;

  // A server of its own: a vacuum keeps what any transaction on a shared one may still see.
  beforeAll(async () => {
    server = await startPostgres({ settings: { autovacuum: "off" } });
    pool = new pg.Pool({ connectionString: server.url });
    pool.on("error", () => {}); // idle connections that the server's end cuts
  });

  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  /** As the server would at its own time. */
  async function vacuum(): Promise<void> {
    await pool.query("VACUUM budgetkit.rate_subjects, budgetkit.rate_chunks");
  }

  /** One admission of each subject in each of these milliseconds. */
  async function admitInTransactions(from: number, to: number): Promise<void> {
    await pool.query(`
      DO $$
      DECLARE
        subjects text[] := array(SELECT 'key:1:' || n FROM generate_series(1, ${SUBJECTS}) AS n);
        lengths text[] := array_fill('{1000}'::text, ARRAY[${SUBJECTS}]);
      BEGIN
        FOR turn IN ${from} .. ${to - 1} LOOP
          PERFORM budgetkit.consume_runs(
            subjects, lengths, array_fill(format('{{1,%s,2000}}', ${NOW} + turn), ARRAY[${SUBJECTS}]), false);
          COMMIT;
        END LOOP;
      END $$
    `);
  }

  async function sizes(): Promise<{ subjects: number; chunks: number }> {
    await vacuum();
    const { rows } = await pool.query(
      `SELECT pg_total_relation_size('budgetkit.rate_subjects')::integer AS subjects,
              pg_total_relation_size('budgetkit.rate_chunks')::integer AS chunks`,
    );
    return rows[0];
  }

  it("the limiter stores what its windows count, however much was admitted", async () => {
    const store = postgresStore(pool, { clock: "caller" });
    await store.migrate();
    for (let turn = 0; turn < TURNS; turn += TURNS_BETWEEN_VACUUMS) {
      await admitInTransactions(turn, turn + TURNS_BETWEEN_VACUUMS);
      await vacuum();
    }
    expect(await store.countConsumed("key:1:7", 1_000, NOW + TURNS - 1)).toBe(1_000);
    const busy = await sizes();
    expect(busy.subjects).toBeLessThan(200 * KILOBYTE);
    expect(busy.chunks).toBeLessThan(350 * KILOBYTE);

    expect(await store.pruneWindows(NOW + TURNS + 1_000, 1_000)).toBe(SUBJECTS);
    const pruned = await sizes();
    expect(pruned.subjects).toBeLessThan(120 * KILOBYTE);
    expect(pruned.chunks).toBeLessThan(120 * KILOBYTE);
  }, 180_000);

  it("the limiter's state survives a clean restart of the server, and is empty after a crash", async () => {
    const store = postgresStore(pool, { clock: "caller" });
    await store.migrate();
    const windows = [{ lengthMs: 1_000, limit: 1 }];
    const isAdmitted = async () => (await store.consume("key:2:1", windows, NOW)).refusal === null;
    expect(await isAdmitted()).toBe(true);
    await pool.query("CHECKPOINT"); // what else there is has reached the disk

    server.process.kill("SIGINT");
    await server.restart();
    expect(await isAdmitted()).toBe(false);

    server.process.kill("SIGQUIT");
    await server.restart();
    expect(await isAdmitted()).toBe(true);
    expect(await isAdmitted()).toBe(false);
  });
});
