import assert from "node:assert/strict";
import type { ApiKey } from "@budgetkit/core/store";
import { aClaim, anApiKey, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

export function webhookCapCases(suite: Suite): void {
  endpointCases(suite);
  newKeyCases(suite);
  changedKeyCases(suite);
}

function endpointCases({ describe, it }: Suite): void {
  describe("a limit on webhook endpoints", () => {
    it("refuses an endpoint beyond the limit, counting disabled ones (webhook-limit)", async (store) => {
      assert.equal(await store.insertEndpoint(anEndpoint({ id: "60", status: "DISABLED" }), 2), "written");
      assert.equal(await store.insertEndpoint(anEndpoint({ id: "61" }), 2), "written");
      assert.equal(await store.insertEndpoint(anEndpoint({ id: "62" }), 2), "webhook-limit");
      assert.equal(await store.findEndpoint("1", "62"), null);
      assert.equal((await store.listEndpoints("1", 10, 0)).total, 2);
    });

    it("20 concurrent callers never exceed the limit on endpoints (webhook-limit)", async (store) => {
      const outcomes = await allAtOnce(20, (index) => store.insertEndpoint(anEndpoint({ id: String(60 + index) }), 7));
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.listEndpoints("1", 10, 0)).total, 7);
    });

    it("deleting an endpoint makes room below the limit, which each business has for itself", async (store) => {
      await store.insertEndpoint(anEndpoint({ id: "60" }), 1);
      assert.equal(await store.insertEndpoint(anEndpoint({ id: "61", businessId: "2" }), 1), "written");
      await store.deleteEndpoint("1", "60");
      assert.equal(await store.insertEndpoint(anEndpoint({ id: "62" }), 1), "written");
    });
  });
}

function newKeyCases({ describe, it }: Suite): void {
  describe("a limit on keys with a webhookUrl", () => {
    it("refuses a new key beyond the limit on keys with a webhookUrl (webhook-limit)", async (store) => {
      assert.equal(await store.insertKey(calledKey("20"), null, 1), "written");
      assert.equal(await store.insertKey(calledKey("21"), null, 1), "webhook-limit");
      assert.equal(await store.findKey("1", "21"), null);
    });

    it("the limit on keys with a webhookUrl ignores keys without one, or not ACTIVE", async (store) => {
      await store.insertKey(calledKey("20"), null, 1);
      assert.equal(await store.insertKey(calledKey("21", { webhookUrl: null }), null, 1), "written");
      assert.equal(await store.insertKey(calledKey("22", { status: "SUSPENDED" }), null, 1), "written");
      assert.equal(await store.insertKey(calledKey("23", { businessId: "2" }), null, 1), "written");
      assert.equal(await store.insertKey(calledKey("24"), null, 2), "written");
    });

    it("20 concurrent callers never exceed the limit on keys with a webhookUrl (webhook-limit)", async (store) => {
      const outcomes = await allAtOnce(20, (index) => store.insertKey(calledKey(String(20 + index)), null, 7));
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.findSubscribers("1")).keys.length, 7);
    });

    it("a key refused for its webhookUrl leaves its idempotency record uncompleted", async (store) => {
      await store.insertKey(calledKey("20"), null, 1);
      await store.claimKey(aClaim(), NOW);
      assert.equal(await store.insertKey(calledKey("21"), anIdempotencyRecord(), 1), "webhook-limit");
      assert.equal((await store.claimKey(aClaim({ claimId: "another" }), NOW)).kind, "in-flight");
      assert.equal(await store.insertKey(calledKey("21"), anIdempotencyRecord(), 2), "written");
    });
  });
}

function changedKeyCases({ describe, it }: Suite): void {
  describe("a limit on keys with a webhookUrl, as keys change", () => {
    it("refuses a webhookUrl, or reactivation, of a key beyond the limit (webhook-limit)", async (store) => {
      await store.insertKey(calledKey("20"), null);
      await store.insertKey(calledKey("21", { webhookUrl: null }), null);
      await store.insertKey(calledKey("22", { status: "SUSPENDED" }), null);
      for (const id of ["21", "22"]) {
        const before = await store.findKey("1", id);
        assert.equal(await store.replaceKey(calledKey(id, { version: 2 }), 1, 1), "webhook-limit");
        assert.deepEqual(await store.findKey("1", id), before);
        assert.equal(await store.replaceKey(calledKey(id, { version: 3 }), 2, 1), "stale");
      }
      assert.equal(await store.replaceKey(calledKey("21", { version: 2 }), 1, 2), "written");
    });

    it("the limit on keys with a webhookUrl hinders no other change, even beyond it", async (store) => {
      for (const id of ["20", "21"]) await store.insertKey(calledKey(id), null);
      assert.equal(await store.replaceKey(calledKey("20", { version: 2, name: "renamed" }), 1, 1), "written");
      assert.equal(await store.replaceKey(calledKey("20", { version: 3, webhookUrl: null }), 2, 1), "written");
      assert.equal(await store.replaceKey(calledKey("21", { version: 2, status: "SUSPENDED" }), 1, 1), "written");
      assert.equal(await store.replaceKey(calledKey("20", { version: 4 }), 3, 1), "written");
    });

    it("10 keys that get a URL concurrently never exceed the limit (webhook-limit)", async (store) => {
      await allAtOnce(10, (index) => store.insertKey(calledKey(String(20 + index), { webhookUrl: null }), null));
      const outcomes = await allAtOnce(10, (index) =>
        store.replaceKey(calledKey(String(20 + index), { version: 2 }), 1, 4),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "webhook-limit")], [4, 6]);
    });

    it("refuses a webhookUrl for an unknown key (stale)", async (store) => {
      await store.insertKey(calledKey("20"), null);
      assert.equal(await store.replaceKey(calledKey("21", { version: 2 }), 1, 1), "stale");
      assert.equal(await store.replaceKey(calledKey("20", { businessId: "2", version: 2 }), 1, 0), "stale");
    });
  });
}

/** A key that callbacks go to. */
function calledKey(id: string, overrides: Partial<ApiKey> = {}): ApiKey {
  return anApiKey({ id, keyHash: `hash of ${id}`, webhookUrl: "https://shop.example/hooks", ...overrides });
}
