import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import {
  insertEndpointCommit,
  insertKeyCommit,
  removeEndpointCommit,
  replaceEndpointCommit,
  replaceKeyCommit,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { isWritten, outcomeOf } from "../outcome.js";
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
    it("is found within its business", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
      assert.equal(await store.findEndpoint("2", "60"), null);
      assert.equal(await store.findEndpoint("1", "61"), null);
    });

    it("rejects an id that is taken, and stays as it was", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ description: "first" })));
      await assert.rejects(outcomeOf(store, insertEndpointCommit(anEndpoint({ description: "second" }))));
      assert.equal((await store.findEndpoint("1", "60"))?.description, "first");
    });

    it("may have an id that another business uses", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ description: "ours" })));
      await store.commit(insertEndpointCommit(anEndpoint({ businessId: "2", description: "theirs" })));
      assert.equal((await store.findEndpoint("1", "60"))?.description, "ours");
      assert.equal((await store.findEndpoint("2", "60"))?.description, "theirs");
    });

    it("is replaced at the version expected", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      const next = anEndpoint({ version: 2, status: "DISABLED", disabledReason: "gone", url: "https://b.example/" });
      assert.equal(await outcomeOf(store, replaceEndpointCommit(next, 1)), "written");
      assert.deepEqual(await store.findEndpoint("1", "60"), next);
      assert.deepEqual((await store.listEndpoints("1", 10, 0)).entries, [next]);
    });

    it("is stale for a version that is past, and stays as it was", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ version: 3 })));
      assert.equal(
        await outcomeOf(store, replaceEndpointCommit(anEndpoint({ version: 3, status: "DISABLED" }), 2)),
        "stale",
      );
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint({ version: 3 }));
    });

    it("is stale when it is not there, and is not added", async (store) => {
      assert.equal(await outcomeOf(store, replaceEndpointCommit(anEndpoint({ version: 2 }), 1)), "stale");
      assert.equal(await store.findEndpoint("1", "60"), null);
    });

    it("is stale for another business", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      assert.equal(
        await outcomeOf(store, replaceEndpointCommit(anEndpoint({ businessId: "2", version: 2 }), 1)),
        "stale",
      );
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
    });

    it("lets exactly one of 20 writers of the same version through", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, replaceEndpointCommit(anEndpoint({ version: 2, description: `n${index}` }), 1)),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal((await store.findEndpoint("1", "60"))?.description, `n${outcomes.indexOf("written")}`);
    });
  });
}

function listCases({ describe, it }: Suite): void {
  describe("listing webhook endpoints", () => {
    it("gives the newest first, and the higher id among those of one moment", async (store) => {
      for (const [id, age] of [
        ["60", 3],
        ["9", 1],
        ["100", 1],
        ["61", 2],
      ] as const) {
        await store.commit(insertEndpointCommit(anEndpoint({ id, createdAt: NOW - age })));
      }
      assert.deepEqual(await endpointIds(store, 10, 0), ["100", "9", "61", "60"]);
    });

    it("gives pages that together hold each once, and counts the whole list", async (store) => {
      await allAtOnce(5, (index) => outcomeOf(store, insertEndpointCommit(anEndpoint({ id: String(60 + index) }))));
      const ids = [];
      for (const offset of [0, 2, 4, 6]) {
        ids.push(...(await endpointIds(store, 2, offset)));
        assert.equal((await store.listEndpoints("1", 2, offset)).total, 5);
      }
      assert.deepEqual(ids, ["64", "63", "62", "61", "60"]);
    });

    it("keeps to the business, disabled ones included", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ status: "DISABLED" })));
      await store.commit(insertEndpointCommit(anEndpoint({ businessId: "2", id: "61" })));
      assert.deepEqual(await endpointIds(store, 10, 0), ["60"]);
      assert.equal((await store.listEndpoints("3", 10, 0)).total, 0);
    });
  });
}

function deleteCases({ describe, it }: Suite): void {
  describe("deleting a webhook endpoint", () => {
    it("removes it, once", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      assert.equal(await isWritten(store, removeEndpointCommit("1", "60")), true);
      assert.equal(await store.findEndpoint("1", "60"), null);
      assert.equal((await store.listEndpoints("1", 10, 0)).total, 0);
      assert.equal(await isWritten(store, removeEndpointCommit("1", "60")), false);
      assert.equal(await outcomeOf(store, replaceEndpointCommit(anEndpoint({ version: 2 }), 1)), "stale");
    });

    it("is answered true to one of 10 callers at once", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      const answers = await allAtOnce(10, () => isWritten(store, removeEndpointCommit("1", "60")));
      assert.equal(countOf(answers, true), 1);
    });

    it("leaves its deliveries to be cancelled by the caller", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      await addFinished(store, "delivered", { id: "70" });
      await add(store, { id: "71" });
      await store.commit(removeEndpointCommit("1", "60"));
      assert.equal((await store.findDelivery("1", "70"))?.status, "delivered");
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 10), 1);
    });

    it("does nothing to another business's endpoint and its deliveries", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      await add(store, {});
      assert.equal(await isWritten(store, removeEndpointCommit("2", "60")), false);
      assert.deepEqual(await store.findEndpoint("1", "60"), anEndpoint());
      assert.deepEqual(await claimIds(store), ["70"]);
    });
  });
}

function subscriberCases({ describe, it }: Suite): void {
  describe("finding who may be sent events", () => {
    const called = anApiKey({ webhookUrl: "https://shop.example/hooks" });

    it("gives the endpoints that are ACTIVE, as they are stored", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ events: ["budget.approved"] })));
      await store.commit(insertEndpointCommit(anEndpoint({ id: "61", status: "DISABLED", disabledReason: "gone" })));
      const found = await store.findSubscribers("1");
      assert.deepEqual(found, { endpoints: [anEndpoint({ events: ["budget.approved"] })], keys: [] });
    });

    it("gives the keys that are ACTIVE and have a URL", async (store) => {
      await store.commit(insertKeyCommit(called));
      await store.commit(insertKeyCommit({ ...called, id: "21", keyHash: "21", status: "SUSPENDED" }));
      await store.commit(insertKeyCommit({ ...called, id: "22", keyHash: "22", status: "REVOKED" }));
      await store.commit(insertKeyCommit(anApiKey({ id: "23", keyHash: "23" })));
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [called] });
    });

    it("gives the last use of a key, as every other lookup does", async (store) => {
      await store.commit(insertKeyCommit(called));
      await store.commit(touchKeyCommit("1", "20", NOW + 7));
      assert.equal((await store.findSubscribers("1")).keys[0]?.lastUsedAt, NOW + 7);
    });

    it("follows every change at once", async (store) => {
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

    it("keeps to the business", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint({ businessId: "2" })));
      await store.commit(insertKeyCommit({ ...called, businessId: "2" }));
      assert.deepEqual(await store.findSubscribers("1"), { endpoints: [], keys: [] });
      const theirs = await store.findSubscribers("2");
      assert.deepEqual([theirs.endpoints.length, theirs.keys.length], [1, 1]);
    });

    it("gives all of them, however many there are", async (store) => {
      await allAtOnce(150, (index) =>
        outcomeOf(store, insertEndpointCommit(anEndpoint({ id: String(1_000 + index) }))),
      );
      assert.equal((await store.findSubscribers("1")).endpoints.length, 150);
    });
  });
}

async function endpointIds(store: Store, limit: number, offset: number): Promise<string[]> {
  return (await store.listEndpoints("1", limit, offset)).entries.map(({ id }) => id);
}
