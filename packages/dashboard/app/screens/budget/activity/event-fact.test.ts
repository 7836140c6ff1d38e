import { describe, expect, it } from "vitest";
import { eventFact } from "./event-fact.js";

const change = { fields: ["status"], from: null, to: null, reason: null };
const updated = { event: "budget.updated", actor: "user:7", data: {}, change } as const;

describe("eventFact", () => {
  it.each([
    ["DRAFT", "PENDING", "sent"],
    ["PENDING", "DRAFT", "withdrawn"],
    ["REJECTED", "PENDING", "offeredAgain"],
    ["EXPIRED", "PENDING", "offeredAgain"],
    ["APPROVED", "PENDING", "reopened"],
    ["APPROVED", "COMPLETED", "completed"],
    ["COMPLETED", "ARCHIVED", "archived"],
    ["DELETED", "APPROVED", "restored"],
  ])("reads the move from %s to %s as %s", (from, to, kind) => {
    expect(eventFact({ ...updated, change: { ...change, from, to } }).kind).toBe(kind);
  });

  it("a change names its fields with what the total grew by, and leaves out what follows from them", () => {
    const fields = ["items", "tax", "total", "validUntil"];
    const data = { changes: [{ kind: "field", field: "total", before: 100.1, after: 120.3 }] };
    expect(eventFact({ ...updated, data, change: { ...change, fields } })).toEqual({
      kind: "changed",
      fields: ["items", "validUntil"],
      totalDelta: 20.2,
    });
  });

  it("an acceptance names the customer where a payment of the business confirmed it", () => {
    const data = { changes: [{ kind: "field", field: "approvedBy", before: null, after: "customer:Ana" }] };
    expect(eventFact({ ...updated, event: "budget.approved", data })).toEqual({ kind: "approved", by: "customer:Ana" });
    expect(eventFact({ ...updated, event: "budget.approved" })).toEqual({ kind: "approved", by: "user:7" });
  });

  it("bears changes that it cannot read", () => {
    const data = { changes: [null, "x", { field: "total", before: "1", after: {} }] };
    expect(eventFact({ ...updated, data, change: { ...change, fields: ["notes"] } })).toEqual({
      kind: "changed",
      fields: ["notes"],
      totalDelta: null,
    });
  });
});
