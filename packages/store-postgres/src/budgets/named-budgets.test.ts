import {
  insertBudgetCommit,
  type NamedBudget,
  recordCommit,
  recordPaymentCommit,
  replaceBudgetCommit,
  type Store,
  type TransactionStore,
} from "@budgetkit/core/store";
import { aBudget, aCustomer, anItem, aPayment, aProduct } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectionOf } from "../commit/connection.js";
import { nameIn, type Session, sessionOn } from "../engine/session.js";
import { statementsIn } from "../engine/statements.js";
import { testSchema } from "../testing/test-schema.js";
import { postgresNamedBudgets } from "./named-budgets.js";

const BUDGET = aBudget({
  customerId: "500",
  notes: "first",
  items: [
    anItem({ id: "1", productId: "700", variantId: null }),
    anItem({ id: "2", productId: "701", variantId: null }),
  ],
});

/** What the budget shows: its notes, its customer and its products. */
function shownBy(found: NamedBudget | null): readonly unknown[] {
  return [found?.budget.notes, found?.customer?.name, found?.products.map(({ name }) => name)];
}

describe("budgets with their names that a store on PostgreSQL keeps", () => {
  const schema = testSchema();
  let store: Store;
  let other: Store; // as another process has it open

  beforeEach(async () => {
    store = await schema.freshStore();
    other = schema.open();
    await store.commit(recordCommit("customer", aCustomer({ name: "Ana" }), "absent"));
    await store.commit(recordCommit("product", aProduct({ name: "Oak" }), "absent"));
    await store.commit(insertBudgetCommit(BUDGET));
  });

  afterEach(() => Promise.all([store.close(), other.close()]));

  const read = (from: TransactionStore = store) => from.findNamedBudget("1", BUDGET.id);

  it("cached budgets are the same frozen object from the second read on", async () => {
    const first = await read();
    expect(Object.isFrozen(first)).toBe(false);
    const second = await read();
    expect(second).toEqual(first);
    expect(await read()).toBe(second);
    for (const part of [second, second?.budget.items[0], second?.customer, second?.products[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it.each(["this", "another"])("cached budgets show what %s process has changed, at once", async (who) => {
    const by = who === "this" ? store : other;
    const changed = (version: number) => ({ ...BUDGET, version, notes: `version ${version}` });
    const changes: readonly [change: () => Promise<unknown>, shown: readonly unknown[]][] = [
      [() => by.commit(replaceBudgetCommit(changed(2), 1)), ["version 2", "Ana", ["Oak"]]],
      [() => by.commit(recordPaymentCommit(aPayment(), changed(3), 2)), ["version 3", "Ana", ["Oak"]]],
      [
        () => by.commit(recordCommit("customer", aCustomer({ version: 2, name: "Eva" }), 1)),
        ["version 3", "Eva", ["Oak"]],
      ],
      [
        () => by.commit(recordCommit("product", aProduct({ version: 2, name: "Ash" }), 1)),
        ["version 3", "Eva", ["Ash"]],
      ],
      [
        () => by.commit(recordCommit("product", aProduct({ id: "701", name: "Elm" }), "absent")),
        ["version 3", "Eva", ["Ash", "Elm"]],
      ],
      [() => by.commit(replaceBudgetCommit(changed(9), 2)), ["version 3", "Eva", ["Ash", "Elm"]]], // stale
    ];
    for (const [change, shown] of changes) {
      for (let times = 0; times < 3; times += 1) await read();
      await change();
      expect(shownBy(await read())).toEqual(shown);
    }
  });

  it("cached budgets show a customer that was unknown before", async () => {
    await store.commit(insertBudgetCommit({ ...BUDGET, id: "11", customerId: "501" }));
    for (let times = 0; times < 3; times += 1) expect((await store.findNamedBudget("1", "11"))?.customer).toBeNull();
    await other.commit(recordCommit("customer", aCustomer({ id: "501", name: "Leo" }), "absent"));
    expect((await store.findNamedBudget("1", "11"))?.customer?.name).toBe("Leo");
  });

  it("cached budgets do not change with a record of another business", async () => {
    await read();
    const kept = await read();
    await other.commit(recordCommit("customer", aCustomer({ businessId: "2" }), "absent"));
    await other.commit(insertBudgetCommit(aBudget({ businessId: "2", id: "11" })));
    expect(await read()).toBe(kept);
  });

  /** A budget that was read so often shows the same as one that is read for the first time. */
  async function shownOften(from: TransactionStore = store): Promise<readonly unknown[]> {
    for (let times = 0; times < 3; times += 1) await read(from);
    return shownBy(await read(from));
  }

  const notesTo = (notes: string, by: TransactionStore) =>
    by.commit(replaceBudgetCommit({ ...BUDGET, version: 2, notes }, 1));
  const customerTo = (name: string, by: TransactionStore) =>
    by.commit(recordCommit("customer", aCustomer({ version: 2, name }), 1));

  it.each([
    ["the notes", notesTo, (notes: string) => [notes, "Ana", ["Oak"]]],
    ["the customer", customerTo, (name: string) => ["first", name, ["Oak"]]],
  ])("cached budgets show %s as a host's transaction left them, even if undone in part", async (_, change, shown) => {
    const before = await shownOften();
    const host = await schema.host.begin();
    try {
      const within = store.withConnection(host.connection);
      expect(await shownOften(within)).toEqual(before);
      for (const [text, end] of [
        ["undone", "ROLLBACK TO part"],
        ["kept", "RELEASE part"],
      ] as const) {
        await host.connection.query("SAVEPOINT part");
        await change(text, within);
        expect(await shownOften(within)).toEqual(shown(text));
        await host.connection.query(end);
      }
      expect(await shownOften()).toEqual(before);
    } finally {
      await host.commit();
    }
    expect(await shownOften()).toEqual(shown("kept"));
  });

  /** Reads the budget, and calls `before` and `after` once when it reads its customer. */
  function readerWith(hooks: { before?: () => Promise<void>; after?: () => Promise<void> }) {
    const once = async (name: keyof typeof hooks) => {
      const hook = hooks[name];
      delete hooks[name];
      await hook?.();
    };
    const own = sessionOn(schema.pool);
    const session: Session = {
      run: async (statement, values) => {
        const isOfCustomer = statement.text.includes(".customers");
        if (isOfCustomer) await once("before");
        const rows = await own.run(statement, values);
        if (isOfCustomer) await once("after");
        return rows;
      },
    };
    const connection = connectionOf({
      clock: "caller",
      session,
      named: nameIn(schema.schema),
      statements: statementsIn(nameIn(schema.schema)),
      runPiece: () => Promise.reject(new Error("no commit is expected")),
      inTransaction: () => Promise.reject(new Error("no transaction is expected")),
      callOnce: () => Promise.reject(new Error("no call is expected")),
      assertOpen: () => {},
      repeatsReads: true,
    });
    const find = postgresNamedBudgets(connection);
    return async () => shownBy(await find("1", BUDGET.id));
  }

  it("reads cached budgets again when a name has changed during the read", async () => {
    const hooks: Parameters<typeof readerWith>[0] = {};
    const find = readerWith(hooks);
    await find();
    hooks.after = () => customerTo("Eva", other).then(() => {});
    expect(await find()).toEqual(["first", "Ana", ["Oak"]]);
    expect(await find()).toEqual(["first", "Eva", ["Oak"]]);
  });

  it.each(["while they are read", "afterwards"])(
    "reads cached budgets again when a shown name is undone %s, as by a crash",
    async (when) => {
      const hooks: Parameters<typeof readerWith>[0] = {};
      const find = readerWith(hooks);
      const query = (sql: string) => schema.pool.query(nameIn(schema.schema)(sql));
      await find();
      const { rows } = await query("SELECT mark FROM @catalog_marks WHERE business_id = 1");
      const undo = async () => {
        await query("UPDATE @customers SET name = 'Ana'");
        await query(`UPDATE @catalog_marks SET mark = '${rows[0].mark}' WHERE business_id = 1`);
      };
      hooks.before = () => customerTo("Eva", other).then(() => {});
      if (when === "while they are read") hooks.after = undo;
      expect(await find()).toEqual(["first", "Eva", ["Oak"]]);
      if (when === "afterwards") await undo();
      for (let times = 0; times < 3; times += 1) expect(await find()).toEqual(["first", "Ana", ["Oak"]]);
    },
  );

  /** What a statement by hand that changes a name replaces too. */
  const MARK = "UPDATE @catalog_marks SET mark = gen_random_uuid()";

  it.each([
    ["a budget", "UPDATE @budgets SET document = replace(document, 'first', 'later')", ["later", "Ana", ["Oak"]]],
    ["a customer", `UPDATE @customers SET name = 'Eva'; ${MARK}`, ["first", "Eva", ["Oak"]]],
    ["a product", `UPDATE @product_summaries SET name = 'Ash'; ${MARK}`, ["first", "Ana", ["Ash"]]],
    ["products that are gone", `DELETE FROM @product_summaries; ${MARK}`, ["first", "Ana", []]],
  ])("cached budgets show %s as statements beside the store have left it", async (_, statement, shown) => {
    await shownOften();
    await schema.pool.query(nameIn(schema.schema)(statement));
    expect(await shownOften()).toEqual(shown);
  });

  it("cached budgets show no name of a host's transaction that was undone during the read", async () => {
    const host = await schema.host.begin();
    try {
      const within = store.withConnection(host.connection);
      await read(within);
      await host.connection.query("SAVEPOINT part");
      await Promise.all([read(within), customerTo("Eva", within)]);
      await host.connection.query("ROLLBACK TO part");
      expect(await shownOften(within)).toEqual(["first", "Ana", ["Oak"]]);
    } finally {
      await host.commit();
    }
  });
});
