import { insertBudgetCommit } from "@budgetkit/core/store";
import { aBudget } from "@budgetkit/testing";
import { afterAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";
import { loneLookUps, sharedLookUps } from "./dataloader.js";
import type { SqlValue } from "./session.js";

const ROWS = { key: { business: "bigint", id: "text" }, row: "SELECT …" };

/** Finds a row for every id but `none`, those of a statement in reverse, and keeps what it was asked. */
function finder() {
  const asked: (readonly SqlValue[])[] = [];
  const find = async (...columns: SqlValue[]) => {
    asked.push(columns);
    const ids = Array.isArray(columns[1]) ? columns[1] : [];
    return ids.flatMap((id, index) => (id === "none" ? [] : [[index + 1, `row of ${id}`, index]])).reverse();
  };
  return { asked, find };
}

describe("look-ups that wait at the same time", () => {
  it("share one statement, and each gets its own rows in the order of its keys", async () => {
    const { asked, find } = finder();
    const lookUp = sharedLookUps(ROWS, find);
    const [one, two, three] = await Promise.all([
      lookUp([[1, "a"]]),
      lookUp([
        [2, "none"],
        [2, "b"],
      ]),
      lookUp([[3, "a"]]),
    ]);
    expect(asked).toEqual([
      [
        [1, 2, 2, 3],
        ["a", "none", "b", "a"],
      ],
    ]);
    expect(one).toEqual([["row of a", 0]]);
    expect(two).toEqual([null, ["row of b", 2]]);
    expect(three).toEqual([["row of a", 3]]);
  });

  it("ask nothing for no keys", async () => {
    const { asked, find } = finder();
    expect(await sharedLookUps(ROWS, find)([])).toEqual([]);
    expect(await loneLookUps(ROWS, find)([])).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("fail together, and leave those behind them alone", async () => {
    const { find } = finder();
    let isBroken = true;
    const lookUp = sharedLookUps(ROWS, async (...columns) => {
      if (isBroken) throw new Error("cut");
      return find(...columns);
    });
    const outcomes = await Promise.allSettled([lookUp([[1, "a"]]), lookUp([[1, "b"]])]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isBroken = false;
    expect(await lookUp([[1, "c"]])).toEqual([["row of c", 0]]);
  });

  it("each have a statement of their own where a transaction may end between them", async () => {
    const { asked, find } = finder();
    const lookUp = loneLookUps(ROWS, find);
    await Promise.all([lookUp([[1, "a"]]), lookUp([[1, "b"]])]);
    expect(asked).toHaveLength(2);
  });
});

describe("look-ups of budgets", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  afterAll(() => explained.close());

  it("go along the primary key, however many are asked for, by plans that were made while there was none", async () => {
    await schema.freshStore();
    explained = explainedStore(schema);
    const { store } = explained;
    await explained.plansOf(() => store.findBudget("1", "1"));
    await store.commit(insertBudgetCommit(aBudget({ businessId: "1", id: "1" })));
    await schema.query(
      `INSERT INTO @budgets (business_id, id, version, revision, status, customer_id, currency, total, total_minor,
         created_at, search_text, document)
       SELECT 1, n, 1, 1, 'PENDING', 'ana', 'USD', 1, 100, n, '', document
       FROM @budgets, generate_series(2, 10000) AS n`,
    );
    const ids = Array.from({ length: 100 }, (_, index) => String(1 + index * 50));
    const plans = await explained.plansOfOne(() => Promise.all(ids.map((id) => store.findBudget("1", id))));
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain("Index Scan using budgets_pkey on budgets");
    expect(plans[0]).not.toContain("Seq Scan");
  });
});
