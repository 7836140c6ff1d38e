import {
  insertBudgetCommit,
  insertBusinessCommit,
  insertKeyCommit,
  recordCommit,
  recordPaymentCommit,
  replaceBudgetCommit,
  replaceKeyCommit,
  type Store,
  setTierCommit,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { aBudget, aBusiness, aCustomer, anApiKey, anItem, aProduct, FIXTURE_TIME } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sqliteStore } from "./index.js";
import { type TemporaryFolder, temporaryFolder } from "./testing/temporary-folder.js";

const HASH = anApiKey().keyHash;

const BUDGET = aBudget({ customerId: aCustomer().id, items: [anItem({ productId: aProduct().id, variantId: null })] });
const PAYMENT = {
  ...{ businessId: "1", budgetId: BUDGET.id, id: "900", reference: "transfer", amount: 1, currency: "USD" },
  ...{ paidAt: FIXTURE_TIME, createdAt: FIXTURE_TIME, createdBy: "system" },
};

/** As a later read finds a budget: a store caches it from the second one on. */
async function readCached(from: Store, id = BUDGET.id) {
  for (let times = 0; times < 2; times += 1) await from.findNamedBudget("1", id);
  const found = await from.findNamedBudget("1", id);
  if (found === null) throw new Error("the budget was not found");
  return found;
}

