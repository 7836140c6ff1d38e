import { aCustomer, aProduct, aVariant } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { EMPTY_PROFILE } from "../../access/business.js";
import { recordCommit } from "../../catalog/catalog-commits.js";
import { encodeCursor } from "../../kernel/list-query.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { itemsOf } from "../../testing/items-of.js";
import type { BudgetList } from "../budget-view.js";
import { sweepOverdue } from "../lifecycle/expire-budgets.js";
import { decodeListCursor, encodeSortKey } from "./list-order.js";

const item = { description: "Chair", quantity: 1, unitPrice: 100 };

async function worldOf(count: number) {
  const world = budgetWorld();
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const items = [{ ...item, unitPrice: 10 * (index % 4) }];
    const input = { customerId: `c-${index % 3}`, items, notes: index % 2 === 0 ? "Even" : "Odd" };
    ids.push((await world.budgets.create(world.actor, input))._unsafeUnwrap().id);
    world.clock.advance(60_000);
  }
  return { ...world, ids };
}

describe("reading one budget", () => {
  it("shows the customer's phone and the product of each item, known to the catalog or not", async () => {
    const { budgets, actor, store } = budgetWorld();
    await store.commit(
      recordCommit("customer", aCustomer({ id: "c-1", name: "Ana", email: null, phone: "+54 11" }), "absent"),
    );
    await store.commit(recordCommit("product", aProduct({ id: "p-1", name: "Chair", sku: "CH" }), "absent"));
    const items = [{ ...item, productId: "p-1" }, { ...item, productId: "p-2" }, item];
    const { id } = (await budgets.create(actor, { customerId: "c-1", items }))._unsafeUnwrap();
    const read = (await budgets.get(actor, id))._unsafeUnwrap();
    expect(read.customer).toEqual({ id: "c-1", name: "Ana", email: null, phone: "+54 11" });
    expect(itemsOf(read).map((each) => each.product)).toEqual([
      { id: "p-1", name: "Chair", sku: "CH" },
      { id: "p-2", name: null, sku: null },
      undefined,
    ]);
    const plain = (await budgets.create(actor, { customerId: "c-9", items: [item] }))._unsafeUnwrap();
    expect((await budgets.get(actor, plain.id))._unsafeUnwrap().customer.phone).toBeNull();
  });

  it("shows a variant's name and sku, and asks for no product's whole record", async () => {
    const { store } = budgetWorld();
    const variants = [aVariant({ id: "xl", name: "Chair, XL" }), aVariant({ id: "s", name: "Chair, S", sku: "CH-S" })];
    await store.commit(recordCommit("product", aProduct({ id: "p", name: "Chair", sku: "CH", variants }), "absent"));
    const findRecords = () => Promise.reject(new Error("whole products were asked for"));
    const { budgets, actor } = budgetWorld({ store: { ...store, findRecords } });
    const items = ["xl", "s", "gone"].map((variantId) => ({ ...item, productId: "p", variantId }));
    const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    expect(itemsOf((await budgets.get(actor, id))._unsafeUnwrap()).map((each) => each.product)).toEqual([
      { id: "p", name: "Chair, XL", sku: "CH" },
      { id: "p", name: "Chair, S", sku: "CH-S" },
      { id: "p", name: "Chair", sku: "CH" },
    ]);
  });

  it("never shows one as PENDING past its validity, and makes one event of the expiry", async () => {
    const { budgets, actor, clock, context, events } = budgetWorld();
    const input = { customerId: "c", items: [item], validUntil: "2026-03-02T12:30:00Z" };
    const { id } = (await budgets.create(actor, input))._unsafeUnwrap();
    clock.set("2026-03-02T12:29:59.999Z");
    expect((await budgets.get(actor, id))._unsafeUnwrap().status).toBe("PENDING");
    clock.set("2026-03-02T12:30:00Z");
    const reads = await Promise.all(Array.from({ length: 5 }, () => budgets.get(actor, id)));
    expect(reads.map((read) => read._unsafeUnwrap().status)).toEqual(Array(5).fill("EXPIRED"));
    clock.set("2026-03-02T12:45:00Z");
    await Promise.all([sweepOverdue(context, clock.now()), sweepOverdue(context, clock.now() + 1)]);
    const [created, expired, ...others] = await events();
    expect([created?.type, created?.actor, others]).toEqual(["budget.created", "key:12", []]);
    const occurredAt = Date.parse("2026-03-02T12:30:00Z");
    expect(expired).toMatchObject({ type: "budget.expired", actor: "system", occurredAt, data: { status: "EXPIRED" } });
  });
});

