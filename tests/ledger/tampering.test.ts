import { verifyCheckpoint } from "@budgetkit/client/evidence";
import { createBudgetService, type LedgerFault } from "@budgetkit/core";
import { DAY_MS, entryHash, entryText, type Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { keysIn } from "../../packages/cli/src/ledger/checkpoint-file.js";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { memoryDatabase } from "../../packages/store-sqlite/src/testing/memory-database.js";

const postgres = testSchema();

/** A store, and a way to run statements on its tables by hand; `@` is the prefix of their names. */
interface Opened {
  readonly store: Store;
  run(sql: string): Promise<unknown>;
}

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  SQLite: async () => {
    const database = memoryDatabase();
    return { store: sqliteStore(database), run: async (sql) => database.exec(sql.replaceAll("@", "budgetkit_")) };
  },
  PostgreSQL: async () => ({ store: await postgres.freshStore(), run: (sql) => postgres.query(sql) }),
};

/** What is done to the seven entries by hand, and the fault that is named. */
const ACTS: readonly (readonly [act: string, sql: string, kind: LedgerFault["kind"], sequence: number])[] = [
  ["changed", "UPDATE @events SET document = replace(document, 'Ana', 'Eva') WHERE sequence = 3", "changed", 3],
  ["moved to another revision", "UPDATE @events SET revision = 9 WHERE sequence = 3", "changed", 3],
  ["removed", "DELETE FROM @events WHERE sequence = 4", "removed", 4],
  ["removed from the front", "DELETE FROM @events WHERE sequence <= 2", "removed", 1],
  ["removed from the end", "DELETE FROM @events WHERE sequence = 7", "removed", 7],
  [
    "added",
    `INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document, revision, hash)
     SELECT business_id, 8, id, type, occurred_at, subject_id, document, revision, hash FROM @events WHERE sequence = 7`,
    "added",
    8,
  ],
  ["hidden from its subject", "UPDATE @events SET subject_id = 'x' WHERE sequence = 3", "changed", 3],
  ["given another type", "UPDATE @events SET type = 'customer.deleted' WHERE sequence = 3", "changed", 3],
  ["moved in time", "UPDATE @events SET occurred_at = occurred_at - 1 WHERE sequence = 3", "changed", 3],
  ["left out of the count", "UPDATE @event_counters SET last_hash = NULL", "changed", 7],
  ["left without its hash", "UPDATE @events SET hash = NULL WHERE sequence = 5", "added", 5],
  [
    "left without its hash, as all",
    "UPDATE @events SET hash = NULL; UPDATE @event_counters SET last_hash = NULL",
    "added",
    1,
  ],
  [
    "removed before all hashes were",
    `DELETE FROM @events WHERE sequence = 4; UPDATE @events SET hash = NULL;
     UPDATE @event_counters SET last_hash = NULL`,
    "added",
    1,
  ],
  [
    "said to be before the chain by an unsigned record",
    `DELETE FROM @events WHERE sequence = 4; UPDATE @events SET hash = NULL;
     UPDATE @event_counters SET last_hash = NULL;
     INSERT INTO @ledger_beginnings (business_id, sequence, missing) SELECT business_id, 8, '[[4,4]]' FROM @event_counters`,
    "changed",
    8,
  ],
];

async function worldOn({ store, run }: Opened) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const secret = "a secret for tests that is long enough";
  const service = createBudgetService({ store, clock, secret, random: seededRandom(3) });
  await store.migrate();
  const { id } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: id } as const;
  for (const name of ["Ana 1", "Ana 2", "Ana 3", "Ana 4", "Ana 5", "Ana 6"]) {
    (await service.customers.create(actor, { name }))._unsafeUnwrap();
  }
  return { store, run, clock, service, actor, id };
}

describe.each(Object.entries(STORES))("The ledger on %s", (_name, open) => {
  it.each(ACTS)("finds the ledger entry that was %s", async (_act, sql, kind, sequence) => {
    const { service, id, run } = await worldOn(await open());
    expect(await service.ledger.check(id)).toMatchObject({ entries: 7, head: { sequence: 7 }, fault: null });
    await run(sql);
    const check = await service.ledger.check(id);
    expect(check.fault).toMatchObject({ kind, sequence });
    expect(check.entries + check.unproven).toBeGreaterThanOrEqual(6);
  });

  it("finds by a checkpoint what was rewritten with its hashes", async () => {
    const { service, store, actor, id, run } = await worldOn(await open());
    const file = (await service.ledger.checkpoint(actor))._unsafeUnwrap();
    const verified = await verifyCheckpoint(file, await keysIn(store));
    if (!verified.ok) throw new Error(verified.reason);
    expect(verified.signed).toMatchObject({ businessId: id, sequence: 7 });
    const [before, last] = await store.readLedger(id, { after: 5, limit: 2 });
    if (before === undefined || last === undefined) throw new Error("there are seven entries");
    const { sequence, revision, ...written } = last.entry;
    const text = entryText({ ...written, actor: "user:1" });
    const hash = entryHash(text, { previous: before.hash, revision, sequence });
    await run(`UPDATE @events SET document = '${text}', hash = '${hash}' WHERE sequence = 7`);
    await run(`UPDATE @event_counters SET last_hash = '${hash}'`);
    expect((await service.ledger.check(id)).fault).toBe(null);
    expect((await service.ledger.check(id, verified.signed)).fault).toMatchObject({ kind: "changed", sequence: 7 });
    await run("DELETE FROM @events WHERE sequence = 7");
    await run(`UPDATE @event_counters SET last_sequence = 6, last_hash = '${before.hash}'`);
    expect((await service.ledger.check(id)).fault).toBe(null);
    expect((await service.ledger.check(id, verified.signed)).fault).toMatchObject({ kind: "removed", sequence: 7 });
  });

  it("prunes a ledger by age from its front, with a signed checkpoint left behind, unless it is faulty", async () => {
    const { service, store, clock, actor, id, run } = await worldOn(await open());
    clock.advance(40 * DAY_MS);
    (await service.customers.create(actor, { name: "Bea" }))._unsafeUnwrap();
    await service.tick();
    const check = await service.ledger.check(id);
    expect(check).toMatchObject({ entries: 1, start: { sequence: 7 }, head: { sequence: 8 }, fault: null });
    expect(await verifyCheckpoint(check.start?.checkpoint ?? "", await keysIn(store))).toMatchObject({
      ok: true,
      signed: { businessId: id, sequence: 7, hash: check.start?.hash },
    });
    await run("UPDATE @events SET document = replace(document, 'Bea', 'Eva') WHERE sequence = 8");
    clock.advance(40 * DAY_MS);
    await service.tick();
    expect((await service.ledger.check(id)).fault).toMatchObject({ kind: "changed", sequence: 8 });
  });
});
