import { join } from "node:path";
import type { Random } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { insertBudgetCommit } from "@budgetkit/core/store";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { aBudget, drawInteger, outcomeOf, rounds, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { bundlePackage, type StartChild } from "../programs/child-process.js";
import { temporaryFolder } from "../programs/running-program.js";

const STARTERS = rounds({ small: 4, full: 16 });
const ROUNDS = rounds({ small: 1, full: 30 });
const LONGEST_MOMENT_MS = 200;
const timeout = 3_600_000;
const SEED = 20_261_124;

/** Migrates when it is asked to, and ends. */
const migrating = (open: string) => `
  const store = ${open};
  process.once("message", async () => {
    process.send("migrating");
    await store.migrate();
    await store.close();
    process.disconnect();
  });
`;

describe(`${STARTERS} processes that migrate an empty database at once, most of which are killed meanwhile`, () => {
  it(`killed migrations leave SQLite as if one process had migrated it (seed ${SEED})`, { timeout }, async () => {
    const start = await bundlePackage("store-sqlite", temporaryFolder());
    const random = seededRandom(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = join(temporaryFolder(), "b.db");
      await killMost(start, migrating(`sqliteStore(${JSON.stringify(path)})`), random);
      await expectWhole(sqliteStore(path));
    }
  });

  it(`killed migrations leave PostgreSQL as if one had migrated it (seed ${SEED})`, { timeout }, async () => {
    const start = await bundlePackage("store-postgres", temporaryFolder());
    const random = seededRandom(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { url, query } = await freshDatabase();
      await killMost(start, migrating(`postgresStore(${JSON.stringify(url)})`), random);
      await expectWhole(postgresStore(url));
      const applied = await query("SELECT version FROM @migrations ORDER BY version");
      expect(applied.map(({ version }) => version)).toEqual(applied.map((_, index) => index + 1));
    }
  });
});

/** At least one is left alone, and succeeds although others die beside it. */
async function killMost(start: StartChild, script: string, random: Random): Promise<void> {
  const starters = Array.from({ length: STARTERS }, () => start(script));
  await Promise.all(starters.map((starter) => starter.ask("go")));
  await Promise.all(
    starters.map(async (starter, index) => {
      if (index > 0 && drawInteger(random, 4) > 0) {
        await new Promise((resolve) => setTimeout(resolve, drawInteger(random, LONGEST_MOMENT_MS)));
        await starter.kill();
      } else expect(await starter.output).toBe("");
    }),
  );
}

/** The store serves and finds nothing left to migrate. */
async function expectWhole(store: Store): Promise<void> {
  expect(await store.findOutage()).toBeNull();
  await store.migrate();
  expect(await outcomeOf(store, insertBudgetCommit(aBudget()))).toBe("written");
  await store.close();
}
