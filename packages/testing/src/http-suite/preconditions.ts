import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { assertStatus, BUDGETS, createBudget } from "./samples.js";

export function preconditionCases({ it }: HttpCases): void {
  it("reads and writes of a budget have its version in the ETag", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    assert.match((await full.get(path)).headers.etag ?? "", /^"v1-[0-9a-f]{8}"$/);
    assert.equal((await full.put(path, { notes: "two" })).headers.etag, '"v2"');
    assert.equal((await full.post(`${path}/withdraw`)).headers.etag, '"v3"');
    assert.match((await full.get(path)).headers.etag ?? "", /^"v3-[0-9a-f]{8}"$/);
  });

  it("answers a read with 304 when the reader has the current version", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const current = (await full.get(path)).headers.etag ?? "";
    for (const tag of [current, `W/${current}`, `"v7", ${current}`, "*"]) {
      const reply = assertStatus(await full.get(path, { "if-none-match": tag }), 304);
      assert.equal(reply.headers.etag, current);
      assert.notEqual(reply.headers["x-ratelimit-remaining"], undefined);
    }
    for (const tag of ['"v1"', '"v2"', "v1", '"w1"', ""]) {
      assertStatus(await full.get(path, { "if-none-match": tag }), 200);
    }
    assertStatus(await full.get(`${BUDGETS}/999`, { "if-none-match": "*" }), 404);
  });

  it("sends the body again when the customer in it has changed", async ({ full, service, business }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const before = (await full.get(path)).headers.etag ?? "";
    await service.customers.create(business, { id: "c-1", name: "Ana" });
    const after = assertStatus(await full.get(path, { "if-none-match": before }), 200);
    assert.equal(after.at("data.customer.name"), "Ana");
    assertStatus(await full.put(path, { notes: "a" }, { "if-match": before }), 200);
    assertStatus(await full.put(path, { notes: "b" }, { "if-match": before }), 412);
  });

  it("refuses a write unless If-Match has the current version (412)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    assertStatus(await full.put(path, { notes: "a" }, { "if-match": '"v1"' }), 200);
    const stale = assertStatus(await full.put(path, { notes: "b" }, { "if-match": '"v1"' }), 412);
    assert.equal(stale.at("error"), "precondition_failed");
    assert.equal((await full.get(path)).at("data.notes"), "a");
    assertStatus(await full.put(path, { notes: "c" }, { "if-match": "*" }), 200);
    assertStatus(await full.put(path, { notes: "d" }, { "if-match": '"v9", "v3"' }), 200);
    assertStatus(await full.put(path, { notes: "e" }, { "if-match": '"v9", "v3"' }), 412);
  });

  it("recognises an ETag that a compressing proxy has rewritten: no 412, and 304 for a reader", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    for (const rewrite of [(tag: string) => `W/${tag}`, (tag: string) => tag.replace(/"$/, '-gzip"')]) {
      const read = (await full.get(path)).headers.etag ?? "";
      assertStatus(await full.get(path, { "if-none-match": rewrite(read) }), 304);
      assertStatus(await full.put(path, { notes: rewrite("x") }, { "if-match": rewrite(read) }), 200);
      assertStatus(await full.put(path, { notes: "y" }, { "if-match": rewrite(read) }), 412);
    }
  });

  it("never matches a malformed If-Match (412)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    for (const tag of ['W/"v2"', 'w/"v1"', "v1", '"1"', '"v01"', '"v1', "", '"v0"']) {
      assertStatus(await full.put(path, { notes: "x" }, { "if-match": tag }), 412);
    }
  });

  it("checks If-Match for deletion and actions as well (412)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const stale = { "if-match": '"v2"' };
    assertStatus(await full.delete(path, stale), 412);
    for (const act of ["withdraw", "duplicate", "public-link"]) {
      assertStatus(await full.post(`${path}/${act}`, undefined, stale), 412);
    }
    assertStatus(await full.delete(path, { "if-match": '"v1"' }), 200);
    assertStatus(await full.post(`${path}/restore`, undefined, { "if-match": '"v1"' }), 412);
    assertStatus(await full.post(`${path}/restore`, undefined, { "if-match": '"v2"' }), 200);
  });

  it("ignores If-Match for a budget that does not exist (404)", async ({ full }) => {
    assertStatus(await full.put(`${BUDGETS}/999`, {}, { "if-match": '"v1"' }), 404);
  });

  it("lets one of several writers with the same version win (412)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const statuses = await Promise.all(
      ["a", "b", "c", "d"].map(async (notes) => (await full.put(path, { notes }, { "if-match": '"v1"' })).status),
    );
    assert.deepEqual(statuses.sort(), [200, 412, 412, 412]);
  });
}
