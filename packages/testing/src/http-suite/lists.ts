import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { approve, assertInvalid, assertStatus, BUDGETS, createBudget } from "./samples.js";
import type { World } from "./world.js";

/** Five budgets, a minute apart, of totals 10, 20, 30, 40 and 50. */
async function fiveBudgets({ full, clock }: World): Promise<string[]> {
  const ids: string[] = [];
  for (const unitPrice of [10, 20, 30, 40, 50]) {
    const items = [{ description: `Item at ${unitPrice}`, quantity: 1, unitPrice }];
    ids.push(
      await createBudget(full, { customerId: `c-${unitPrice}`, items, taxRate: 0, notes: `Note ${unitPrice} 50%` }),
    );
    clock.advance(60_000);
  }
  return ids;
}

async function totalsOf({ reader }: World, query: string): Promise<unknown[]> {
  const reply = assertStatus(await reader.get(`${BUDGETS}?${query}`), 200);
  const data = reply.at("data");
  assert.ok(Array.isArray(data));
  return data.map(({ total }) => total);
}

export function listCases({ it }: HttpCases): void {
  it("lists the first ten budgets, newest first, with the pagination object", async (world) => {
    await fiveBudgets(world);
    const list = assertStatus(await world.reader.get(BUDGETS), 200);
    assert.deepEqual(await totalsOf(world, ""), [50, 40, 30, 20, 10]);
    list.assertAt({ "pagination.page": 1, "pagination.limit": 10, "pagination.total": 5 });
    list.assertAt({ "pagination.totalPages": 1, "pagination.hasMore": false });
  });

  it("an empty list of budgets has no pages", async ({ reader }) => {
    (await reader.get(BUDGETS)).assertAt({ data: [], "pagination.total": 0, "pagination.totalPages": 0 });
  });

  it("pages budgets by number and by cursor alike", async (world) => {
    await fiveBudgets(world);
    assert.deepEqual(await totalsOf(world, "limit=2&page=2"), [30, 20]);
    assert.deepEqual(await totalsOf(world, "limit=2&page=9"), []);
    const first = await world.reader.get(`${BUDGETS}?limit=2`);
    assert.equal(first.at("pagination.hasMore"), true);
    const cursor = encodeURIComponent(first.text("pagination.nextCursor"));
    assert.deepEqual(await totalsOf(world, `limit=2&cursor=${cursor}`), [30, 20]);
    assertInvalid(await world.reader.get(`${BUDGETS}?limit=2&order=asc&cursor=${cursor}`), "cursor:INVALID_VALUE");
  });

  const filters: readonly (readonly [string, readonly number[]])[] = [
    ["minTotal=30", [50, 40, 30]],
    ["maxTotal=20", [20, 10]],
    ["minTotal=20&maxTotal=30.00", [30, 20]],
    ["customerId=c-30", [30]],
    ["customerId=nobody", []],
    ["search=NOTE%2040", [40]],
    ["search=item+at+10", [10]],
    ["search=50%25", [50, 40, 30, 20, 10]],
    ["search=_ote", []],
    ["createdAfter=2026-03-02T12:03:00Z", [50, 40]],
    ["createdBefore=2026-03-02T12:00:00Z", [10]],
    ["createdBefore=2026-03-02", [50, 40, 30, 20, 10]],
    ["createdAfter=2026-03-03", []],
    ["sort=total&order=asc", [10, 20, 30, 40, 50]],
    ["sort=createdAt&order=asc&limit=1", [10]],
    ["sort=status", [50, 40, 30, 20, 10]],
    ["status=PENDING&limit=100", [50, 40, 30, 20, 10]],
    ["status=COMPLETED", []],
    ["unknown=parameter", [50, 40, 30, 20, 10]],
  ];
  for (const [query, totals] of filters) {
    it(`lists budgets by ?${query}`, async (world) => {
      await fiveBudgets(world);
      assert.deepEqual(await totalsOf(world, query), totals);
    });
  }

  it("filters budgets by status", async (world) => {
    const [first = "", second = ""] = await fiveBudgets(world);
    await approve(world.full, first);
    await world.full.put(`${BUDGETS}/${second}`, { status: "REJECTED" });
    assert.deepEqual(await totalsOf(world, "status=APPROVED"), [10]);
    assert.deepEqual(await totalsOf(world, "status=REJECTED"), [20]);
    assert.deepEqual(await totalsOf(world, "status=PENDING"), [50, 40, 30]);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ["page=0", "page:MIN_VALUE"],
    ["page=-1", "page:INVALID_FORMAT"],
    ["page=1.5", "page:INVALID_FORMAT"],
    ["page=0x1", "page:INVALID_FORMAT"],
    ["page=1e1", "page:INVALID_FORMAT"],
    ["page=", "page:INVALID_FORMAT"],
    ["page=%201", "page:INVALID_FORMAT"],
    ["page=one", "page:INVALID_FORMAT"],
    ["page=1&page=2", "page:INVALID_VALUE"],
    ["limit=0", "limit:MIN_VALUE"],
    ["limit=101", "limit:MAX_VALUE"],
    ["status=DELETED", "status:INVALID_VALUE"],
    ["status=pending", "status:INVALID_VALUE"],
    ["status=", "status:INVALID_VALUE"],
    ["sort=notes", "sort:INVALID_VALUE"],
    ["order=up", "order:INVALID_VALUE"],
    ["minTotal=NaN", "minTotal:INVALID_FORMAT"],
    ["minTotal=", "minTotal:INVALID_FORMAT"],
    ["maxTotal=1e400", "maxTotal:INVALID_FORMAT"],
    ["createdAfter=yesterday", "createdAfter:INVALID_FORMAT"],
    ["createdBefore=2026-13-01", "createdBefore:INVALID_FORMAT"],
    ["customerId=", "customerId:MIN_LENGTH"],
    ["search=", "search:MIN_LENGTH"],
    [`search=${"x".repeat(201)}`, "search:MAX_LENGTH"],
    ["search=%00", "search:INVALID_FORMAT"],
    ["includeDeleted=yes", "includeDeleted:INVALID_VALUE"],
    ["cursor=nonsense", "cursor:INVALID_VALUE"],
  ];
  for (const [query, error] of wrong) {
    it(`refuses to list budgets by ?${query.slice(0, 40)}`, async ({ reader }) => {
      const reply = assertStatus(await reader.get(`${BUDGETS}?${query}`), 400);
      assert.equal(`${reply.text("details.errors.0.field")}:${reply.text("details.errors.0.code")}`, error);
    });
  }
}