describe("what a store caches of keys, names and budgets", () => {
  let folder: TemporaryFolder;
  let database: BetterSqlite3.Database;
  let store: Store;
  let other: Store; // as another process has it open

  beforeEach(async () => {
    folder = temporaryFolder();
    database = new BetterSqlite3(folder.file("budgets.db"));
    store = sqliteStore(database, { limiter: "memory" });
    await store.migrate();
    other = sqliteStore(folder.file("budgets.db"), { limiter: "memory" });
    await store.commit(insertBusinessCommit(aBusiness({ id: "1" })));
    await store.commit(insertKeyCommit(anApiKey()));
    await store.commit(recordCommit("customer", aCustomer(), "absent"));
    await store.commit(recordCommit("product", aProduct(), "absent"));
    await store.commit(insertBudgetCommit(BUDGET));
  });

  afterEach(async () => {
    await Promise.all([store.close(), other.close()]);
    database.close();
    folder.remove();
  });

  const statusOf = async (from: Store) => (await from.findKeyByHash(HASH))?.status;
  const tierOf = async (from: Store) => (await from.findKeyByHash(HASH))?.tier;
  const nameOf = async (from: Store) => (await from.findCustomers("1", [aCustomer().id]))[0]?.name;
  const productOf = async (from: Store) =>
    (await from.findProductSummaries("1", [{ productId: aProduct().id, variantId: null }]))[0]?.name;

  // Each write is asserted on its own: the next one could forget what this one has changed.
  it.each(["this", "the other"])("cached keys and names change with a write of %s process", async (who) => {
    const [by, both] = [who === "this" ? store : other, [store, other]];
    const seen = (read: (from: Store) => Promise<unknown>) => Promise.all(both.map(read));
    expect(await seen(statusOf)).toEqual(["ACTIVE", "ACTIVE"]);
    await by.commit(setTierCommit("1", "ENTERPRISE"));
    expect(await seen(tierOf)).toEqual(["ENTERPRISE", "ENTERPRISE"]);
    await by.commit(replaceKeyCommit(anApiKey({ version: 2, status: "REVOKED" }), 1));
    expect(await seen(statusOf)).toEqual(["REVOKED", "REVOKED"]);
    expect(await seen(nameOf)).toEqual([aCustomer().name, aCustomer().name]);
    await by.commit(recordCommit("customer", aCustomer({ version: 2, name: "Renamed" }), 1));
    expect(await seen(nameOf)).toEqual(["Renamed", "Renamed"]);
    expect(await seen(productOf)).toEqual([aProduct().name, aProduct().name]);
    await by.commit(recordCommit("product", aProduct({ version: 2, name: "Renamed" }), 1));
    expect(await seen(productOf)).toEqual(["Renamed", "Renamed"]);
  });

  it.each(["this", "the other"])("cached budgets are as a write of %s process has left them", async (who) => {
    const by = who === "this" ? store : other;
    const notes = async () => {
      const read = [store, other].map((from) => readCached(from));
      return new Set((await Promise.all(read)).map((named) => named.budget.notes));
    };
    const version = (number: number) => ({ ...BUDGET, version: number, notes: `version ${number}` });
    expect(await notes()).toEqual(new Set([BUDGET.notes]));
    await by.commit(replaceBudgetCommit(version(2), 1));
    expect(await notes()).toEqual(new Set(["version 2"]));
    await by.commit(recordPaymentCommit(PAYMENT, version(3), 2));
    expect(await notes()).toEqual(new Set(["version 3"]));
    await by.commit(replaceBudgetCommit(version(9), 2)); // stale
    expect(await notes()).toEqual(new Set(["version 3"]));
  });

  it("returns a budget from its second read on as the same object, until it or a name in it changes", async () => {
    const read = () => store.findNamedBudget("1", BUDGET.id);
    expect(Object.isFrozen(await read())).toBe(false);
    const first = await read();
    expect(await read()).toBe(first);
    for (const part of [first, first?.budget, first?.budget.metadata, first?.budget.items[0], first?.customer]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    await store.commit(recordCommit("customer", aCustomer({ version: 2, name: "Renamed" }), 1));
    await read();
    const renamed = await read();
    expect([renamed?.customer?.name, renamed?.products.map(({ name }) => name)]).toEqual([
      "Renamed",
      [aProduct().name],
    ]);
    expect(await read()).toBe(renamed);
    await store.commit(recordCommit("product", aProduct({ version: 2, name: "Renamed" }), 1));
    expect((await read())?.products.map(({ name }) => name)).toEqual(["Renamed"]);
    await store.commit(replaceBudgetCommit({ ...BUDGET, version: 2, notes: "changed" }, 1));
    expect((await read())?.budget.notes).toBe("changed");
  });

  it("a cached budget has a name that the catalog got after its first read", async () => {
    await store.commit(insertBudgetCommit({ ...BUDGET, id: "11", customerId: "later" }));
    expect((await readCached(store, "11")).customer).toBeNull();
    await store.commit(recordCommit("customer", aCustomer({ id: "later", cuit: null }), "absent"));
    expect((await readCached(store, "11")).customer?.name).toBe(aCustomer().name);
  });

  it.each([
    ["a large budget", { notes: "x".repeat(10_000) }],
    ["nested metadata", { metadata: { order: { id: 7 } } }],
  ])("reads %s each time", async (_, content) => {
    await store.commit(insertBudgetCommit({ ...BUDGET, id: "11", ...content }));
    const first = await readCached(store, "11");
    const second = await readCached(store, "11");
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(Object.isFrozen(second)).toBe(false);
  });

  it("cached budgets are those that were committed, also after a failed write that shared a commit", async () => {
    await readCached(store);
    const failing = { ...BUDGET, version: 2, notes: "undone", publicTokenHash: 1n } as never;
    const kept = { ...BUDGET, id: "11" };
    const outcomes = await Promise.allSettled([
      store.commit(replaceBudgetCommit(failing, 1)),
      store.commit(insertBudgetCommit(kept)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect((await readCached(store)).budget.notes).toBe(BUDGET.notes);
  });

  it("cached values change with a write of another store on the same connection", async () => {
    const second = sqliteStore(database, { limiter: "memory" });
    const seen = async (from: Store) => [await statusOf(from), await nameOf(from), await productOf(from)];
    expect(await seen(store)).toEqual(["ACTIVE", aCustomer().name, aProduct().name]);
    expect((await readCached(store)).budget.version).toBe(1);
    await second.commit(replaceBudgetCommit({ ...BUDGET, version: 2 }, 1));
    expect((await readCached(store)).budget.version).toBe(2);
    await second.commit(replaceKeyCommit(anApiKey({ version: 2, status: "REVOKED" }), 1));
    expect(await statusOf(store)).toBe("REVOKED");
    await second.commit(recordCommit("customer", aCustomer({ version: 2, name: "Renamed" }), 1));
    await second.commit(recordCommit("product", aProduct({ version: 2, name: "Renamed" }), 1));
    expect(await seen(store)).toEqual(["REVOKED", "Renamed", "Renamed"]);
    await second.close();
  });

  it("cached values change with a host's transaction on the connection of another store", async () => {
    expect((await readCached(store)).budget.version).toBe(1);
    database.exec("BEGIN IMMEDIATE");
    const inTransaction = other.withConnection(database);
    await inTransaction.commit(replaceBudgetCommit({ ...BUDGET, version: 2 }, 1));
    database.exec("COMMIT");
    expect((await readCached(store)).budget.version).toBe(2);
    database.exec("BEGIN IMMEDIATE");
    await inTransaction.commit(recordCommit("customer", aCustomer({ version: 2, name: "Renamed" }), 1));
    database.exec("COMMIT");
    expect((await readCached(store)).customer?.name).toBe("Renamed");
  });

  it("a cached budget has no names older than itself, even if both change during the read", async () => {
    const prepare = database.prepare.bind(database);
    let meanwhile = () => {};
    vi.spyOn(database, "prepare").mockImplementation((sql: string) => {
      const statement = prepare(sql);
      if (!sql.startsWith("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id")) return statement;
      const get = statement.get.bind(statement);
      statement.get = (...values) => {
        meanwhile();
        return get(...values);
      };
      return statement;
    });
    const third = sqliteStore(database, { limiter: "memory" });
    await third.findCustomers("1", [aCustomer().id]);
    const raw = new BetterSqlite3(folder.file("budgets.db"));
    meanwhile = () => {
      meanwhile = () => {};
      raw.prepare("UPDATE budgetkit_customers SET name = 'Renamed'").run();
      raw.prepare("UPDATE budgetkit_budgets SET document = json_set(document, '$.notes', 'later')").run();
    };
    const found = await third.findNamedBudget("1", BUDGET.id);
    expect([found?.budget.notes, found?.customer?.name]).toEqual([BUDGET.notes, aCustomer().name]);
    const again = await third.findNamedBudget("1", BUDGET.id);
    expect([again?.budget.notes, again?.customer?.name]).toEqual(["later", "Renamed"]);
    raw.close();
    await third.close();
  });

  it("a cached key has the minute of its last use, so that a use is recorded once a minute", async () => {
    await statusOf(store);
    await store.commit(touchKeyCommit("1", anApiKey().id, FIXTURE_TIME));
    expect((await store.findKeyByHash(HASH))?.lastUsedAt).toBe(FIXTURE_TIME);
  });

  it("cached values follow a host's transaction, whichever way it ends", async () => {
    const host = new BetterSqlite3(folder.file("budgets.db"));
    for (const [end, name] of [
      ["ROLLBACK", aCustomer().name],
      ["COMMIT", "Renamed"],
    ] as const) {
      host.exec("BEGIN IMMEDIATE");
      const inTransaction = store.withConnection(host);
      await inTransaction.commit(recordCommit("customer", aCustomer({ version: 2, name: "Renamed" }), 1));
      const [renamed] = await inTransaction.findCustomers("1", [aCustomer().id]);
      expect([renamed?.name, await nameOf(store)]).toEqual(["Renamed", aCustomer().name]);
      host.exec(end);
      expect(await nameOf(store)).toBe(name);
    }
    host.close();
  });

  it("ignores cached values while the caller's connection is in a transaction", async () => {
    const seen = async () => [await nameOf(store), (await readCached(store)).budget.notes];
    expect(await seen()).toEqual([aCustomer().name, BUDGET.notes]);
    for (const text of ["Uncommitted", "Uncommitted again"]) {
      database.exec("BEGIN");
      database.prepare("UPDATE budgetkit_customers SET name = ?").run(text);
      database.prepare("UPDATE budgetkit_budgets SET document = json_set(document, '$.notes', ?)").run(text);
      expect(await seen()).toEqual([text, text]);
      database.exec("ROLLBACK");
    }
    expect(await seen()).toEqual([aCustomer().name, BUDGET.notes]);
  });
});
