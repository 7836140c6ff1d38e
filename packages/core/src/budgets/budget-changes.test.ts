import { describe, expect, it } from "vitest";
import { budgetWorld } from "../testing/budget-world.js";

const ITEMS = [
  { description: "Chair", quantity: 2, unitPrice: 50 },
  { description: "Table", quantity: 1, unitPrice: 300 },
];

async function worldWith(input: { draft?: boolean; notes?: string } = {}) {
  const world = budgetWorld();
  const create = { customerId: "c", items: ITEMS, taxRate: 0, ...input };
  const { id, items } = (await world.budgets.create(world.actor, create))._unsafeUnwrap();
  const dataOf = async (index: number) => (await world.events()).at(index)?.data;
  return { ...world, id, itemIds: items.map((item) => item.id), dataOf };
}

const field = (field: string, before: unknown, after: unknown) => ({ kind: "field", field, before, after });

describe("the changes in a budget's event", () => {
  it("a budget's event lists the changed fields before and after, and items by id, in the major unit", async () => {
    const { budgets, actor, id, itemIds, dataOf } = await worldWith({ notes: "First" });
    const [chair = "", table = ""] = itemIds;
    const items = [
      { id: table, quantity: 2 },
      { description: "Lamp", quantity: 1, unitPrice: 12.5 },
    ];
    const changed = (await budgets.update(actor, id, { items, notes: null, metadata: { a: 1 } }))._unsafeUnwrap();
    expect(await dataOf(-1)).toMatchObject({
      version: 2,
      total: 612.5,
      fields: ["items", "notes", "metadata"],
      changes: [
        field("revision", 1, 2),
        field("total", 400, 612.5),
        field("subtotal", 400, 612.5),
        field("notes", "First", null),
        field("metadata", {}, { a: 1 }),
        { kind: "item-removed", id: chair },
        {
          kind: "item-changed",
          id: table,
          fields: [
            { field: "quantity", before: 1, after: 2 },
            { field: "total", before: 300, after: 600 },
          ],
        },
        { kind: "item-added", id: changed.items[1]?.id, position: 1, item: { description: "Lamp", unitPrice: 12.5 } },
      ],
    });
  });

  it("each event of one write lists the changes of the whole write", async () => {
    const { budgets, actor, id, dataOf } = await worldWith();
    (await budgets.update(actor, id, { notes: "Last", status: "APPROVED" }))._unsafeUnwrap();
    const changes = [
      field("revision", 1, 2),
      field("status", "PENDING", "APPROVED"),
      field("notes", null, "Last"),
      field("approvedAt", null, "2026-03-02T12:00:00.000Z"),
      field("approvedBy", null, "key:12"),
    ];
    expect(await dataOf(-2)).toMatchObject({ status: "PENDING", version: 2, fields: ["notes"], changes });
    expect(await dataOf(-1)).toMatchObject({ status: "APPROVED", version: 2, fields: ["status"], changes });
  });

  it("the events of an expiry and of a deletion list their changes too", async () => {
    const { budgets, actor, id, dataOf, clock } = await worldWith();
    (await budgets.update(actor, id, { validUntil: "2026-03-02T13:00:00.000Z" }))._unsafeUnwrap();
    clock.advance(3_600_000);
    await budgets.delete(actor, id);
    expect(await dataOf(-2)).toMatchObject({ version: 3, changes: [field("status", "PENDING", "EXPIRED")] });
    expect(await dataOf(-1)).toMatchObject({
      version: 4,
      changes: [field("status", "EXPIRED", "DELETED"), field("deletedAt", null, "2026-03-02T13:00:00.000Z")],
    });
  });

  it("an event leaves out changes beyond 16 KiB and is marked as truncated", async () => {
    const { budgets, actor, id, dataOf } = await worldWith();
    for (const letter of ["x", "y"]) {
      (await budgets.update(actor, id, { metadata: { text: letter.repeat(9 * 1024) } }))._unsafeUnwrap();
    }
    expect(await dataOf(-1)).toEqual({
      ...(await dataOf(0)),
      version: 3,
      fields: ["metadata"],
      truncated: true,
    });
  });
});