describe("listing budgets", () => {
  it("gives the newest first, ten a page, with the contract's subset", async () => {
    const { budgets, actor, ids } = await worldOf(12);
    const first = (await budgets.list(actor))._unsafeUnwrap();
    expect(first.data.map((budget) => budget.id)).toEqual([...ids].reverse().slice(0, 10));
    expect(first.pagination).toMatchObject({ page: 1, limit: 10, total: 12, totalPages: 2, hasMore: true });
    expect(first.data[0]).not.toHaveProperty("metadata");
    const second = (await budgets.list(actor, { page: 2 }))._unsafeUnwrap();
    expect(second.data.map((budget) => budget.id)).toEqual([ids[1], ids[0]]);
    expect(second.pagination).toMatchObject({ page: 2, hasMore: false, nextCursor: null });
    expect((await budgets.list(actor, { page: 3 }))._unsafeUnwrap().data).toEqual([]);
  });

  it.each([
    [{ customerId: "c-1" }, 4],
    [{ search: "EVEN" }, 6],
    [{ search: "chair" }, 12],
    [{ minTotal: 20 }, 6],
    [{ maxTotal: 10 }, 6],
    [{ minTotal: 10, maxTotal: 10 }, 3],
    [{ createdAfter: "2026-03-02T12:06:00Z" }, 6],
    [{ createdBefore: "2026-03-02T12:06:00Z" }, 7],
    [{ createdBefore: "2026-03-02" }, 12],
    [{ createdAfter: "2026-03-03" }, 0],
    [{ status: "PENDING" as const }, 12],
    [{ status: "DRAFT" as const }, 0],
  ])("filters by %j", async (query, total) => {
    const { budgets, actor } = await worldOf(12);
    expect((await budgets.list(actor, query))._unsafeUnwrap().pagination.total).toBe(total);
  });

  it("counts calendar days where the business is", async () => {
    const { budgets, actor } = budgetWorld({
      findBusiness: async () => ({ name: "Kiwi", timeZone: "Pacific/Auckland", profile: EMPTY_PROFILE }),
    });
    await budgets.create(actor, { customerId: "c", items: [item] });
    expect((await budgets.list(actor, { createdAfter: "2026-03-03" }))._unsafeUnwrap().data).toHaveLength(1);
    expect((await budgets.list(actor, { createdBefore: "2026-03-02" }))._unsafeUnwrap().data).toHaveLength(0);
  });

  it.each(["createdAt", "total", "status"] as const)(
    "walks by cursor through every budget once, by %s",
    async (sort) => {
      const { budgets, actor, ids } = await worldOf(12);
      const seen: string[] = [];
      let cursor: string | null = null;
      let page = 0;
      do {
        const resume: { cursor?: string } = cursor === null ? {} : { cursor };
        const found: BudgetList = (
          await budgets.list(actor, { sort, order: "asc", limit: 5, ...resume })
        )._unsafeUnwrap();
        seen.push(...found.data.map((budget) => budget.id));
        page += 1;
        expect(found.pagination.page).toBe(page);
        cursor = found.pagination.nextCursor;
      } while (cursor !== null);
      expect([...seen].sort()).toEqual([...ids].sort());
    },
  );

  it("refuses a cursor of another order and text that is none", async () => {
    const { budgets, actor } = await worldOf(12);
    const cursor = (await budgets.list(actor))._unsafeUnwrap().pagination.nextCursor ?? "";
    for (const query of [{ cursor, order: "asc" as const }, { cursor, sort: "total" as const }, { cursor: "x" }]) {
      expect((await budgets.list(actor, query))._unsafeUnwrapErr()).toMatchObject({
        kind: "invalid",
        errors: [{ field: "cursor", code: "INVALID_VALUE" }],
      });
    }
  });

  it("leaves deleted ones out unless they are asked for", async () => {
    const { budgets, actor, ids } = await worldOf(3);
    await budgets.delete(actor, ids[0] ?? "");
    expect((await budgets.list(actor))._unsafeUnwrap().pagination.total).toBe(2);
    const all = (await budgets.list(actor, { includeDeleted: true, order: "asc" }))._unsafeUnwrap();
    expect(all.data[0]).toMatchObject({ status: "DELETED", deletedAt: "2026-03-02T12:03:00.000Z" });
  });

  it("puts overdue budgets where they belong before it counts", async () => {
    const { budgets, actor, clock, context, events } = budgetWorld();
    const input = { customerId: "c", items: [item], validUntil: "2026-03-03" };
    for (let index = 0; index < 250; index += 1) await budgets.create(actor, input);
    await budgets.create({ ...actor, businessId: "2" }, input);
    clock.set("2026-03-04T00:00:00Z");
    const pending = (await budgets.list(actor, { status: "PENDING" }))._unsafeUnwrap();
    const expired = (await budgets.list(actor, { status: "EXPIRED" }))._unsafeUnwrap();
    expect([pending.pagination.total, expired.pagination.total]).toEqual([0, 250]);
    expect((await events()).filter((event) => event.type === "budget.expired")).toEqual([]);
    await sweepOverdue(context, clock.now());
    expect((await events()).filter((event) => event.type === "budget.expired")).toHaveLength(250);
  });

  it("shows a business nothing of another", async () => {
    const { budgets, actor } = await worldOf(3);
    const found = (await budgets.list({ ...actor, businessId: "2" }))._unsafeUnwrap();
    expect(found).toMatchObject({ data: [], pagination: { total: 0, totalPages: 0 } });
  });

  it.each([
    [{ page: 0 }, "page", "MIN_VALUE"],
    [{ page: "1.5" }, "page", "INVALID_FORMAT"],
    [{ limit: 101 }, "limit", "MAX_VALUE"],
    [{ limit: "0x10" }, "limit", "INVALID_FORMAT"],
    [{ status: "DELETED" as "DRAFT" }, "status", "INVALID_VALUE"],
    [{ sort: "name" as "total" }, "sort", "INVALID_VALUE"],
    [{ minTotal: "1e3" }, "minTotal", "INVALID_FORMAT"],
    [{ createdAfter: "yesterday" }, "createdAfter", "INVALID_FORMAT"],
    [{ search: "x".repeat(201) }, "search", "MAX_LENGTH"],
    [{ includeDeleted: "yes" as "true" }, "includeDeleted", "INVALID_VALUE"],
  ])("refuses %j", async (query, field, code) => {
    const { budgets, actor } = budgetWorld();
    expect((await budgets.list(actor, query))._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field, code }],
    });
  });
});

