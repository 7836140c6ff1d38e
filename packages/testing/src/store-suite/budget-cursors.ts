import assert from "node:assert/strict";
import {
  type BudgetQuery,
  decodeSortKey,
  insertBudgetCommit,
  type ListPosition,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, aBudgetQuery } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { at, fill, idsOf, inOrder, SAMPLES, sortings } from "./budget-samples.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";

export function budgetCursorCases({ describe, it }: Suite): void {
  describe("pages of budgets by cursor", () => {
    for (const [sort, order] of sortings()) {
      it(`visit each budget once, large ones too, by ${sort}, ${order}`, async (store) => {
        await fill(store);
        for (const limit of [1, 3, 8]) {
          const query = aBudgetQuery({ sort, order, limit, includeDeleted: true });
          assert.deepEqual(await walk(store, query), inOrder(sort, order), `${limit} at a time`);
        }
      });

      it(`keep to the filter, by ${sort}, ${order}`, async (store) => {
        await fill(store);
        const expected = inOrder(sort, order).filter((id) => ["8", "13", "20", "21"].includes(id));
        assert.deepEqual(await walk(store, aBudgetQuery({ sort, order, limit: 1, status: "APPROVED" })), expected);
      });
    }

    it("end with no cursor, also when the last page is full", async (store) => {
      await fill(store);
      const full = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 14 }));
      const short = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 13 }));
      assert.equal(full.nextCursor, null);
      assert.notEqual(short.nextCursor, null);
    });

    it("count the whole list, not what is left of it", async (store) => {
      await fill(store);
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      const second = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      assert.equal(second.total, 14);
    });

    it("may begin behind a page that was asked for by number", async (store) => {
      await fill(store);
      const query = aBudgetQuery({ limit: 5, position: { kind: "offset", offset: 5 } });
      const second = await store.listBudgets(BUSINESS, query);
      const third = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5, position: behind(second.nextCursor) }));
      const listed = inOrder("createdAt", "desc").filter((id) => id !== "18" && id !== "19");
      assert.deepEqual(idsOf(third.entries), listed.slice(10));
    });

    it("neither repeat nor skip a budget when others are added in front", async (store) => {
      await fill(store);
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      await allAtOnce(3, (index) =>
        outcomeOf(store, insertBudgetCommit(aBudget({ id: String(2_000 + index), createdAt: at(50 + index) }))),
      );
      const rest = await walk(store, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      const listed = inOrder("createdAt", "desc").filter((id) => id !== "18" && id !== "19");
      assert.deepEqual([...idsOf(first.entries), ...rest], listed);
    });

    it("go on behind a budget that has been deleted meanwhile", async (store) => {
      await fill(store);
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      const last = first.entries.at(-1);
      assert.ok(last !== undefined);
      const deletion = { deletedAt: at(99), from: last.status };
      await store.commit(replaceBudgetCommit({ ...last, version: 2, status: "DELETED", deletion }, 1));
      const rest = await walk(store, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      const listed = inOrder("createdAt", "desc").filter((id) => id !== "18" && id !== "19");
      assert.deepEqual(rest, listed.slice(5));
    });

    it("never lead into another business", async (store) => {
      await fill(store);
      await store.commit(insertBudgetCommit(aBudget({ businessId: "2", id: "3000", createdAt: at(-1) })));
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      const rest = await walk(store, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      assert.ok(!rest.includes("3000"));
    });
  });
}

/** Follows the cursors from the page that `query` asks for to the end. */
async function walk(store: Store, query: BudgetQuery): Promise<string[]> {
  const seen: string[] = [];
  let position = query.position;
  for (let pages = 0; pages <= SAMPLES.length; pages += 1) {
    const page = await store.listBudgets(BUSINESS, { ...query, position });
    assert.ok(page.entries.length <= query.limit);
    seen.push(...idsOf(page.entries));
    if (page.nextCursor === null) return seen;
    position = behind(page.nextCursor);
  }
  throw new Error("the cursors do not come to an end");
}

/** The position after the page that this cursor ended. */
export function behind(cursor: string | null): ListPosition {
  const key = decodeSortKey(cursor ?? "");
  assert.ok(key !== null, `not a cursor: ${cursor}`);
  return { kind: "after", key };
}
