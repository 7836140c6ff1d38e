import assert from "node:assert/strict";
import {
  insertBudgetCommit,
  insertEndpointCommit,
  insertKeyCommit,
  removeEndpointCommit,
  replaceEndpointCommit,
  replaceKeyCommit,
  type StoreCommit,
} from "@budgetkit/core/store";
import { aBudget, anApiKey, anEvent } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { anEndpoint } from "../webhook-fixtures.js";
import {
  aListing,
  aPlan,
  aPlanned,
  ENDPOINT_ALONE,
  madeBy,
  planned,
  SUBSCRIBERS,
  subscribeAll,
  waitingIds,
  withUrl,
} from "./plan-samples.js";
import type { Suite } from "./suite.js";
import { aLease, subscribe } from "./webhook-samples.js";

/** A plan holds for the subscribers that the business had when it was made. */
export function outdatedPlanCases({ describe, it, itWithHost }: Suite): void {
  describe("outdated plans", () => {
    for (const [name, change] of Object.entries(changes)) {
      it(`makes no planned deliveries, and waits for the fan-out, once ${name}`, async (store) => {
        await subscribeAll(store);
        assert.equal(await outcomeOf(store, change), "written");
        const leased = planned(SUBSCRIBERS, [aPlanned({ lease: aLease() })]);
        const committed = await store.commit(insertBudgetCommit(aBudget(), leased));
        assert.deepEqual(await waitingIds(store), ["90"]);
        assert.equal(await store.findDelivery("1", "70"), null);
        assert.deepEqual(madeBy(committed), []);
      });
    }

    it("makes no planned deliveries of any event of a commit whose plan is outdated", async (store) => {
      await subscribe(store, "1");
      const events = ["91", "92"].map((id) => anEvent({ id }));
      const deliveries = [aPlanned({ id: "71", eventId: "91" }), aPlanned({ id: "72", eventId: "92" })];
      await store.commit(
        insertBudgetCommit(aBudget(), { events, deliveries: aPlan(SUBSCRIBERS.slice(1), deliveries) }),
      );
      assert.deepEqual(await waitingIds(store), ["91", "92"]);
      for (const id of ["71", "72"]) assert.equal(await store.findDelivery("1", id), null);
    });

    it("makes no planned deliveries from the commit after a new subscriber, amid concurrent commits", async (store) => {
      await subscribe(store, "1");
      const commit = (id: number) => {
        const eventId = String(900 + id);
        const beside = planned(ENDPOINT_ALONE, [aPlanned({ id: String(700 + id), eventId })], { id: eventId });
        return store.commit(insertBudgetCommit(aBudget({ id: String(id) }), beside));
      };
      const before = Array.from({ length: 20 }, (_, index) => commit(index + 1));
      const subscribed = store.commit(insertEndpointCommit(anEndpoint({ id: "61" })));
      const after = Array.from({ length: 20 }, (_, index) => commit(index + 21));
      await subscribed;
      await Promise.all([...before, ...after, commit(41)]);
      const waiting = await store.findUndispatchedEvents(100);
      const first = waiting[0]?.sequence ?? 0;
      assert.deepEqual(
        waiting.map(({ sequence }) => sequence),
        Array.from({ length: 42 - first }, (_, index) => first + index),
      );
      assert.equal((await store.listDeliveries("1", aListing)).total, first - 1);
      for (const { id } of waiting) assert.equal(await store.findDelivery("1", String(Number(id) - 200)), null);
    });
  });

  describe("plans of commits that make nothing", () => {
    it("makes no planned deliveries after the last subscriber is gone, and waits for nothing", async (store) => {
      await subscribe(store, "1");
      await store.commit(removeEndpointCommit("1", "6000"));
      const leased = planned(ENDPOINT_ALONE, [aPlanned({ lease: aLease() })]);
      const committed = await store.commit(insertBudgetCommit(aBudget(), leased));
      assert.deepEqual(madeBy(committed), []);
      assert.deepEqual(await waitingIds(store), []);
      assert.equal(await store.findDelivery("1", "70"), null);
    });

    itWithHost("a host's transaction that rolls back makes no planned deliveries", async (store, host) => {
      await subscribe(store, "1");
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      await within.commit(insertBudgetCommit(aBudget(), planned(ENDPOINT_ALONE)));
      await transaction.rollback();
      assert.equal(await store.findDelivery("1", "70"), null);
    });
  });
}

const changes: Readonly<Record<string, StoreCommit>> = {
  "an endpoint was added": insertEndpointCommit(anEndpoint({ id: "61" })),
  "an endpoint was changed": replaceEndpointCommit(anEndpoint({ id: "6000", version: 2, events: [] }), 1),
  "an endpoint was disabled": replaceEndpointCommit(anEndpoint({ id: "6000", version: 2, status: "DISABLED" }), 1),
  "an endpoint was deleted": removeEndpointCommit("1", "6000"),
  "a key was added": insertKeyCommit(anApiKey({ id: "21", ...withUrl, keyHash: "another" })),
  "a key was changed": replaceKeyCommit(anApiKey({ ...withUrl, version: 2, scopes: [] }), 1),
  "a key was revoked": replaceKeyCommit(anApiKey({ ...withUrl, version: 2, status: "REVOKED" }), 1),
  "a key was left without a URL": replaceKeyCommit(anApiKey({ version: 2, webhookUrl: null }), 1),
};