describe("a search of many budgets", () => {
  it("marks the count of a search that stopped early", async () => {
    const { budgets, actor, store } = budgetWorld();
    const next = encodeSortKey({ value: 5, createdAt: 5, id: "7" });
    const stopped = { entries: [], total: 10, totalIsLowerBound: true, nextCursor: next } as const;
    Object.assign(store, { listBudgets: async () => stopped });
    const { pagination } = (await budgets.list(actor, { search: "oak" }))._unsafeUnwrap();
    expect(pagination).toMatchObject({ total: 10, totalPages: 1, totalIsLowerBound: true, hasMore: true });
    Object.assign(store, { listBudgets: async () => ({ ...stopped, nextCursor: null }) });
    expect((await budgets.list(actor, { search: "oak" }))._unsafeUnwrap().pagination.hasMore).toBe(false);
  });
});

describe("the sweep", () => {
  it("writes what every reader has seen since the validity date, with the same versions", async () => {
    const { budgets, actor, clock, context } = budgetWorld();
    const input = { customerId: "c", items: [item], validUntil: "2026-03-02T12:30:00Z", notes: "Oak" };
    const { id } = (await budgets.create(actor, input))._unsafeUnwrap();
    const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
    await budgets.update(actor, id, { notes: "Ash" });
    clock.set("2026-03-02T13:00:00Z");
    const reads = async () => ({
      get: (await budgets.get(actor, id))._unsafeUnwrap(),
      list: (await budgets.list(actor, { sort: "status" }))._unsafeUnwrap(),
      link: (await budgets.openPublicLink(publicToken))._unsafeUnwrap(),
      revisions: (await budgets.listRevisions(actor, id))._unsafeUnwrap(),
      present: (await budgets.getRevision(actor, id, 2))._unsafeUnwrap(),
      former: (await budgets.getRevision(actor, id, 1))._unsafeUnwrap(),
    });
    const before = await reads();
    expect(await sweepOverdue(context, clock.now())).toBe(1);
    expect(await reads()).toEqual(before);
    const updatedAt = "2026-03-02T12:30:00.000Z";
    expect(before.get).toMatchObject({ status: "EXPIRED", updatedAt, version: 4 });
    expect(before.present).toMatchObject({ status: "EXPIRED", version: before.get.version });
    expect(before.former.status).toBe("PENDING");
  });

  it("does not change the version that a write expects", async () => {
    const { budgets, actor, clock } = budgetWorld();
    const input = { customerId: "c", items: [item], validUntil: "2026-03-02T12:30:00Z" };
    const { id, version } = (await budgets.create(actor, input))._unsafeUnwrap();
    clock.set("2026-03-02T13:00:00Z");
    const shown = (await budgets.get(actor, id))._unsafeUnwrap().version;
    const renewal = { status: "PENDING", validUntil: "2026-03-05" } as const;
    const copied = (expectedVersion: number) => budgets.duplicate(actor, id, { expectedVersion });
    expect((await copied(version))._unsafeUnwrapErr().kind).toBe("stale");
    expect((await copied(shown))._unsafeUnwrap().status).toBe("DRAFT");
    const renewed = (expectedVersion: number) => budgets.update(actor, id, renewal, { expectedVersion });
    expect((await renewed(version))._unsafeUnwrapErr().kind).toBe("stale");
    expect((await renewed(shown))._unsafeUnwrap()).toMatchObject({ status: "PENDING", version: shown + 1 });
  });

  it("expires what is overdue in every business, in bounded batches", async () => {
    const { budgets, actor, clock, context } = budgetWorld();
    const input = { customerId: "c", items: [item], validUntil: "2026-03-03" };
    for (let index = 0; index < 21; index += 1) await budgets.create(actor, input);
    await budgets.create({ ...actor, businessId: "2" }, input);
    expect(await sweepOverdue(context, clock.now())).toBe(0);
    clock.set("2026-03-04T00:00:00Z");
    expect(await sweepOverdue(context, clock.now(), 1)).toBe(20);
    expect(await sweepOverdue(context, clock.now())).toBe(2);
  });
});

describe("a list's cursor", () => {
  it("comes back as it went out, and fits no other kind of order", () => {
    const byDate = { sort: "createdAt", order: "desc" } as const;
    const key = { value: 5, createdAt: 5, id: "7" };
    expect(decodeListCursor(encodeCursor(encodeSortKey(key), 3, byDate), byDate)).toEqual({ page: 3, key });
    const forged = encodeCursor(encodeSortKey({ ...key, value: "PENDING" }), 3, byDate);
    expect(decodeListCursor(forged, byDate)).toBeNull();
    expect(decodeListCursor("3.createdAt.desc.AAAA", byDate)).toBeNull();
  });
});
