import { verifyCheckpoint } from "@budgetkit/client/evidence";
import { type BudgetService, createBudgetService } from "@budgetkit/core";
import { DAY_MS, type Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { manualClock } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { keysIn } from "../../packages/cli/src/ledger/checkpoint-file.js";
import { LEDGER_BEGINNINGS as POSTGRES_STEP } from "../../packages/store-postgres/src/migrations/0021-ledger-beginnings.js";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { LEDGER_BEGINNINGS as SQLITE_STEP } from "../../packages/store-sqlite/src/migrations/0022-ledger-beginnings.js";
import { memoryDatabase } from "../../packages/store-sqlite/src/testing/memory-database.js";

const postgres = testSchema();
const SECRET = "a secret for tests that is long enough";
const NEW_SECRET = "another secret for tests that is long enough";

/** A store, and a way to run statements on its tables by hand; `@` is the prefix of their names. */
interface Opened {
  readonly store: Store;
  readonly step: string; // of the schema, which records where chains begin
  run(sql: string): Promise<unknown>;
}

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  SQLite: async () => {
    const database = memoryDatabase();
    const run = async (sql: string) => database.exec(sql.replaceAll("@", "budgetkit_"));
    return { store: sqliteStore(database), step: SQLITE_STEP.sql, run };
  },
  PostgreSQL: async () => ({
    store: await postgres.freshStore(),
    step: POSTGRES_STEP,
    run: (sql) => postgres.query(sql),
  }),
};

async function addCustomers(service: BudgetService, businessId: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    (await service.customers.create({ kind: "system", businessId }, { name }))._unsafeUnwrap();
  }
}

/**
 * A store before the step, with two businesses: seven entries from before the chain, of which former retention has removed
 * 1, 2 and 5, and the one entry of a chain.
 */
async function former({ store: current, step, run }: Opened) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push(String(error));
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (_line: object, text: string) => void warnings.push(text), error() {} };
  const start = (store: Store, ...secret: string[]) =>
    createBudgetService({ store, clock, secret: secret.length === 0 ? SECRET : secret, onError, logger });
  const service = start(current);
  const id = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap().id;
  await addCustomers(service, id, "Ana 1", "Ana 2", "Ana 3", "Ana 4", "Ana 5", "Ana 6");
  await run(`DELETE FROM @events WHERE sequence IN (1, 2, 5);
    UPDATE @events SET hash = NULL;
    UPDATE @event_counters SET last_hash = NULL`);
  const chained = (await service.businesses.create({ name: "Sur" }))._unsafeUnwrap().id;
  await run("DROP TABLE @ledger_beginnings");
  const upgrade = async () => void (await run(step));
  const store: Store = { ...current, pendingMigrations: async () => 1, migrate: upgrade };
  return { store, current, run, clock, start, errors, warnings, id, chained };
}

/** The same after the upgrade, signed by the operator, with an entry of the chain. */
async function upgraded(opened: Opened) {
  const world = await former(opened);
  const service = world.start(world.store);
  await service.ledger.signBeginnings();
  await addCustomers(service, world.id, "Bea");
  return { ...world, service, check: () => service.ledger.check(world.id) };
}

const STATEMENT = "UPDATE @ledger_beginnings SET statement";

/** What is done by hand after the upgrade, and the fault that is named. */
const ACTS: readonly (readonly [act: string, sql: string, fault: object])[] = [
  ["an older entry is removed", "DELETE FROM @events WHERE sequence = 6", { kind: "removed", sequence: 6 }],
  ["the last older entry is removed", "DELETE FROM @events WHERE sequence = 7", { kind: "removed", sequence: 7 }],
  [
    "an entry is added where none was",
    `INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document, revision)
     SELECT business_id, 5, id, type, occurred_at, subject_id, document, revision FROM @events WHERE sequence = 4`,
    { kind: "added", sequence: 5 },
  ],
  ["an older entry gets a hash", "UPDATE @events SET hash = 'x' WHERE sequence = 3", { kind: "added", sequence: 3 }],
  ["the first hash is removed", "UPDATE @events SET hash = NULL WHERE sequence = 8", { kind: "added", sequence: 8 }],
  [
    "the chain is said to begin later",
    `UPDATE @events SET hash = NULL; UPDATE @event_counters SET last_hash = NULL;
     UPDATE @ledger_beginnings SET sequence = 9`,
    { kind: "changed", sequence: 9, says: expect.stringContaining("is of another one") },
  ],
  [
    "another entry is said to have been missing",
    "DELETE FROM @events WHERE sequence = 6; UPDATE @ledger_beginnings SET missing = '[[1,2],[5,6]]'",
    { kind: "changed", sequence: 8, says: expect.stringContaining("is of another one") },
  ],
  ["the record is removed", "DELETE FROM @ledger_beginnings", { kind: "removed", sequence: 1 }],
  [
    "its signature is removed",
    `${STATEMENT} = NULL`,
    { kind: "changed", sequence: 8, says: expect.stringContaining("is not signed") },
  ],
  [
    "its signature is changed",
    `${STATEMENT} = replace(statement, 'signature":"', 'signature":"AAAA')`,
    { kind: "changed", sequence: 8, says: expect.stringContaining("signature does not match") },
  ],
  [
    "its signing key is replaced",
    "UPDATE @signing_keys SET sealed_private_key = 'v1.AAAA'",
    { kind: "changed", sequence: 8, says: expect.stringContaining("no secret of the service proves the key") },
  ],
];

