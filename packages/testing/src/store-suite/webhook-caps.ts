import assert from "node:assert/strict";
import type { ApiKey } from "@budgetkit/core/store";
import {
  insertEndpointCommit,
  insertKeyCommit,
  NO_KEY_LIMITS,
  removeEndpointCommit,
  replaceKeyCommit,
} from "@budgetkit/core/store";
import { aClaim, anApiKey, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

export function webhookCapCases(suite: Suite): void {
  endpointCases(suite);
  newKeyCases(suite);
  changedKeyCases(suite);
}

function endpointCases({ describe, it }: Suite): void {
  describe("a limit on webhook endpoints", () => {
    it("is met and not passed, disabled ones counted", async (store) => {
      assert.equal(
        await outcomeOf(store, insertEndpointCommit(anEndpoint({ id: "60", status: "DISABLED" }), 2)),
        "written",
      );
      assert.equal(await outcomeOf(store, insertEndpointCommit(anEndpoint({ id: "61" }), 2)), "written");
      assert.equal(await outcomeOf(store, insertEndpointCommit(anEndpoint({ id: "62" }), 2)), "webhook-limit");
      assert.equal(await store.findEndpoint("1", "62"), null);
      assert.equal((await store.listEndpoints("1", 10, 0)).total, 2);
    });

    it("is not passed by 20 callers at once", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertEndpointCommit(anEndpoint({ id: String(60 + index) }), 7)),
      );
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.listEndpoints("1", 10, 0)).total, 7);
    });

    it("leaves a place when one is deleted, and counts each business by itself", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ id: "60" }), 1));
      assert.equal(
        await outcomeOf(store, insertEndpointCommit(anEndpoint({ id: "61", businessId: "2" }), 1)),
        "written",
      );
      await store.commit(removeEndpointCommit("1", "60"));
      assert.equal(await outcomeOf(store, insertEndpointCommit(anEndpoint({ id: "62" }), 1)), "written");
    });
  });
}

function newKeyCases({ describe, it }: Suite): void {
  describe("a limit on keys with a webhookUrl", () => {
    it("is met and not passed by new keys", async (store) => {
      assert.equal(
        await outcomeOf(store, insertKeyCommit(calledKey("20"), { ...NO_KEY_LIMITS, withWebhook: 1 })),
        "written",
      );
      assert.equal(
        await outcomeOf(store, insertKeyCommit(calledKey("21"), { ...NO_KEY_LIMITS, withWebhook: 1 })),
        "webhook-limit",
      );
      assert.equal(await store.findKey("1", "21"), null);
    });

    it("is no matter to keys without one, or that are not ACTIVE", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20"), { ...NO_KEY_LIMITS, withWebhook: 1 }));
      assert.equal(
        await outcomeOf(
          store,
          insertKeyCommit(calledKey("21", { webhookUrl: null }), { ...NO_KEY_LIMITS, withWebhook: 1 }),
        ),
        "written",
      );
      assert.equal(
        await outcomeOf(
          store,
          insertKeyCommit(calledKey("22", { status: "SUSPENDED" }), { ...NO_KEY_LIMITS, withWebhook: 1 }),
        ),
        "written",
      );
      assert.equal(
        await outcomeOf(
          store,
          insertKeyCommit(calledKey("23", { businessId: "2" }), { ...NO_KEY_LIMITS, withWebhook: 1 }),
        ),
        "written",
      );
      assert.equal(
        await outcomeOf(store, insertKeyCommit(calledKey("24"), { ...NO_KEY_LIMITS, withWebhook: 2 })),
        "written",
      );
    });

    it("is not passed by 20 callers at once", async (store) => {
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, insertKeyCommit(calledKey(String(20 + index)), { ...NO_KEY_LIMITS, withWebhook: 7 })),
      );
      assert.equal(countOf(outcomes, "written"), 7);
      assert.equal((await store.findSubscribers("1")).keys.length, 7);
    });

    it("leaves the receipt of a key that was refused uncompleted", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20"), { ...NO_KEY_LIMITS, withWebhook: 1 }));
      await store.claimKey(aClaim(), NOW);
      assert.equal(
        await outcomeOf(store, {
          ...insertKeyCommit(calledKey("21"), { ...NO_KEY_LIMITS, withWebhook: 1 }),
          completes: anIdempotencyRecord(),
        }),
        "webhook-limit",
      );
      assert.equal((await store.claimKey(aClaim({ claimId: "another" }), NOW)).kind, "in-flight");
      assert.equal(
        await outcomeOf(store, {
          ...insertKeyCommit(calledKey("21"), { ...NO_KEY_LIMITS, withWebhook: 2 }),
          completes: anIdempotencyRecord(),
        }),
        "written",
      );
    });
  });
}

function changedKeyCases({ describe, it }: Suite): void {
  describe("a limit on keys with a webhookUrl, as keys change", () => {
    it("is not passed by one that is given a URL, or made ACTIVE again", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20")));
      await store.commit(insertKeyCommit(calledKey("21", { webhookUrl: null })));
      await store.commit(insertKeyCommit(calledKey("22", { status: "SUSPENDED" })));
      for (const id of ["21", "22"]) {
        const before = await store.findKey("1", id);
        assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey(id, { version: 2 }), 1, 1)), "webhook-limit");
        assert.deepEqual(await store.findKey("1", id), before);
        assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey(id, { version: 3 }), 2, 1)), "stale");
      }
      assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey("21", { version: 2 }), 1, 2)), "written");
    });

    it("hinders no other change, even beyond it", async (store) => {
      for (const id of ["20", "21"]) await store.commit(insertKeyCommit(calledKey(id)));
      assert.equal(
        await outcomeOf(store, replaceKeyCommit(calledKey("20", { version: 2, name: "renamed" }), 1, 1)),
        "written",
      );
      assert.equal(
        await outcomeOf(store, replaceKeyCommit(calledKey("20", { version: 3, webhookUrl: null }), 2, 1)),
        "written",
      );
      assert.equal(
        await outcomeOf(store, replaceKeyCommit(calledKey("21", { version: 2, status: "SUSPENDED" }), 1, 1)),
        "written",
      );
      assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey("20", { version: 4 }), 3, 1)), "written");
    });

    it("is not passed by 10 keys that are given a URL at once", async (store) => {
      await allAtOnce(10, (index) =>
        outcomeOf(store, insertKeyCommit(calledKey(String(20 + index), { webhookUrl: null }))),
      );
      const outcomes = await allAtOnce(10, (index) =>
        outcomeOf(store, replaceKeyCommit(calledKey(String(20 + index), { version: 2 }), 1, 4)),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "webhook-limit")], [4, 6]);
    });

    it("answers stale for a key that is not there", async (store) => {
      await store.commit(insertKeyCommit(calledKey("20")));
      assert.equal(await outcomeOf(store, replaceKeyCommit(calledKey("21", { version: 2 }), 1, 1)), "stale");
      assert.equal(
        await outcomeOf(store, replaceKeyCommit(calledKey("20", { businessId: "2", version: 2 }), 1, 0)),
        "stale",
      );
    });
  });
}

/** A key that callbacks go to. */
function calledKey(id: string, overrides: Partial<ApiKey> = {}): ApiKey {
  return anApiKey({ id, keyHash: `hash of ${id}`, webhookUrl: "https://shop.example/hooks", ...overrides });
}
