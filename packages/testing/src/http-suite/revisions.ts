import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { approve, assertInvalid, assertStatus, BUDGETS, createBudget } from "./samples.js";

export function revisionCases({ it }: HttpCases): void {
  it("a budget begins with revision 1, as it was created", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    assert.equal((await full.get(path)).at("data.revision"), 1);
    const list = assertStatus(await full.get(`${path}/revisions`), 200);
    assert.deepEqual(list.at("data"), [
      {
        revision: 1,
        version: 1,
        status: "PENDING",
        currency: "USD",
        subtotal: 331,
        discount: 0,
        tax: 69.51,
        total: 400.51,
        revisedAt: "2026-03-02T12:00:00.000Z",
        revisedBy: `key:${full.id}`,
        changes: [],
      },
    ]);
    assert.equal(list.at("pagination.total"), 1);
  });

  it("a revision keeps the previous content, with actor, time and changed fields", async ({ full, clock }) => {
    const path = `${BUDGETS}/${await createBudget(full, { notes: "First" })}`;
    clock.advance(1_000);
    assert.equal((await full.put(path, { notes: "Second", metadata: { seen: true } })).at("data.revision"), 2);
    const [before, after] = [await full.get(`${path}/revisions/1`), await full.get(`${path}/revisions/2`)];
    before.assertData({ notes: "First", "items.0.description": "Oak table" });
    after.assertData({ notes: "Second", revisedAt: "2026-03-02T12:00:01.000Z" });
    after.assertData({ revisedBy: `key:${full.id}`, changes: ["notes"], availableActions: undefined });
  });

  it("metadata, links, moves forward and copies begin no revision", async ({ full }) => {
    const id = await createBudget(full);
    await full.put(`${BUDGETS}/${id}`, { metadata: { a: 1 } });
    await full.post(`${BUDGETS}/${id}/public-link`);
    await approve(full, id);
    assert.equal((await full.post(`${BUDGETS}/${id}/complete`)).at("data.revision"), 1);
    await full.delete(`${BUDGETS}/${id}`);
    assert.equal((await full.post(`${BUDGETS}/${id}/restore`)).at("data.revision"), 1);
    await full.put(`${BUDGETS}/${id}`, { metadata: {} });
    assert.equal((await full.post(`${BUDGETS}/${id}/duplicate`)).at("data.revision"), 1);
  });

  it("reopening begins a revision, since the customer is asked again", async ({ full }) => {
    const id = await createBudget(full);
    await approve(full, id);
    const reopened = await full.post(`${BUDGETS}/${id}/reopen`, { reason: "The price was wrong" });
    assert.equal(reopened.at("data.revision"), 2);
    (await full.get(`${BUDGETS}/${id}/revisions/1`)).assertData({ status: "APPROVED", approvedBy: `key:${full.id}` });
  });

  it("lists revisions in pages, newest first", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    for (const notes of ["a", "b", "c"]) await full.put(path, { notes });
    const page = await full.get(`${path}/revisions?page=2&limit=2`);
    assert.deepEqual([page.at("data.0.revision"), page.at("data.1.revision")], [2, 1]);
    assert.deepEqual(page.at("pagination"), { page: 2, limit: 2, total: 4, totalPages: 2, hasMore: false });
    assertInvalid(await full.get(`${path}/revisions?limit=101`), "limit:MAX_VALUE");
  });

  it("shows the present revision as EXPIRED when it is overdue", async ({ full, clock }) => {
    const path = `${BUDGETS}/${await createBudget(full, { validUntil: "2026-03-02T12:00:01Z" })}`;
    clock.advance(1_000);
    assert.equal((await full.get(`${path}/revisions`)).at("data.0.status"), "EXPIRED");
    assert.equal((await full.get(`${path}/revisions/1`)).at("data.status"), "EXPIRED");
  });

  it("finds no unknown revision, and none of a deleted budget (404)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    for (const revision of ["2", "0", "-1", "01", "abc", "1e0", "99999999999999999999"]) {
      const missing = assertStatus(await full.get(`${path}/revisions/${revision}`), 404);
      assert.deepEqual(missing.at("details"), { resource: "revision", id: revision });
    }
    await full.delete(path);
    for (const rest of ["", "/1", "/1/difference"]) {
      assert.equal(assertStatus(await full.get(`${path}/revisions${rest}`), 404).at("details.resource"), "budget");
    }
  });

  it("the difference of revisions lists fields and items with their values before and after", async ({ full }) => {
    const created = await full.get(`${BUDGETS}/${await createBudget(full)}`);
    const path = `${BUDGETS}/${created.text("data.id")}`;
    const table = created.text("data.items.0.id");
    const delivery = created.text("data.items.1.id");
    await full.put(path, {
      notes: "Now in oak",
      items: [
        { description: "Chair", quantity: 4, unitPrice: 20 },
        { id: table, quantity: 1 },
      ],
    });
    const difference = assertStatus(await full.get(`${path}/revisions/2/difference`), 200);
    const chair = (await full.get(path)).text("data.items.0.id");
    assert.deepEqual(difference.at("data"), {
      from: 1,
      to: 2,
      changes: [
        { kind: "field", field: "notes", before: null, after: "Now in oak" },
        { kind: "field", field: "subtotal", before: 331, after: 230.5 },
        { kind: "field", field: "tax", before: 69.51, after: 48.41 },
        { kind: "field", field: "total", before: 400.51, after: 278.91 },
        {
          kind: "item-removed",
          id: delivery,
          item: { description: "Delivery to the door", quantity: 1, unitPrice: 30, total: 30, discount: 0, tax: 6.3 },
        },
        {
          kind: "item-changed",
          id: table,
          fields: [
            { field: "quantity", before: 2, after: 1 },
            { field: "total", before: 301, after: 150.5 },
            { field: "tax", before: 63.21, after: 31.61 },
          ],
        },
        {
          kind: "item-added",
          id: chair,
          position: 0,
          item: { description: "Chair", quantity: 4, unitPrice: 20, total: 80, discount: 0, tax: 16.8 },
        },
      ],
    });
  });

  it("compares any two revisions in either direction, and one with itself", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    for (const notes of ["a", "b"]) await full.put(path, { notes });
    const back = await full.get(`${path}/revisions/1/difference?from=3`);
    assert.deepEqual(back.at("data"), {
      from: 3,
      to: 1,
      changes: [{ kind: "field", field: "notes", before: "b", after: null }],
    });
    assert.deepEqual((await full.get(`${path}/revisions/2/difference?from=2`)).at("data.changes"), []);
  });

  it("finds no difference of unknown revisions, nor of the first with its predecessor", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/revisions`;
    const missing = { "/2/difference": "2", "/1/difference": "0", "/1/difference?from=7": "7" };
    for (const [rest, id] of Object.entries(missing)) {
      const answer = assertStatus(await full.get(`${path}${rest}`), 404);
      assert.deepEqual(answer.at("details"), { resource: "revision", id });
    }
    assertInvalid(await full.get(`${path}/1/difference?from=first`), "from:INVALID_FORMAT");
  });
}
