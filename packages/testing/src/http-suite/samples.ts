import assert from "node:assert/strict";
import type { Client, Reply } from "./client.js";

/** A budget that is valid wherever it is sent; a case names the fields that it is about. */
export function aBudgetBody(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    customerId: "c-1",
    items: [
      { description: "Oak table", quantity: 2, unitPrice: 150.5 },
      { description: "Delivery to the door", quantity: 1, unitPrice: 30 },
    ],
    taxRate: 0.21,
    ...overrides,
  };
}

/** The public-creation shape of one. */
export function aPublicBody(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    currency: "ARS",
    issueDate: "2026-03-01",
    expirationDate: "2026-04-01",
    customerId: 501,
    sellerId: 7,
    minimumPaymentToConfirm: 100,
    subtotal: 1_000,
    total: 1_210,
    iva: 210,
    comments: "Valid for a month",
    items: [{ productId: 700, quantity: 2, unitPrice: 500 }],
    ...overrides,
  };
}

export const BUDGETS = "/api/public/budgets";

/** The headers of a browser, and of the form that it sends. */
export const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
export const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Creates a budget and gives its id. */
export async function createBudget(client: Client, overrides: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const created = assertStatus(await client.post(BUDGETS, aBudgetBody(overrides)), 201);
  return created.text("data.id");
}

/** Creates a budget with a public link and gives the link's path below /v1. */
export async function createLink(client: Client, overrides: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const created = assertStatus(await client.post("/api/budgets/public", aPublicBody(overrides)), 201);
  return `/p/${created.text("publicToken")}`;
}

/** A pending budget and the path of its link. */
export async function linked(
  client: Client,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; link: string }> {
  const id = await createBudget(client, overrides);
  return { id, link: `/p/${(await client.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken")}` };
}

export async function approve(client: Client, id: string): Promise<void> {
  assertStatus(await client.put(`${BUDGETS}/${id}`, { status: "APPROVED" }), 200);
}

/** Holds a reply to its status, and gives it back. */
export function assertStatus(reply: Reply, status: number): Reply {
  assert.equal(reply.status, status, `${reply.status} instead of ${status}: ${reply.body}`);
  return reply;
}

/** Holds a 400 of the flat shape to the fields that it names, as `items[0].quantity:REQUIRED`. */
export function assertInvalid(reply: Reply, ...expected: readonly string[]): void {
  assertStatus(reply, 400);
  assert.equal(reply.at("error"), "validation_error");
  const errors = reply.at("details.errors");
  assert.ok(Array.isArray(errors));
  assert.deepEqual(
    errors.map(({ field, code }) => `${field}:${code}`),
    expected,
  );
}

/** Holds a 400 of the nested shape to the first field that it names. */
export function assertWrong(reply: Reply, field: string): void {
  assertStatus(reply, 400);
  reply.assertAt({ "error.code": "VALIDATION_ERROR", "error.details.0.field": field });
}

/** Holds a 422 of either shape to its rule and to the field that it names; a field that is left out may be any. */
export function assertRule(reply: Reply, rule: string, field?: string): void {
  assertStatus(reply, 422);
  const isNested = reply.at("error.code") !== undefined;
  const named = reply.at(isNested ? "error.details.0.field" : "details.field");
  if (field !== undefined) assert.equal(named, field);
  const errors = named === undefined ? [] : [{ field: named, code: "INVALID_VALUE", message: reply.at("message") }];
  if (isNested) reply.assertAt({ "error.code": "VALIDATION_ERROR", "error.rule": rule });
  else reply.assertAt({ error: "validation_error", "details.rule": rule, "details.errors": errors });
}

/** The second reply is the first one again, from the record of its Idempotency-Key. */
export function assertReplay(first: Reply, again: Reply): void {
  assert.equal(again.status, first.status);
  assert.equal(again.body, first.body);
  for (const name of ["etag", "content-type", "location", "cache-control"]) {
    assert.equal(again.headers[name], first.headers[name], name);
  }
  assert.equal(first.headers["idempotent-replayed"], undefined);
  assert.equal(again.headers["idempotent-replayed"], "true");
}
