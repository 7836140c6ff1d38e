import type { BusinessEvent } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { activityOf, partsOf } from "./activity-sentence.js";

function event(fields: Partial<BusinessEvent>, change: Partial<BusinessEvent["change"]> = {}): BusinessEvent {
  return {
    id: "1",
    sequence: 1,
    revision: 1,
    event: "budget.updated",
    timestamp: "2026-11-26T15:00:00.000Z",
    actor: "user:7",
    subjectId: "44",
    data: { number: "P-1", total: 100, currency: "ARS", customer: { name: "Ana" } },
    ...fields,
    change: { fields: [], from: null, to: null, reason: null, ...change },
  };
}

describe("activityOf", () => {
  it("an activity names the budget, its customer and its total", () => {
    expect(activityOf(event({ event: "budget.viewed" }))).toMatchObject({
      kind: "viewed",
      budgetId: "44",
      number: "P-1",
      customerName: "Ana",
      amount: 100,
      currency: "ARS",
    });
  });

  it("an activity says by whom it was accepted: the customer, or a payment", () => {
    expect(activityOf(event({ event: "budget.approved", actor: "customer:Ana" }))?.kind).toBe("accepted");
    expect(activityOf(event({ event: "budget.approved", actor: "system" }))?.kind).toBe("approved");
  });

  it.each([
    ["DRAFT", "PENDING", "sent"],
    ["PENDING", "DRAFT", "withdrawn"],
    ["APPROVED", "COMPLETED", "completed"],
    ["COMPLETED", "ARCHIVED", "archived"],
    ["APPROVED", "PENDING", "reopened"],
    ["DELETED", "DRAFT", "restored"],
    ["DRAFT", "DRAFT", "changed"],
  ])("activityOf reads a move from %s to %s", (from, to, kind) => {
    expect(activityOf(event({}, { from, to }))?.kind).toBe(kind);
  });

  it("activityOf reads a payment of a part, and the last one", () => {
    const paid = (after: number) =>
      event(
        { data: { total: 100, changes: [{ field: "paid", before: 20, after }] } },
        { from: "APPROVED", to: "APPROVED", fields: ["paid"] },
      );
    expect(activityOf(paid(30))).toMatchObject({ kind: "paid", amount: 10 });
    expect(activityOf(paid(100))).toMatchObject({ kind: "paidInFull", amount: 80 });
  });

  it("an activity quotes a message, at most 120 letters of it", () => {
    const data = { message: { from: "customer", text: "x".repeat(4_000) } };
    const activity = activityOf(event({ event: "budget.message_sent", data }));
    expect(activity).toMatchObject({ kind: "wrote", quote: `${"x".repeat(120)}…` });
  });

  it("activityOf leaves out what is about no budget", () => {
    expect(activityOf(event({ event: "customer.created" }))).toBeNull();
  });
});

describe("partsOf", () => {
  it("finds the places of a sentence in any order", () => {
    expect(partsOf("{budget} expired")).toEqual(["{budget}", " expired"]);
    expect(partsOf("{who} accepted {budget}")).toEqual(["{who}", " accepted ", "{budget}"]);
  });
});
