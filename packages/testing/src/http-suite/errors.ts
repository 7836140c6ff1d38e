import assert from "node:assert/strict";
import { type Store, type StoreCommit, StoreUnavailable } from "@budgetkit/core/store";
import { memoryStore } from "../memory-store/index.js";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, assertRule, assertStatus, BUDGETS, createBudget } from "./samples.js";

const PROBLEM = { accept: "application/problem+json, application/json;q=0.5" };

/** A store whose lists and commits of budgets fail. */
function failing(error: () => Error): () => Promise<Store> {
  return async () => {
    const store = memoryStore();
    const writesBudget = (commit: StoreCommit) => commit.writes.some(({ kind }) => kind === "budget");
    return {
      ...store,
      listBudgets: () => Promise.reject(error()),
      commit: (commit) => (writesBudget(commit) ? Promise.reject(error()) : store.commit(commit)),
    };
  };
}

export function errorCases({ it }: HttpCases): void {
  it("errors are flat where integrations call", async ({ full }) => {
    const refused = await full.post(BUDGETS, aBudgetBody({ currency: 5 }));
    assert.equal(refused.at("error"), "validation_error");
    assert.deepEqual(Object.keys(JSON.parse(refused.body)), ["error", "message", "details"]);
    refused.assertAt({ "details.errors.0.field": "currency", "details.errors.0.code": "INVALID_TYPE" });
    assert.equal(typeof refused.at("details.errors.0.message"), "string");
  });

  it("lists the fields that break a rule, or none, so that clients can map over the list", async ({ full }) => {
    const ofField = await full.post(BUDGETS, aBudgetBody({ discountAmount: 1_000 }));
    assertRule(ofField, "DISCOUNT_EXCEEDS_SUBTOTAL");
    const message = ofField.text("message");
    assert.deepEqual(ofField.at("details.errors"), [{ field: "discountAmount", code: "INVALID_VALUE", message }]);
    const path = `${BUDGETS}/${await createBudget(full)}`;
    await full.put(path, { status: "APPROVED" });
    assert.deepEqual(assertStatus(await full.post(`${path}/archive`), 422).at("details.errors"), []);
    assert.deepEqual((await full.post(`${path}/archive`, undefined, PROBLEM)).at("errors"), []);
    assert.equal((await full.put(path, "{")).at("details.errors.0.field"), "");
  });

  it("errors are nested on the management API", async ({ owner }) => {
    const refused = assertStatus(await owner.post("/api-keys", { name: "" }), 400);
    refused.assertAt({ "error.code": "VALIDATION_ERROR", "error.details.0.field": "name" });
    assert.equal(refused.at("error.details.1.field"), "scopes");
    assert.deepEqual(Object.keys(Object(refused.at("error.details.0"))), ["field", "message"]);
  });

  it("errors are RFC 9457 problems for clients that accept that type", async ({ full, owner, anonymous }) => {
    const notFound = assertStatus(await full.get(`${BUDGETS}/999`, PROBLEM), 404);
    assert.match(notFound.headers["content-type"] ?? "", /^application\/problem\+json/);
    notFound.assertAt({ status: 404, code: "RESOURCE_NOT_FOUND", "details.resource": "budget" });
    assert.equal((await owner.get("/api-keys/999", PROBLEM)).at("code"), "RESOURCE_NOT_FOUND");
    assert.equal((await anonymous.get("/p/none", PROBLEM)).at("code"), "RESOURCE_NOT_FOUND");
    assert.equal((await full.post(BUDGETS, {}, PROBLEM)).at("errors.0.code"), "REQUIRED");
  });

  it("a problem keeps its standard members apart from the details", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    await full.put(path, { status: "APPROVED" });
    const locked = assertStatus(await full.put(path, { notes: "late" }, PROBLEM), 422);
    locked.assertAt({ status: 422, "details.rule": "BUDGET_LOCKED", "details.status": "APPROVED" });
  });

  it("errors keep their shape for a client that accepts anything, or refuses problem+json", async ({ full }) => {
    for (const accept of ["*/*", "application/*", "application/problem+json;q=0", ""]) {
      assert.equal((await full.get(`${BUDGETS}/999`, { accept })).at("error"), "resource_not_found");
    }
  });

  it("errors never repeat a credential or a password", async ({ anonymous }) => {
    const refused = await anonymous.post("/auth/login", { email: "a@example.com", password: ["hunter2"] });
    assertStatus(refused, 400);
    assert.ok(!refused.body.includes("hunter2"));
  });

  it(
    "a failure answers with 500 and its request id alone, and reaches the operator",
    async ({ full, errors }) => {
      const failed = assertStatus(await full.get(BUDGETS, { "x-request-id": "find-me" }), 500);
      failed.assertAt({ error: "internal_error", details: { requestId: "find-me" } });
      assert.ok(!failed.body.includes("disk"));
      assert.equal(failed.headers["x-ratelimit-remaining"], "999");
      assert.equal(errors.length, 1);
    },
    { makeStore: failing(() => new Error("a secret about the disk")) },
  );

  it(
    "answers with 503 and Retry-After while the store cannot serve",
    async ({ full, errors }) => {
      const failed = assertStatus(await full.get(BUDGETS), 503);
      assert.equal(failed.at("error"), "service_unavailable");
      assert.equal(failed.headers["retry-after"], "5");
      assert.equal(errors.length, 1);
    },
    { makeStore: failing(() => new StoreUnavailable("the disk is full")) },
  );

  it(
    "a failure frees the idempotency key",
    async ({ full }) => {
      const key = { "idempotency-key": "once" };
      assertStatus(await full.post(BUDGETS, aBudgetBody(), key), 503);
      assertStatus(await full.post(BUDGETS, aBudgetBody(), key), 503);
    },
    { makeStore: failing(() => new StoreUnavailable("the disk is full")) },
  );
}
