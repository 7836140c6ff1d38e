import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import { anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { add, addFinished, claimIds, endpoint } from "./webhook-samples.js";

export function webhookEndpointCases(suite: Suite): void {
  writeCases(suite);
  listCases(suite);
  deleteCases(suite);
  subscriberCases(suite);
}

function writeCases({ describe, it }: Suite): void {
  describe("a webhook endpoint", () => {
    it("finds an endpoint within its business", async (store) => {
      await store.insertEndpoint(anEndpoint());
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
      assert.equal(await store.findEndpoint("2", "60"), null);
      assert.equal(await store.findEndpoint("1", "61"), null);
    });

    it("rejects an endpoint whose id is taken, and keeps the first", async (store) => {
      await store.insertEndpoint(anEndpoint({ description: "first" }));
      await assert.rejects(store.insertEndpoint(anEndpoint({ description: "second" })));
      assert.equal((await store.findEndpoint("1", "60"))?.description, "first");
    });

    it("allows the same endpoint id in two businesses", async (store) => {
      await store.insertEndpoint(anEndpoint({ description: "ours" }));
      await store.insertEndpoint(anEndpoint({ businessId: "2", description: "theirs" }));
      assert.equal((await store.findEndpoint("1", "60"))?.description, "ours");
      assert.equal((await store.findEndpoint("2", "60"))?.description, "theirs");
    });

    it("replaces an endpoint at the expected version", async (store) => {
      await store.insertEndpoint(anEndpoint());
      const next = anEndpoint({ version: 2, status: "DISABLED", disabledReason: "gone", url: "https://b.example/" });
      assert.equal(await store.replaceEndpoint(next, 1), "written");
      assert.deepEqual(await store.findEndpoint("1", "60"), next);
      assert.deepEqual((await store.listEndpoints("1", 10, 0)).entries, [next]);
    });

    it("refuses to replace an endpoint at a past version (stale)", async (store) => {
      await store.insertEndpoint(anEndpoint({ version: 3 }));
      assert.equal(await store.replaceEndpoint(anEndpoint({ version: 3, status: "DISABLED" }), 2), "stale");
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint({ version: 3 }));
    });

    it("refuses to replace an unknown endpoint, and adds none (stale)", async (store) => {
      assert.equal(await store.replaceEndpoint(anEndpoint({ version: 2 }), 1), "stale");
      assert.equal(await store.findEndpoint("1", "60"), null);
    });

    it("refuses to replace another business's endpoint (stale)", async (store) => {
      await store.insertEndpoint(anEndpoint());
      assert.equal(await store.replaceEndpoint(anEndpoint({ businessId: "2", version: 2 }), 1), "stale");
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
    });

    it("lets exactly one of 20 writers of the same endpoint version through", async (store) => {
      await store.insertEndpoint(anEndpoint());
      const outcomes = await allAtOnce(20, (index) =>
        store.replaceEndpoint(anEndpoint({ version: 2, description: `n${index}` }), 1),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal((await store.findEndpoint("1", "60"))?.description, `n${outcomes.indexOf("written")}`);
    });
  });
}

function listCases({ describe, it }: Suite): void {
  describe("listing webhook endpoints", () => {
    it("lists endpoints newest first, and the higher id among those of one moment", async (store) => {
      for (const [id, age] of [
        ["60", 3],
        ["9", 1],
        ["100", 1],
        ["61", 2],
      ] as const) {
        await store.insertEndpoint(anEndpoint({ id, createdAt: NOW - age }));
      }
      assert.deepEqual(await endpointIds(store, 10, 0), ["100", "9", "61", "60"]);
    });

    it("pages of endpoints together hold each once, and count the whole list", async (store) => {
      await allAtOnce(5, (index) => store.insertEndpoint(anEndpoint({ id: String(60 + index) })));
      const ids = [];
      for (const offset of [0, 2, 4, 6]) {
        ids.push(...(await endpointIds(store, 2, offset)));
        assert.equal((await store.listEndpoints("1", 2, offset)).total, 5);
      }
      assert.deepEqual(ids, ["64", "63", "62", "61", "60"]);
    });

    it("lists endpoints of their own business, disabled ones included", async (store) => {
      await store.insertEndpoint(anEndpoint({ status: "DISABLED" }));
      await store.insertEndpoint(anEndpoint({ businessId: "2", id: "61" }));
      assert.deepEqual(await endpointIds(store, 10, 0), ["60"]);
      assert.equal((await store.listEndpoints("3", 10, 0)).total, 0);
    });
  });
}

function deleteCases({ describe, it }: Suite): void {
  describe("deleting a webhook endpoint", () => {
    it("deletes an endpoint once", async (store) => {
      await store.insertEndpoint(anEndpoint());
      assert.equal(await store.deleteEndpoint("1", "60"), true);
      assert.equal(await store.findEndpoint("1", "60"), null);
      assert.equal((await store.listEndpoints("1", 10, 0)).total, 0);
      assert.equal(await store.deleteEndpoint("1", "60"), false);
      assert.equal(await store.replaceEndpoint(anEndpoint({ version: 2 }), 1), "stale");
    });

    it("deletes an endpoint for one of 10 concurrent callers", async (store) => {
      await store.insertEndpoint(anEndpoint());
      const answers = await allAtOnce(10, () => store.deleteEndpoint("1", "60"));
      assert.equal(countOf(answers, true), 1);
    });

    it("deleting an endpoint leaves its deliveries to be cancelled by the caller", async (store) => {
      await store.insertEndpoint(anEndpoint());
      await addFinished(store, "delivered", { id: "70" });
      await add(store, { id: "71" });
      await store.deleteEndpoint("1", "60");
      assert.equal((await store.findDelivery("1", "70"))?.status, "delivered");
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 10), 1);
    });

    it("deletes no endpoint of another business, and none of its deliveries", async (store) => {
      await store.insertEndpoint(anEndpoint());
      await add(store, {});
      assert.equal(await store.deleteEndpoint("2", "60"), false);
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
      assert.deepEqual(await claimIds(store), ["70"]);
    });
  });
}

