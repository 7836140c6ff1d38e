import assert from "node:assert/strict";
import { DAY_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import {
  aBudgetBody,
  aPublicBody,
  approve,
  assertInvalid,
  assertRule,
  assertStatus,
  BUDGETS,
  createBudget,
} from "./samples.js";

export function actCases({ it }: HttpCases): void {
  it("submits a draft and withdraws a PENDING budget (INVALID_TRANSITION)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full, { draft: true })}`;
    assert.equal((await full.post(`${path}/submit`)).at("data.status"), "PENDING");
    assert.equal((await full.post(`${path}/withdraw`)).at("data.status"), "DRAFT");
    assertRule(await full.post(`${path}/withdraw`), "INVALID_TRANSITION");
  });

  it("completes and archives an approved budget (INVALID_TRANSITION)", async ({ full }) => {
    const id = await createBudget(full);
    assertRule(await full.post(`${BUDGETS}/${id}/complete`), "INVALID_TRANSITION");
    await approve(full, id);
    assertRule(await full.post(`${BUDGETS}/${id}/archive`), "INVALID_TRANSITION");
    assert.equal((await full.post(`${BUDGETS}/${id}/complete`)).at("data.status"), "COMPLETED");
    assert.equal((await full.post(`${BUDGETS}/${id}/archive`)).at("data.status"), "ARCHIVED");
  });

  it("reopens an approved budget with a reason and removes the approval", async ({ full }) => {
    const id = await createBudget(full);
    await approve(full, id);
    assertInvalid(await full.post(`${BUDGETS}/${id}/reopen`, {}), "reason:REQUIRED");
    assertInvalid(await full.post(`${BUDGETS}/${id}/reopen`), ":REQUIRED");
    const reopened = await full.post(`${BUDGETS}/${id}/reopen`, { reason: "The price was wrong" });
    reopened.assertData({ status: "PENDING", approvedAt: null, approvedBy: null });
  });

  it("restores a deleted budget to its former status, or to EXPIRED when it is overdue", async ({ full, clock }) => {
    const plain = await createBudget(full);
    const dated = await createBudget(full, { validUntil: "2026-03-03T00:00:00Z" });
    assertRule(await full.post(`${BUDGETS}/${plain}/restore`), "INVALID_TRANSITION");
    await full.delete(`${BUDGETS}/${plain}`);
    await full.delete(`${BUDGETS}/${dated}`);
    clock.advance(DAY_MS);
    assert.equal((await full.post(`${BUDGETS}/${plain}/restore`)).at("data.status"), "PENDING");
    assert.equal((await full.post(`${BUDGETS}/${dated}/restore`)).at("data.status"), "EXPIRED");
  });

  it("offers actions on a budget to keys that may write it, and to no others", async ({ full, writer, reader }) => {
    const created = await writer.post(BUDGETS, aBudgetBody({ customerId: "offered" }));
    const offered = created.at("data.availableActions");
    assert.deepEqual(offered, ["update", "approve", "reject", "expire", "withdraw", "share", "duplicate", "delete"]);
    const path = `${BUDGETS}/${created.text("data.id")}`;
    assert.deepEqual((await full.get(path)).at("data.availableActions"), offered);
    assert.deepEqual((await reader.get(path)).at("data.availableActions"), []);
    assert.deepEqual((await full.get(`${BUDGETS}?customerId=offered`)).at("data.0.availableActions"), offered);
    assert.deepEqual((await reader.get(`${BUDGETS}?customerId=offered`)).at("data.0.availableActions"), []);
  });

  it("duplicates a budget into a draft of its own", async ({ full }) => {
    const id = await createBudget(full, { notes: "Twice" });
    const copy = assertStatus(await full.post(`${BUDGETS}/${id}/duplicate`), 201);
    assert.notEqual(copy.at("data.id"), id);
    copy.assertData({ status: "DRAFT", notes: "Twice" });
    assert.equal(copy.headers.etag, '"v1"');
    assert.ok(copy.headers.location?.endsWith(`${BUDGETS}/${copy.text("data.id")}`));
  });

  it("creates a public link once, and returns the same afterwards", async ({ full, anonymous }) => {
    const link = `${BUDGETS}/${await createBudget(full)}/public-link`;
    assertStatus(await full.get(link), 404);
    const first = assertStatus(await full.post(link), 201);
    assert.equal(first.headers["cache-control"], "no-store");
    assertStatus(await anonymous.get(`/p/${first.text("data.publicToken")}`), 200);
    const again = assertStatus(await full.post(link, {}), 200);
    const read = assertStatus(await full.get(link), 200);
    assert.equal(read.headers["cache-control"], "no-store");
    assert.deepEqual([again.body, read.body], [first.body, first.body]);
    assert.equal((await full.get(link.replace("/public-link", ""))).at("data.version"), 2);
  });

  it("replaces a public link on request, which ends the old one", async ({ full, anonymous }) => {
    const link = `${BUDGETS}/${await createBudget(full)}/public-link`;
    const first = await full.post(link);
    const second = assertStatus(await full.post(link, { rotate: true }), 201);
    assertStatus(await anonymous.get(`/p/${first.text("data.publicToken")}`), 404);
    assertStatus(await anonymous.get(`/p/${second.text("data.publicToken")}`), 200);
    assert.equal((await full.get(link)).body, second.body);
  });

  it("ends a public link, and creates a new one afterwards", async ({ full, anonymous }) => {
    const link = `${BUDGETS}/${await createBudget(full)}/public-link`;
    const first = await full.post(link);
    assertStatus(await full.delete(link), 200);
    assertStatus(await anonymous.get(`/p/${first.text("data.publicToken")}`), 404);
    for (const gone of [await full.get(link), await full.delete(link)]) assertStatus(gone, 404);
    const second = assertStatus(await full.post(link), 201);
    assert.notEqual(second.at("data.publicToken"), first.at("data.publicToken"));
  });

  it("shows the link of a public creation again, to those who may write budgets", async (world) => {
    const { full, reader, stranger } = world;
    const made = await full.post("/api/budgets/public", aPublicBody());
    const link = `${BUDGETS}/${String(made.at("budgetId"))}/public-link`;
    assert.equal((await full.get(link)).at("data.publicUrl"), made.at("publicUrl"));
    assertStatus(await reader.get(link), 403);
    assertStatus(await stranger.get(link), 404);
  });
}
