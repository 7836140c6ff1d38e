import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Comparable, differenceOf, type RevisionChange } from "./revision-difference.js";

type Item = Comparable["items"][number];

/** Carries the changes out, one after the other. */
function apply(from: Comparable, changes: readonly RevisionChange[]): Comparable {
  const fields: Record<string, unknown> = {};
  let items = from.items;
  for (const change of changes) {
    if (change.kind === "field") fields[change.field] = change.after;
    else items = applyToItems(items, change);
  }
  return { ...from, ...fields, items };
}

function applyToItems(items: Item[], change: Exclude<RevisionChange, { kind: "field" }>): Item[] {
  switch (change.kind) {
    case "item-removed":
      return items.filter(({ id }) => id !== change.id);
    case "item-changed": {
      const after = Object.fromEntries(change.fields.map((each) => [each.field, each.after ?? undefined]));
      return items.map((item) => (item.id === change.id ? { ...item, ...after } : item));
    }
    case "items-reordered":
      return change.after.flatMap((id) => items.filter((item) => item.id === id));
    case "item-added":
      return [...items.slice(0, change.position), { id: change.id, ...change.item }, ...items.slice(change.position)];
  }
}

function anItem(id: string, overrides: Partial<Extract<Item, { quantity: number }>>): Item {
  return { id, description: "Chair", quantity: 1, unitPrice: 5, total: 5, discount: 0, tax: 0, ...overrides };
}

function aRevision(revision: number, overrides: Partial<Comparable> = {}): Comparable {
  return {
    revision,
    items: [anItem("1", {}), anItem("2", {}), anItem("3", {})],
    taxRate: 0,
    validUntil: null,
    notes: null,
    subtotal: 15,
    discount: 0,
    tax: 0,
    total: 15,
    ...overrides,
  };
}

const few = fc.integer({ min: 0, max: 2 });
const item = fc.record(
  {
    id: fc.integer({ min: 1, max: 8 }).map(String),
    productId: fc.constantFrom("p-1", "p-2"),
    variantId: fc.constantFrom("v-1", "v-2"),
    packageId: fc.constantFrom("k-1", "k-2"),
    description: fc.constantFrom("Chair", "Table"),
    quantity: few,
    unitPrice: few,
    unit: fc.constantFrom("m", "kg"),
    discountRate: fc.constantFrom(0.1, 1),
    discountAmount: few,
    total: few,
    discount: few,
    tax: few,
  },
  { requiredKeys: ["id", "description", "quantity", "unitPrice", "total", "discount", "tax"] },
);
const lines = fc.oneof(
  { arbitrary: item, weight: 3 },
  fc.record({
    id: fc.integer({ min: 9, max: 11 }).map(String), // a line keeps its kind
    kind: fc.constantFrom("heading" as const),
    description: fc.constantFrom("Wood", "Glass"),
  }),
  fc.record({ id: fc.constant("12"), kind: fc.constant("subtotal" as const), total: few }),
);
const revision = fc.record({
  revision: fc.integer({ min: 1, max: 9 }),
  items: fc.uniqueArray(lines, { selector: ({ id }) => id, maxLength: 8 }),
  taxRate: fc.option(few),
  validUntil: fc.option(fc.constantFrom("2026-03-02T12:00:00.000Z", "2026-06-01T00:00:00.000Z")),
  notes: fc.option(fc.constantFrom("", "Hello")),
  subtotal: few,
  discount: few,
  tax: few,
  total: few,
});

describe("the difference between two revisions", () => {
  it("applying the difference of two revisions to one gives the other, in both directions", () => {
    fc.assert(
      fc.property(revision, revision, (from, to) => {
        const there = differenceOf(from, to);
        expect(there).toMatchObject({ from: from.revision, to: to.revision });
        expect(apply(from, there.changes)).toEqual({ ...to, revision: from.revision });
        expect(apply(to, differenceOf(to, from).changes)).toEqual({ ...from, revision: to.revision });
      }),
      { numRuns: rounds({ small: 300, full: 2_000 }) },
    );
  });

  it("lists no difference between equal revisions", () => {
    fc.assert(fc.property(revision, (one) => differenceOf(one, structuredClone(one)).changes.length === 0));
  });

  it("reports a different order, and only of the items that both revisions have", () => {
    const swapped = aRevision(2, { items: [anItem("3", {}), anItem("4", {}), anItem("1", {})] });
    expect(differenceOf(aRevision(1), swapped).changes).toMatchObject([
      { kind: "item-removed", id: "2" },
      { kind: "items-reordered", before: ["1", "3"], after: ["3", "1"] },
      { kind: "item-added", id: "4", position: 1 },
    ]);
  });

  it("reports no different order when items are only added or removed", () => {
    const grown = aRevision(2, { items: [anItem("4", {}), anItem("1", {}), anItem("3", {})] });
    expect(differenceOf(aRevision(1), grown).changes.map(({ kind }) => kind)).toEqual(["item-removed", "item-added"]);
  });

  it("reports null for a field that one revision lacks", () => {
    const named = aRevision(2, { items: [anItem("1", { productId: "p-1" }), anItem("2", {}), anItem("3", {})] });
    expect(differenceOf(aRevision(1), named).changes).toEqual([
      { kind: "item-changed", id: "1", fields: [{ field: "productId", before: null, after: "p-1" }] },
    ]);
  });

  it("leaves the catalog's present product data out of the difference", () => {
    const product = { id: "p-1", name: "Chair", sku: null };
    const one = aRevision(1, { items: [anItem("1", { productId: "p-1", product })] });
    const other = aRevision(2, { items: [] });
    expect(differenceOf(one, other).changes).toEqual([
      {
        kind: "item-removed",
        id: "1",
        item: {
          productId: "p-1",
          description: "Chair",
          quantity: 1,
          unitPrice: 5,
          total: 5,
          discount: 0,
          tax: 0,
        },
      },
    ]);
  });
});
