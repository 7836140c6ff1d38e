import type { RevisionChange } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { readableDifference } from "./readable-difference.js";

const line = { quantity: 3, unitPrice: 112_500, total: 337_500, discount: 0, tax: 0 };
const glass = { ...line, id: "2", description: "Toughened glass" };

describe("readableDifference", () => {
  it("a difference shows a changed line by its names, quantity and price, with what it adds", () => {
    const fields = [
      { field: "description", before: "Glass", after: "Toughened glass" },
      { field: "unitPrice", before: 84_000, after: 112_500 },
      { field: "total", before: 252_000, after: 337_500 },
      { field: "tax", before: 1, after: 2 },
    ] as const;
    const { rows } = readableDifference([{ kind: "item-changed", id: "2", fields: [...fields] }], [glass]);
    expect(rows).toEqual([
      {
        kind: "changed",
        id: "2",
        name: "Toughened glass",
        formerName: "Glass",
        price: { quantity: { before: 3, after: 3 }, unitPrice: { before: 84_000, after: 112_500 } },
        changes: [],
        delta: 85_500,
      },
    ]);
  });

  it("leaves out a line of which only what follows is another", () => {
    const fields = [{ field: "tax" as const, before: 1, after: 2 }];
    expect(readableDifference([{ kind: "item-changed", id: "2", fields }], [glass]).rows).toEqual([]);
  });

  it("a difference shows added and removed lines with their sign", () => {
    const item = { ...line, description: "Lock" };
    const { rows } = readableDifference(
      [
        { kind: "item-removed", id: "1", item },
        { kind: "item-added", id: "3", position: 2, item },
      ],
      [],
    );
    expect(rows.map((row) => "delta" in row && row.delta)).toEqual([-337_500, 337_500]);
  });

  it("sums up taxes by name in place of their sum, and puts the total last", () => {
    const changes: RevisionChange[] = [
      { kind: "field", field: "total", before: 121, after: 242 },
      { kind: "field", field: "tax", before: 21, after: 42 },
      { kind: "field", field: "taxes", before: [{ name: "IVA", amount: 21 }], after: [{ name: "IVA", amount: 42 }] },
      { kind: "field", field: "subtotal", before: 100, after: 200 },
      { kind: "field", field: "notes", before: null, after: "Delivered" },
    ];
    const { rows, sums } = readableDifference(changes, []);
    expect(sums).toEqual([
      { field: "taxes", name: "IVA", delta: 21 },
      { field: "total", name: null, delta: 121 },
    ]);
    expect(rows).toMatchObject([{ kind: "field", change: { field: "notes" } }]);
  });
});