describe.each(Object.entries(STORES))("A ledger with entries from before the chain, on %s", (_name, open) => {
  it("proves a ledger from where the upgrade recorded that its chain begins, and counts the others", async () => {
    const { store, service, check, id, chained } = await upgraded(await open());
    expect(await check()).toMatchObject({ entries: 1, unproven: 4, chainedFrom: 8, fault: null });
    const { beginning } = await store.findLedgerBounds(id);
    const missing = [
      [1, 2],
      [5, 5],
    ];
    expect(beginning).toEqual({ sequence: 8, missing, statement: expect.stringContaining("signature") });
    expect((await store.findLedgerBounds(chained)).beginning).toBeNull();
    expect(await service.ledger.check(chained)).toMatchObject({ entries: 1, unproven: 0, chainedFrom: 1, fault: null });
    expect(await service.ledger.signBeginnings()).toEqual([]);
  });

  it.each(ACTS)("finds a ledger with older entries faulty after %s", async (_act, sql, fault) => {
    const { check, run } = await upgraded(await open());
    await run(sql);
    expect((await check()).fault).toMatchObject(fault);
  });

  it("refuses the signed beginning of another business's ledger", async () => {
    const { run, service } = await upgraded(await open());
    await run(`DELETE FROM @events WHERE sequence IN (1, 8);
      UPDATE @event_counters SET last_sequence = 7, last_hash = NULL`);
    for (const table of ["@events", "@event_counters", "@ledger_beginnings"]) {
      await run(`UPDATE ${table} SET business_id = business_id + 70`);
    }
    const says = "the statement that the chain begins with the entry 8 is of another one";
    expect((await service.ledger.check("1071")).fault).toEqual({ kind: "changed", sequence: 8, says });
  });

  it("compares a ledger with a checkpoint by its beginning too", async () => {
    const { service, id } = await upgraded(await open());
    const known = { sequence: 8, hash: (await service.ledger.check(id)).head.hash, chainedFrom: 8 };
    expect((await service.ledger.check(id, known)).fault).toBeNull();
    expect((await service.ledger.check(id, { ...known, chainedFrom: 1 })).fault).toMatchObject({
      kind: "changed",
      sequence: 8,
      says: "the chain begins with the entry 8, and by the checkpoint with the entry 1",
    });
  });

  it("prunes a ledger through its beginning, and proves it whole afterwards", async () => {
    const { store, clock, service, check, id } = await upgraded(await open());
    clock.advance(20 * DAY_MS);
    await addCustomers(service, id, "Eva");
    clock.advance(15 * DAY_MS);
    await service.tick();
    expect(await check()).toMatchObject({
      entries: 1,
      unproven: 0,
      chainedFrom: 9,
      start: { sequence: 8 },
      fault: null,
    });
    expect((await store.findLedgerBounds(id)).start?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("finds a ledger faulty, and prunes nothing, until an operator signs its beginning", async () => {
    const { store, current, clock, start, errors, id } = await former(await open());
    const service = start(store); // makes the upgrade
    const says = expect.stringContaining("is not signed yet: if this database has just been upgraded, run");
    expect((await service.ledger.check(id)).fault).toMatchObject({ kind: "changed", sequence: 8, says });
    clock.advance(40 * DAY_MS);
    await service.tick();
    expect(errors).toEqual([expect.stringContaining("the chain begins with the entry 8 is not signed")]);
    expect(await service.ledger.signBeginnings(id)).toEqual([{ businessId: id, sequence: 8 }]);
    expect(await service.ledger.signBeginnings(id)).toEqual([]);
    expect(await service.ledger.check(id)).toMatchObject({ entries: 0, unproven: 4, fault: null });
    const later = start(current);
    await later.tick();
    await addCustomers(later, id, "Bea");
    expect(await later.ledger.check(id)).toMatchObject({
      entries: 1,
      unproven: 0,
      start: { sequence: 7, hash: null },
      fault: null,
    });
  });

  it("a start that finds steps missing signs no beginning, since anyone who writes to the database can cause that", async () => {
    const { store, start, run, warnings, chained } = await upgraded(await open());
    expect(warnings).toEqual([expect.stringContaining("run budgetkit ledger sign-beginnings")]);
    await run(`UPDATE @events SET hash = NULL; UPDATE @event_counters SET last_hash = NULL;
      DROP TABLE @ledger_beginnings`);
    const restarted = start(store);
    const says = expect.stringContaining("begins with the entry 2 is not signed yet");
    expect((await restarted.ledger.check(chained)).fault).toMatchObject({ kind: "changed", sequence: 2, says });
    expect((await store.findLedgerBounds(chained)).beginning?.statement).toBeNull();
    expect(warnings).toHaveLength(2);
  });

  it("refuses a checkpoint while the beginning is not signed, or signed otherwise (CONFLICT)", async () => {
    const { store, start, run, id } = await former(await open());
    const service = start(store);
    const sign = () => service.ledger.checkpoint({ kind: "system", businessId: id });
    expect((await sign())._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
    await service.ledger.signBeginnings();
    expect((await sign()).isOk()).toBe(true);
    await run(`UPDATE @events SET hash = NULL WHERE sequence = 8;
      UPDATE @event_counters SET last_sequence = 8; UPDATE @ledger_beginnings SET sequence = 9`);
    await expect(sign()).rejects.toThrow("begins with the entry 9 is of another one");
  });

  it("refuses a checkpoint once the ledger's start is not the one that the service signed", async () => {
    const { clock, service, run, id } = await upgraded(await open());
    clock.advance(40 * DAY_MS);
    await service.tick();
    await addCustomers(service, id, "Eva");
    const sign = () => service.ledger.checkpoint({ kind: "system", businessId: id });
    expect((await sign()).isOk()).toBe(true);
    await run("DELETE FROM @events WHERE sequence = 9; UPDATE @ledger_starts SET sequence = 9");
    await expect(sign()).rejects.toThrow("the checkpoint of the removed entries is of another entry");
  });

  it("signs a beginning anew with the current key before an old secret is removed", async () => {
    const { current, start, id } = await upgraded(await open());
    const both = start(current, NEW_SECRET, SECRET);
    expect(await both.ledger.signBeginnings()).toEqual([]); // the key is still the current one
    await both.signingKeys.rotate();
    expect(await both.ledger.signBeginnings()).toEqual([{ businessId: id, sequence: 8 }]);
    expect(await both.ledger.signBeginnings()).toEqual([]);
    expect((await start(current, NEW_SECRET).ledger.check(id)).fault).toBeNull();
  });

  it("signs a beginning without the secret of its key only with `again`, and never a changed one", async () => {
    const { current, start, run, id } = await upgraded(await open());
    const service = start(current, NEW_SECRET);
    expect(await service.ledger.signBeginnings()).toEqual([]);
    expect((await service.ledger.check(id)).fault?.says).toContain("no secret of the service proves the key");
    await run("UPDATE @ledger_beginnings SET sequence = 9");
    expect(await service.ledger.signBeginnings(id, { again: true })).toEqual([]);
    await run("UPDATE @ledger_beginnings SET sequence = 8");
    expect(await service.ledger.signBeginnings(null, { again: true })).toEqual([{ businessId: id, sequence: 8 }]);
    expect((await service.ledger.check(id)).fault).toBeNull();
  });

  it("a checkpoint proves nothing until the chain begins, and is refused when the last hash is lost", async () => {
    const { store, start, run, id } = await former(await open());
    const service = start(store);
    await service.ledger.signBeginnings();
    const sign = () => service.ledger.checkpoint({ kind: "system", businessId: id });
    const verified = await verifyCheckpoint((await sign())._unsafeUnwrap(), await keysIn(store));
    expect(verified).toMatchObject({ ok: true, signed: { sequence: 7, hash: null, chainedFrom: 8 } });
    await addCustomers(service, id, "Bea");
    await run("UPDATE @event_counters SET last_hash = NULL");
    await expect(sign()).rejects.toThrow("has lost its last hash");
  });
});
