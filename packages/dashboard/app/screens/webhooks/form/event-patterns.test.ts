import { describe, expect, it } from "vitest";
import { covers, EVENT_GROUPS, withEvent, withGroup } from "./event-patterns.js";

const budgets = EVENT_GROUPS[0];
if (budgets === undefined) throw new Error("no group");

describe("the choice of events", () => {
  it("withGroup names a whole group by its pattern", () => {
    expect(withGroup(["budget.created", "customer.created"], budgets, true)).toEqual(["customer.created", "budget.*"]);
    expect(withGroup(["budget.*"], budgets, false)).toEqual([]);
  });

  it("turns a group into its other events when one is left out", () => {
    const left = withEvent(["budget.*"], budgets, "budget.viewed", false);
    expect(left).toHaveLength(budgets.events.length - 1);
    expect(covers(left, "budget.viewed")).toBe(false);
    expect(covers(left, "budget.approved")).toBe(true);
  });

  it("covers what patterns of either form name", () => {
    expect(covers(null, "product.deleted")).toBe(true);
    expect(covers(["*.deleted"], "product.deleted")).toBe(true);
    expect(covers(["product.*"], "budget.deleted")).toBe(false);
  });
});
