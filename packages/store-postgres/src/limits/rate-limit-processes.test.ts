import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURE_TIME as NOW, rounds } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { bundlePackage } from "../../../../tests/programs/child-process.js";
import { testSchema } from "../testing/test-schema.js";

const PROCESSES = 4;
const ROUNDS = rounds({ small: 20, full: 100 });
const CALLS = 60;
const LIMIT = 20;

describe("processes that share a database", () => {
  const schema = testSchema();

  it("admit exactly the limit of what all ask for at once, round by round", async () => {
    await schema.freshStore();
    await schema.query("CREATE TABLE @arrivals (round integer NOT NULL)");
    const folder = mkdtempSync(join(tmpdir(), "budgetkit-processes-"));
    const startChild = await bundlePackage("store-postgres", folder);
    // Each process has several stores, so that its calls do not all share one statement.
    const script = `
      const url = ${JSON.stringify(schema.url)};
      const schema = ${JSON.stringify(schema.schema)};
      const pool = new pg.Pool({ connectionString: url });
      const stores = [1, 2, 3].map(() => postgresStore(pool, { schema }));
      const windows = [{ lengthMs: 3_600_000, limit: ${LIMIT} }, { lengthMs: 60_000, limit: ${LIMIT + 10} }];
      const arrived = async (round) =>
        Number((await pool.query(\`SELECT count(*) FROM \${schema}.arrivals WHERE round = $1\`, [round])).rows[0].count);
      const counts = [];
      for (let round = 0; round < ${ROUNDS}; round += 1) {
        await pool.query(\`INSERT INTO \${schema}.arrivals VALUES ($1)\`, [round]);
        while ((await arrived(round)) < ${PROCESSES});
        const admissions = await Promise.all(Array.from({ length: ${CALLS} }, (_, n) =>
          stores[n % 3].consume("key:1:" + round, windows, ${NOW} + n)));
        counts.push(admissions.filter(({ refusal }) => refusal === null).length);
      }
      await pool.end();
      console.log(JSON.stringify(counts));
    `;
    const children = Array.from({ length: PROCESSES }, () => startChild(script));
    const outputs = await Promise.all(children.map(({ output }) => output));
    rmSync(folder, { recursive: true });
    const counts = outputs.map((output): number[] => JSON.parse(output));
    const sums = Array.from({ length: ROUNDS }, (_, round) =>
      counts.reduce((sum, ofProcess) => sum + (ofProcess[round] ?? 0), 0),
    );
    expect(sums).toEqual(Array.from({ length: ROUNDS }, () => LIMIT));
    const sharing = counts.filter((ofProcess) => ofProcess.some((count) => count > 0));
    expect(sharing.length).toBeGreaterThan(1);
  });
});