function subscriberCases({ describe, it }: Suite): void {
  describe("finding who may be sent events", () => {
    const called = anApiKey({ webhookUrl: "https://shop.example/hooks" });

    it("finds ACTIVE endpoints as subscribers, as they are stored", async (store) => {
      await store.insertEndpoint(anEndpoint({ events: ["budget.approved"] }));
      await store.insertEndpoint(anEndpoint({ id: "61", status: "DISABLED", disabledReason: "gone" }));
      const found = await store.findSubscribers("1");
      assert.deepEqual(found, { endpoints: [anEndpoint({ events: ["budget.approved"] })], keys: [] });
    });

    it("finds ACTIVE keys with a URL as subscribers", async (store) => {
      await store.insertKey(called, null);
      await store.insertKey({ ...called, id: "21", keyHash: "21", status: "SUSPENDED" }, null);
      await store.insertKey({ ...called, id: "22", keyHash: "22", status: "REVOKED" }, null);
      await store.insertKey(anApiKey({ id: "23", keyHash: "23" }), null);
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [called] });
    });

    it("a subscribed key has its last use, as in every other lookup", async (store) => {
      await store.insertKey(called, null);
      await store.touchKey("1", "20", NOW + 7);
      assert.equal((await store.findSubscribers("1")).keys[0]?.lastUsedAt, NOW + 7);
    });

    it("subscribers follow every change at once", async (store) => {
      await store.insertEndpoint(anEndpoint());
      await store.insertKey(called, null);
      await store.replaceEndpoint(anEndpoint({ version: 2, status: "DISABLED" }), 1);
      await store.replaceKey({ ...called, version: 2, webhookUrl: null }, 1);
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [] });
      await store.replaceEndpoint(anEndpoint({ version: 3 }), 2);
      await store.replaceKey({ ...called, version: 3 }, 2);
      const found = await store.findSubscribers("1");
      assert.deepEqual([found.endpoints.length, found.keys.length], [1, 1]);
    });

    it("finds subscribers of their own business alone", async (store) => {
      await store.insertEndpoint(anEndpoint({ businessId: "2" }));
      await store.insertKey({ ...called, businessId: "2" }, null);
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [] });
      const theirs = await store.findSubscribers("2");
      assert.deepEqual([theirs.endpoints.length, theirs.keys.length], [1, 1]);
    });

    it("finds all subscribers, however many", async (store) => {
      await allAtOnce(150, (index) => store.insertEndpoint(anEndpoint({ id: String(1_000 + index) })));
      assert.equal((await store.findSubscribers("1")).endpoints.length, 150);
    });
  });
}

async function endpointIds(store: Store, limit: number, offset: number): Promise<string[]> {
  return (await store.listEndpoints("1", limit, offset)).entries.map(({ id }) => id);
}
