import assert from "node:assert/strict";
import { type Store, type StoreCommit, StoreUnavailable } from "@budgetkit/core/store";
import { memoryStore } from "../memory-store/index.js";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, assertStatus, BUDGETS, createBudget } from "./samples.js";

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

export function errorCases({ describe, it }: HttpCases): void {
  describe("shapes of errors", () => {
    it("are flat where integrations call", async ({ full }) => {
      const refused = await full.post(BUDGETS, aBudgetBody({ currency: 5 }));
      assert.equal(refused.at("error"), "validation_error");
      assert.deepEqual(Object.keys(JSON.parse(refused.body)), ["error", "message", "details"]);
      assert.equal(refused.at("details.errors.0.field"), "currency");
      assert.equal(refused.at("details.errors.0.code"), "INVALID_TYPE");
      assert.equal(typeof refused.at("details.errors.0.message"), "string");
    });

    it("list the wrong fields of a rule, or none, so that clients can map over the list", async ({ full }) => {
      const ofField = await full.post(BUDGETS, aBudgetBody({ discountAmount: 1_000 }));
      assertStatus(ofField, 422);
      assert.equal(ofField.at("details.rule"), "DISCOUNT_EXCEEDS_SUBTOTAL");
      const message = ofField.text("message");
      assert.deepEqual(ofField.at("details.errors"), [{ field: "discountAmount", code: "INVALID_VALUE", message }]);
      const path = `${BUDGETS}/${await createBudget(full)}`;
      await full.put(path, { status: "APPROVED" });
      const ofBudget = await full.post(`${path}/archive`);
      assertStatus(ofBudget, 422);
      assert.deepEqual(ofBudget.at("details.errors"), []);
      assert.deepEqual((await full.post(`${path}/archive`, undefined, PROBLEM)).at("errors"), []);
      const malformed = await full.put(path, "{");
      assert.equal(malformed.at("details.errors.0.field"), "");
    });

    it("are nested where people manage", async ({ owner }) => {
      const refused = await owner.post("/api-keys", { name: "" });
      assertStatus(refused, 400);
      assert.equal(refused.at("error.code"), "VALIDATION_ERROR");
      assert.equal(refused.at("error.details.0.field"), "name");
      assert.equal(refused.at("error.details.1.field"), "scopes");
      assert.deepEqual(Object.keys(Object(refused.at("error.details.0"))), ["field", "message"]);
    });

    it("are RFC 9457 problems for clients that accept that type", async ({ full, owner, anonymous }) => {
      const notFound = await full.get(`${BUDGETS}/999`, PROBLEM);
      assertStatus(notFound, 404);
      assert.match(notFound.headers["content-type"] ?? "", /^application\/problem\+json/);
      assert.equal(notFound.at("status"), 404);
      assert.equal(notFound.at("code"), "RESOURCE_NOT_FOUND");
      assert.equal(notFound.at("details.resource"), "budget");
      assert.equal((await owner.get("/api-keys/999", PROBLEM)).at("code"), "RESOURCE_NOT_FOUND");
      assert.equal((await anonymous.get("/p/none", PROBLEM)).at("code"), "RESOURCE_NOT_FOUND");
      assert.equal((await full.post(BUDGETS, {}, PROBLEM)).at("errors.0.code"), "REQUIRED");
    });

    it("keep the standard members of a problem apart from what it brings", async ({ full }) => {
      const path = `${BUDGETS}/${await createBudget(full)}`;
      await full.put(path, { status: "APPROVED" });
      const locked = await full.put(path, { notes: "late" }, PROBLEM);
      assertStatus(locked, 422);
      assert.equal(locked.at("status"), 422);
      assert.equal(locked.at("details.rule"), "BUDGET_LOCKED");
      assert.equal(locked.at("details.status"), "APPROVED");
    });

    it("stay as they are for a client that takes anything, or refuses that type", async ({ full }) => {
      for (const accept of ["*/*", "application/*", "application/problem+json;q=0", ""]) {
        assert.equal((await full.get(`${BUDGETS}/999`, { accept })).at("error"), "resource_not_found");
      }
    });

    it("never repeat a credential or a password", async ({ anonymous }) => {
      const refused = await anonymous.post("/auth/login", { email: "a@example.com", password: ["hunter2"] });
      assertStatus(refused, 400);
      assert.ok(!refused.body.includes("hunter2"));
    });
  });

  describe("failures", () => {
    it(
      "are a 500 that says nothing but its id, and reach the operator",
      async ({ full, errors }) => {
        const failed = await full.get(BUDGETS, { "x-request-id": "find-me" });
        assertStatus(failed, 500);
        assert.equal(failed.at("error"), "internal_error");
        assert.deepEqual(failed.at("details"), { requestId: "find-me" });
        assert.ok(!failed.body.includes("disk"));
        assert.equal(failed.headers["x-ratelimit-remaining"], "999");
        assert.equal(errors.length, 1);
      },
      { makeStore: failing(() => new Error("a secret about the disk")) },
    );

    it(
      "are a 503 with Retry-After while the store cannot serve",
      async ({ full, errors }) => {
        const failed = await full.get(BUDGETS);
        assertStatus(failed, 503);
        assert.equal(failed.at("error"), "service_unavailable");
        assert.equal(failed.headers["retry-after"], "5");
        assert.equal(errors.length, 1);
      },
      { makeStore: failing(() => new StoreUnavailable("the disk is full")) },
    );

    it(
      "give an idempotency key back",
      async ({ full }) => {
        const key = { "idempotency-key": "once" };
        assertStatus(await full.post(BUDGETS, aBudgetBody(), key), 503);
        assertStatus(await full.post(BUDGETS, aBudgetBody(), key), 503);
      },
      { makeStore: failing(() => new StoreUnavailable("the disk is full")) },
    );
  });
}
