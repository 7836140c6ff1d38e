import { join } from "node:path";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { drawInteger, rounds, SCALE, seededRandom } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { migratedDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { quickServer } from "../programs/build-programs.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";
import { newRoster } from "../programs/worker-roster.js";
import { findViolations } from "./store-invariants.js";
import { type CrashBusiness, prepareBusiness } from "./workload/business.js";
import { CrashClient } from "./workload/client.js";
import { countdown } from "./workload/countdown.js";
import { startWriters } from "./workload/insistent-writers.js";

const PROCESSES = rounds({ small: 3, full: 8 });
const WRITERS = 16;
const KILLS = rounds({ small: 1, full: 40 });
const WRITES_BETWEEN = rounds({ small: 30, full: 200 });
const timeout = 3_600_000;
const SEED = 20_261_123;
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe(`${PROCESSES} processes that number budgets of one business, some of which are killed`, () => {
  it.skipIf(SCALE === "small")(
    `killed processes give each budget number once and leave no gap, on SQLite (seed ${SEED})`,
    { timeout },
    async () => {
      const path = join(temporaryFolder(), "b.db");
      const business = await prepareBusiness(sqliteStore(path), secret);
      const creations = await writeThroughKills(`file:${path}`, business);
      const store = sqliteStore(path);
      expect(await findViolations(store, { businessId: business.businessId, creations })).toEqual([]);
      await store.close();
    },
  );

  it(`killed processes give each number once, without gaps, on PostgreSQL (seed ${SEED})`, { timeout }, async () => {
    const { url } = await migratedDatabase();
    const prepared = postgresStore(url);
    const business = await prepareBusiness(prepared, secret);
    const creations = await writeThroughKills(url, business);
    const store = postgresStore(url);
    expect(await findViolations(store, { businessId: business.businessId, creations })).toEqual([]);
    await store.close();
  });
});

/** @returns what the clients know */
async function writeThroughKills(database: string, business: CrashBusiness) {
  const random = seededRandom(SEED);
  const roster = newRoster();
  const program = startProgram(main, {
    ...roster.environment,
    PORT: "0",
    DATABASE_URL: database,
    BUDGETKIT_SECRET: secret,
    WEB_CONCURRENCY: String(PROCESSES),
  });
  const client = new CrashClient(await program.url, business.key, business.loginToken);
  let onAcknowledged = (): void => {};
  const writers = startWriters(
    WRITERS,
    async () => client,
    () => onAcknowledged(),
  );
  const killed = new Set<number>();
  function killOne(): void {
    const living = roster.workers().filter((pid) => !killed.has(pid));
    const pid = living[drawInteger(random, living.length)];
    if (pid === undefined) throw new Error("no process is left");
    killed.add(pid);
    process.kill(pid, "SIGKILL");
  }

  for (let kill = 0; kill <= KILLS; kill += 1) {
    const enough = countdown(WRITES_BETWEEN);
    onAcknowledged = enough.count;
    await Promise.race([enough.reached, writers.ended]);
    if (kill < KILLS) killOne();
  }
  writers.stop();
  await writers.ended;
  program.signal("SIGTERM");
  expect(await program.end).toBe(0);
  return writers.creations;
}
