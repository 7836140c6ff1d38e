import { FIXTURE_TIME as NOW } from "@budgetkit/testing";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameIn } from "../engine/session.js";
import { testSchema } from "../testing/test-schema.js";

const HOUR_MS = 3_600_000;
const MANY = 20_000;

describe("how PostgreSQL looks up rate-limit windows", () => {
  const schema = testSchema();
  let client: pg.PoolClient;
  let notices: string[] = [];

  const run = (sql: string) => client.query(nameIn(schema.schema)(sql));

  /** The plans of all statements that the functions run. */
  async function plansOf(sql: string): Promise<string> {
    notices = [];
    await run(sql);
    return notices.join("\n");
  }

  function admitting(subject: string, now: number, limit: number): string {
    return `SELECT @consume_runs('{${subject}}', '{"{${HOUR_MS}}"}', '{"{{1,${now},${limit}}}"}', false)`;
  }

  beforeAll(async () => {
    await schema.freshStore();
    client = await schema.pool.connect();
    // Plans that are kept from the time when the tables were small have to do for large ones.
    for (let n = 0; n < 300; n += 1) {
      if (n === 280) await run("ANALYZE @rate_subjects, @rate_chunks");
      await run(admitting(`early:${n % 2}`, NOW + n * 60_000, 1_000));
      await run(`SELECT @count_admitted('early:0', ${HOUR_MS}, ${NOW + n * 60_000})`);
      await run(`SELECT @prune_rates(${NOW}, 10)`);
    }
    await run(`
      INSERT INTO @rate_subjects SELECT 'key:' || n, ${NOW + HOUR_MS} + n, ${HOUR_MS}, ${NOW}, 128 + 1, '{1}', '{${NOW}}', '{${NOW}}'
      FROM generate_series(1, ${MANY}) AS n
    `);
    await run(`
      INSERT INTO @rate_chunks SELECT 'key:' || n, 1, array_fill(${NOW}::bigint, ARRAY[128]) FROM generate_series(1, ${MANY}) AS n
    `);
    client.on("notice", ({ message }) => notices.push(message ?? ""));
    await run("LOAD 'auto_explain'");
    await run("SET auto_explain.log_min_duration = 0");
    await run("SET auto_explain.log_nested_statements = on");
    await run("SET client_min_messages = log");
  });

  afterAll(() => client.release(true));

  for (const isAnalyzed of [false, true]) {
    describe(isAnalyzed ? "once they are counted" : "before they are counted", () => {
      beforeAll(async () => {
        if (isAnalyzed) await run("ANALYZE @rate_subjects, @rate_chunks");
      });

      const statements: Readonly<Record<string, () => string>> = {
        "to admit": () => admitting("key:77", NOW, 1_000),
        "to refuse by a limit that was lowered": () => admitting("key:78", NOW, 100),
        "to admit when the oldest have left": () => admitting("key:79", NOW + HOUR_MS, 1_000),
        "to restart": () => admitting("key:80", NOW - HOUR_MS - 1, 1_000),
        "to count": () => `SELECT @count_admitted('key:81', ${HOUR_MS}, ${NOW})`,
        "to prune": () => `SELECT @prune_rates(${NOW + HOUR_MS + 50}, 50)`,
      };
      for (const [name, statement] of Object.entries(statements)) {
        it(`PostgreSQL reads no rate-limit table from end to end ${name}`, async () => {
          const plans = await plansOf(statement());
          expect(plans).toMatch(/Index.* Scan using rate_/);
          expect(plans).not.toMatch(/Seq Scan/);
        });
      }
    });
  }
});
