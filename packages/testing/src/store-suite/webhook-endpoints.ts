import assert from "node:assert/strict";
import {
  insertEndpointCommit,
  insertKeyCommit,
  removeEndpointCommit,
  replaceEndpointCommit,
  replaceKeyCommit,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { add, addFinished, endpoint } from "./webhook-samples.js";

export function webhookEndpointCases(suite: Suite): void {
  deleteCases(suite);
  subscriberCases(suite);
}

function deleteCases({ describe, it }: Suite): void {
  describe("deleting a webhook endpoint", () => {
    it("deleting an endpoint leaves its deliveries to be cancelled by the caller", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      await addFinished(store, "delivered", { id: "70" });
      await add(store, { id: "71" });
      await store.commit(removeEndpointCommit("1", "60"));
      assert.equal((await store.findDelivery("1", "70"))?.status, "delivered");
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 10), 1);
    });
  });
}

function subscriberCases({ describe, it }: Suite): void {
  describe("finding who may be sent events", () => {
    const called = anApiKey({ webhookUrl: "https://shop.example/hooks" });

    it("finds ACTIVE endpoints as subscribers, as they are stored", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ events: ["budget.approved"] })));
      await store.commit(insertEndpointCommit(anEndpoint({ id: "61", status: "DISABLED", disabledReason: "gone" })));
      const found = await store.findSubscribers("1");
      assert.deepEqual(found, { endpoints: [anEndpoint({ events: ["budget.approved"] })], keys: [] });
    });

    it("finds ACTIVE keys with a URL as subscribers", async (store) => {
      await store.commit(insertKeyCommit(called));
      await store.commit(insertKeyCommit({ ...called, id: "21", keyHash: "21", status: "SUSPENDED" }));
      await store.commit(insertKeyCommit({ ...called, id: "22", keyHash: "22", status: "REVOKED" }));
      await store.commit(insertKeyCommit(anApiKey({ id: "23", keyHash: "23" })));
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [called] });
    });

    it("a subscribed key has its last use, as in every other lookup", async (store) => {
      await store.commit(insertKeyCommit(called));
      await store.commit(touchKeyCommit("1", "20", NOW + 7));
      assert.equal((await store.findSubscribers("1")).keys[0]?.lastUsedAt, NOW + 7);
    });

    it("subscribers follow every change at once", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      await store.commit(insertKeyCommit(called));
      await store.commit(replaceEndpointCommit(anEndpoint({ version: 2, status: "DISABLED" }), 1));
      await store.commit(replaceKeyCommit({ ...called, version: 2, webhookUrl: null }, 1));
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [] });
      await store.commit(replaceEndpointCommit(anEndpoint({ version: 3 }), 2));
      await store.commit(replaceKeyCommit({ ...called, version: 3 }, 2));
      const found = await store.findSubscribers("1");
      assert.deepEqual([found.endpoints.length, found.keys.length], [1, 1]);
    });

    it("finds subscribers of their own business alone", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ businessId: "2" })));
      await store.commit(insertKeyCommit({ ...called, businessId: "2" }));
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [] });
      const theirs = await store.findSubscribers("2");
      assert.deepEqual([theirs.endpoints.length, theirs.keys.length], [1, 1]);
    });

    it("finds all subscribers, however many", async (store) => {
      await allAtOnce(150, (index) =>
        outcomeOf(store, insertEndpointCommit(anEndpoint({ id: String(1_000 + index) }))),
      );
      assert.equal((await store.findSubscribers("1")).endpoints.length, 150);
    });
  });
}
