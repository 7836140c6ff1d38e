import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBudgetService } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { drawInteger, rounds, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { builtExample } from "../programs/build-programs.js";
import { type RunningProgram, startProgram, temporaryFolder } from "../programs/running-program.js";

const KILLS = rounds({ small: 2, full: 200 });
const BUDGETKIT_SECRET = "a secret of at least thirty-two characters";

/** The driver of the example. */
interface Driver {
  new (
    file: string,
    options: { readonly readonly: true },
  ): { prepare(sql: string): { all(): unknown[]; get(): unknown }; close(): void };
}
const Database: Driver = createRequire(new URL("../../examples/event-consumer/package.json", import.meta.url))(
  "better-sqlite3",
);

/** The example itself uses better-sqlite3. */
const isOnNodeSqlite = process.env.TEST_SQLITE_DRIVER === "node:sqlite";

describe.skipIf(isOnNodeSqlite)("the example event-consumer", () => {
  it(`the consumer has each effect once after ${KILLS} kills`, { timeout: 180_000 + KILLS * 20_000 }, async () => {
    const main = await builtExample("event-consumer");
    const folder = temporaryFolder();
    const random = seededRandom(2_026);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const program = startProgram(main, { BUDGETKIT_SECRET, SALES: "1000000" }, folder);
      const batches = 1 + drawInteger(random, 10);
      await untilPrinted(program, (text) => text.split("applied").length > batches);
      await pause(drawInteger(random, 8)); // anywhere between two commits, or within one
      program.signal("SIGKILL");
      expect(await program.end).toBe("SIGKILL");
    }
    const events = await readLog(join(folder, "budgets.db"));
    const last = startProgram(main, { BUDGETKIT_SECRET, SALES: "0" }, folder);
    const sales = await untilCaughtUp(join(folder, "sales.db"), events.at(-1)?.sequence ?? 0);
    await untilPrinted(last, (text) => text.includes("continues")); // it may have had nothing to catch up with
    last.signal("SIGTERM");
    expect(await last.end).toBe(0);
    expect(events.length).toBeGreaterThan(KILLS);
    const audited = ["business.created"]; // no consumer gets an audit entry
    expect(sales.effects).toEqual(events.filter(({ event }) => !audited.includes(event)));
    const offers = events.filter(({ event }) => event === "budget.created").length;
    expect(sales.offers).toEqual({ count: offers, total: offers * 900 });
  });
});

async function untilPrinted(program: RunningProgram, isEnough: (text: string) => boolean): Promise<void> {
  let hasEnded = false;
  void program.end.then(() => {
    hasEnded = true;
  });
  while (!isEnough(program.printed())) {
    if (hasEnded) throw new Error(`the example ended:\n${program.printed()}`);
    await pause(2);
  }
}

interface Effect {
  readonly sequence: number;
  readonly event: string;
}

/** Every event of the log, by the list that has nothing to do with cursors. */
async function readLog(file: string): Promise<Effect[]> {
  const store = sqliteStore(file);
  const service = createBudgetService({ store, secret: BUDGETKIT_SECRET });
  const [business] = (await service.businesses.list())._unsafeUnwrap();
  if (business === undefined) throw new Error("the example has no business");
  const actor = { kind: "system", businessId: business.id } as const;
  const found: Effect[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = (await service.events.list(actor, { page, limit: 100 }))._unsafeUnwrap();
    found.push(...data.map(({ sequence, event }) => ({ sequence, event })));
    if (!pagination.hasMore) break;
  }
  await store.close();
  return found.reverse();
}

async function untilCaughtUp(file: string, sequence: number) {
  const database = new Database(file, { readonly: true });
  const cursor = database.prepare("SELECT value FROM cursor");
  while (Object(cursor.get()).value < sequence) await pause(10);
  const effects = database.prepare("SELECT sequence, event FROM effects ORDER BY number").all();
  const offers = database.prepare("SELECT sum(count) AS count, sum(total) AS total FROM offers").get();
  database.close();
  return { effects, offers };
}
