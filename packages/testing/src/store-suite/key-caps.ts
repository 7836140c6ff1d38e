import assert from "node:assert/strict";
import type { ApiKey } from "@budgetkit/core/store";
import { aClaim, anApiKey, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const ANY = Number.POSITIVE_INFINITY;

export function keyCapCases(suite: Suite): void {
  keyCases(suite);
  integrationCases(suite);
}

function keyCases({ describe, it }: Suite): void {
  describe("a limit on keys that are not revoked", () => {
    it("refuses a key beyond the limit, counting suspended keys and no revoked ones (key-limit)", async (store) => {
      await store.insertKey(key("20", { status: "REVOKED" }), null);
      assert.equal(await store.insertKey(key("21", { status: "SUSPENDED" }), null, ANY, 2), "written");
      assert.equal(await store.insertKey(key("22"), null, ANY, 2), "written");
      assert.equal(await store.insertKey(key("23"), null, ANY, 2), "key-limit");
      assert.equal(await store.findKey("1", "23"), null);
      assert.equal((await store.listKeys("1", 10, 0)).total, 3);
    });

    it("20 concurrent callers never exceed the limit on keys (key-limit)", async (store) => {
      const outcomes = await allAtOnce(20, (index) => store.insertKey(key(String(20 + index)), null, ANY, 7));
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.listKeys("1", 10, 0)).total, 7);
    });

    it("revoking a key makes room below the limit, which each business has for itself", async (store) => {
      await store.insertKey(key("20"), null, ANY, 1);
      assert.equal(await store.insertKey(key("21", { businessId: "2" }), null, ANY, 1), "written");
      assert.equal(await store.replaceKey(key("20", { version: 2, status: "REVOKED" }), 1), "written");
      assert.equal(await store.insertKey(key("22"), null, ANY, 1), "written");
    });

    it("the limit on keys applies beside that on keys with a webhookUrl", async (store) => {
      const called = { webhookUrl: "https://shop.example/hooks" };
      await store.insertKey(key("20", called), null);
      assert.equal(await store.insertKey(key("21", called), null, 1, 2), "webhook-limit");
      assert.equal(await store.insertKey(key("22"), null, 1, 2), "written");
      assert.equal(await store.insertKey(key("23"), null, 1, 2), "key-limit");
    });

    it("a refused key leaves its idempotency record uncompleted", async (store) => {
      await store.insertKey(key("20"), null);
      await store.claimKey(aClaim(), NOW);
      assert.equal(await store.insertKey(key("21"), anIdempotencyRecord(), ANY, 1), "key-limit");
      assert.equal(await store.insertKey(key("21"), anIdempotencyRecord(), ANY, 2), "written");
    });
  });
}

function integrationCases({ describe, it }: Suite): void {
  describe("a limit on integrations", () => {
    it("refuses an integration beyond the limit, counting inactive ones (integration-limit)", async (store) => {
      assert.equal(await store.insertIntegration(anIntegration({ id: "50", status: "INACTIVE" }), 2), "written");
      assert.equal(await store.insertIntegration(anIntegration({ id: "51" }), 2), "written");
      assert.equal(await store.insertIntegration(anIntegration({ id: "52" }), 2), "integration-limit");
      assert.equal(await store.findIntegration("1", "52"), null);
      assert.equal((await store.listIntegrations("1", 10, 0)).total, 2);
    });

    it("20 concurrent callers never exceed the limit on integrations (integration-limit)", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        store.insertIntegration(anIntegration({ id: String(50 + index) }), 7),
      );
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.listIntegrations("1", 10, 0)).total, 7);
    });

    it("deleting an integration makes room below the limit, which each business has for itself", async (store) => {
      await store.insertIntegration(anIntegration({ id: "50" }), 1);
      assert.equal(await store.insertIntegration(anIntegration({ id: "51", businessId: "2" }), 1), "written");
      await store.deleteIntegration("1", "50");
      assert.equal(await store.insertIntegration(anIntegration({ id: "52" }), 1), "written");
    });
  });
}

function key(id: string, overrides: Partial<ApiKey> = {}): ApiKey {
  return anApiKey({ id, keyHash: `hash of ${id}`, ...overrides });
}
