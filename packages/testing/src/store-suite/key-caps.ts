import assert from "node:assert/strict";
import type { ApiKey } from "@budgetkit/core/store";
import {
  insertIntegrationCommit,
  insertKeyCommit,
  NO_KEY_LIMITS,
  removeIntegrationCommit,
  replaceKeyCommit,
} from "@budgetkit/core/store";
import { aClaim, anApiKey, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const ANY = Number.POSITIVE_INFINITY;

export function keyCapCases(suite: Suite): void {
  keyCases(suite);
  integrationCases(suite);
}

function keyCases({ describe, it }: Suite): void {
  describe("a limit on keys that are not revoked", () => {
    it("is met and not passed, suspended ones counted and revoked ones not", async (store) => {
      await store.commit(insertKeyCommit(key("20", { status: "REVOKED" })));
      assert.equal(
        await outcomeOf(
          store,
          insertKeyCommit(key("21", { status: "SUSPENDED" }), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 2 }),
        ),
        "written",
      );
      assert.equal(
        await outcomeOf(store, insertKeyCommit(key("22"), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 2 })),
        "written",
      );
      assert.equal(
        await outcomeOf(store, insertKeyCommit(key("23"), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 2 })),
        "key-limit",
      );
      assert.equal(await store.findKey("1", "23"), null);
      assert.equal((await store.listKeys("1", 10, 0)).total, 3);
    });

    it("is not passed by 20 callers at once", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertKeyCommit(key(String(20 + index)), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 7 })),
      );
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.listKeys("1", 10, 0)).total, 7);
    });

    it("leaves a place when one is revoked, and counts each business by itself", async (store) => {
      await store.commit(insertKeyCommit(key("20"), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 1 }));
      assert.equal(
        await outcomeOf(
          store,
          insertKeyCommit(key("21", { businessId: "2" }), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 1 }),
        ),
        "written",
      );
      assert.equal(
        await outcomeOf(store, replaceKeyCommit(key("20", { version: 2, status: "REVOKED" }), 1)),
        "written",
      );
      assert.equal(
        await outcomeOf(store, insertKeyCommit(key("22"), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 1 })),
        "written",
      );
    });

    it("holds beside that on keys with a webhookUrl", async (store) => {
      const called = { webhookUrl: "https://shop.example/hooks" };
      await store.commit(insertKeyCommit(key("20", called)));
      assert.equal(
        await outcomeOf(store, insertKeyCommit(key("21", called), { ...NO_KEY_LIMITS, withWebhook: 1, keys: 2 })),
        "webhook-limit",
      );
      assert.equal(
        await outcomeOf(store, insertKeyCommit(key("22"), { ...NO_KEY_LIMITS, withWebhook: 1, keys: 2 })),
        "written",
      );
      assert.equal(
        await outcomeOf(store, insertKeyCommit(key("23"), { ...NO_KEY_LIMITS, withWebhook: 1, keys: 2 })),
        "key-limit",
      );
    });

    it("leaves the receipt of a key that was refused uncompleted", async (store) => {
      await store.commit(insertKeyCommit(key("20")));
      await store.claimKey(aClaim(), NOW);
      assert.equal(
        await outcomeOf(store, {
          ...insertKeyCommit(key("21"), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 1 }),
          completes: anIdempotencyRecord(),
        }),
        "key-limit",
      );
      assert.equal(
        await outcomeOf(store, {
          ...insertKeyCommit(key("21"), { ...NO_KEY_LIMITS, withWebhook: ANY, keys: 2 }),
          completes: anIdempotencyRecord(),
        }),
        "written",
      );
    });
  });
}

function integrationCases({ describe, it }: Suite): void {
  describe("a limit on integrations", () => {
    it("is met and not passed, inactive ones counted", async (store) => {
      assert.equal(
        await outcomeOf(store, insertIntegrationCommit(anIntegration({ id: "50", status: "INACTIVE" }), 2)),
        "written",
      );
      assert.equal(await outcomeOf(store, insertIntegrationCommit(anIntegration({ id: "51" }), 2)), "written");
      assert.equal(
        await outcomeOf(store, insertIntegrationCommit(anIntegration({ id: "52" }), 2)),
        "integration-limit",
      );
      assert.equal(await store.findIntegration("1", "52"), null);
      assert.equal((await store.listIntegrations("1", 10, 0)).total, 2);
    });

    it("is not passed by 20 callers at once", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertIntegrationCommit(anIntegration({ id: String(50 + index) }), 7)),
      );
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.listIntegrations("1", 10, 0)).total, 7);
    });

    it("leaves a place when one is deleted, and counts each business by itself", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration({ id: "50" }), 1));
      assert.equal(
        await outcomeOf(store, insertIntegrationCommit(anIntegration({ id: "51", businessId: "2" }), 1)),
        "written",
      );
      await store.commit(removeIntegrationCommit("1", "50"));
      assert.equal(await outcomeOf(store, insertIntegrationCommit(anIntegration({ id: "52" }), 1)), "written");
    });
  });
}

function key(id: string, overrides: Partial<ApiKey> = {}): ApiKey {
  return anApiKey({ id, keyHash: `hash of ${id}`, ...overrides });
}
