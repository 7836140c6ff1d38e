import { describe, expect, it } from "vitest";
import { changesOf } from "./changes-of.js";

describe("changesOf", () => {
  it("reads the changes of an event", () => {
    expect(
      changesOf([
        { kind: "field", field: "status", before: "PENDING", after: "APPROVED" },
        { kind: "item-added", id: "i3", position: 2, item: { description: "Oak worktop" } },
        { kind: "item-changed", id: "i1", fields: [{ field: "quantity", before: 1, after: 2 }] },
      ]),
    ).toEqual([
      { field: "status", before: "PENDING", after: "APPROVED" },
      { field: "+ i3", before: null, after: "Oak worktop" },
      { field: "i1 quantity", before: "1", after: "2" },
    ]);
  });

  it("reads the changes of an audit entry", () => {
    expect(changesOf({ role: { from: null, to: "OWNER" }, scopes: { from: ["A"], to: ["A", "B"] } })).toEqual([
      { field: "role", before: null, after: "OWNER" },
      { field: "scopes", before: '["A"]', after: '["A","B"]' },
    ]);
  });

  it("stays short, and takes nothing for changes that are none", () => {
    expect(changesOf(undefined)).toEqual([]);
    expect(changesOf("x")).toEqual([]);
    expect(changesOf(Array.from({ length: 900 }, () => ({ kind: "field", field: "notes" })))).toHaveLength(50);
    expect(changesOf({ notes: { from: null, to: "x".repeat(9_000) } })[0]?.after).toHaveLength(161);
  });
});
