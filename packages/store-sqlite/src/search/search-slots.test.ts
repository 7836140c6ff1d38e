import { StoreUnavailable } from "@budgetkit/core/store";
import { aBudgetQuery, aCatalogQuery } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Lists, oneSearchPerBusiness } from "./search-slots.js";

const EMPTY = { entries: [], total: 0, nextCursor: null };

/** Lists whose answers the test gives. */
function held() {
  const answers: (() => void)[] = [];
  const list = () => new Promise<typeof EMPTY>((resolve) => answers.push(() => resolve(EMPTY)));
  const lists: Lists = { listBudgets: list, listRecords: list };
  return { answers, lists: oneSearchPerBusiness(lists) };
}

describe("the searches of a business that wait", () => {
  it("refuses a business's search when a hundred of its searches wait, and no other business (StoreUnavailable)", async () => {
    const { answers, lists } = held();
    const search = (businessId: string) => lists.listBudgets(businessId, aBudgetQuery({ search: "oak" }));
    const all = Array.from({ length: 101 }, () => search("1"));
    await expect(lists.listRecords("customer", "1", aCatalogQuery({ search: "oak" }))).rejects.toThrow(
      StoreUnavailable,
    );
    void lists.listBudgets("1", aBudgetQuery());
    void search("2");
    expect(answers.length, "the first search, a list without one, another business").toBe(3);
    for (let index = 0; index < 103; index += 1) {
      answers[index]?.();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(all)).toHaveLength(101);
  });

  it("a search waits ten seconds at most (StoreUnavailable)", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { answers, lists } = held();
    const search = () => lists.listBudgets("1", aBudgetQuery({ search: "oak" }));
    const first = search();
    const waiting = search();
    vi.advanceTimersByTime(10_000);
    await expect(waiting).rejects.toThrow(StoreUnavailable);
    answers[0]?.();
    expect(await first).toEqual(EMPTY);
  });
});
