import assert from "node:assert/strict";
import { DAY_MS, type Store } from "@budgetkit/core/store";
import { anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { aDelivery, aDeliveryQuery } from "../webhook-fixtures.js";
import { removeEntries } from "./ledger-retention.js";
import { allAtOnce, type Suite } from "./suite.js";
import { aDueClaim, add, addFinished, aSettlement, claimIds, commitEvents } from "./webhook-samples.js";

/** Deliveries that were finished by `aSettlement` count from this moment. */
const FINISHED = aSettlement().now;

export function webhookPruningCases(suite: Suite): void {
  deliveryCases(suite);
  eventCases(suite);
}

function deliveryCases({ describe, it }: Suite): void {
  describe("pruning deliveries", () => {
    for (const status of ["delivered", "failed", "cancelled"] as const) {
      it(`prunes deliveries that are ${status}, with their attempts`, async (store) => {
        await addFinished(store, status);
        assert.equal(await store.pruneDeliveries(FINISHED + 1, 10), 1);
        assert.equal(await store.findDelivery("1", "70"), null);
        assert.deepEqual(await store.listAttempts("1", "70"), []);
        assert.equal((await store.listDeliveries("1", aDeliveryQuery())).total, 0);
      });
    }

    it("prunes deliveries by when they were finished, that moment excluded", async (store) => {
      await addFinished(store, "delivered", { createdAt: NOW - 99 * DAY_MS });
      assert.equal(await store.pruneDeliveries(FINISHED, 10), 0);
      assert.equal((await store.listAttempts("1", "70")).length, 1);
      assert.equal(await store.pruneDeliveries(FINISHED + 1, 10), 1);
    });

    it("prunes no delivery that waits or is under way, however old", async (store) => {
      await add(
        store,
        { id: "70" },
        { id: "71", status: "retrying", nextAttemptAt: NOW + 99 },
        { id: "72", nextAttemptAt: null },
      );
      await store.claimDue(aDueClaim());
      const before = await store.listDeliveries("1", aDeliveryQuery());
      assert.equal(await store.pruneDeliveries(NOW + 99 * DAY_MS, 10), 0);
      assert.deepEqual(await store.listDeliveries("1", aDeliveryQuery()), before);
      assert.equal(await store.settle(aSettlement()), "written");
    });

    it("prunes no delivery that is redelivered", async (store) => {
      await addFinished(store, "failed");
      await store.redeliver("1", "70", NOW, NOW + DAY_MS);
      assert.equal(await store.pruneDeliveries(NOW + 99 * DAY_MS, 10), 0);
      assert.equal((await store.listAttempts("1", "70")).length, 1);
    });

    it("prunes at most as many deliveries as the limit, those that were finished first", async (store) => {
      for (let n = 0; n < 5; n += 1) {
        await add(store, { id: String(70 + n), status: "delivered", updatedAt: NOW + ((n * 3) % 5) });
      }
      const left = [];
      for (let round = 0; round < 3; round += 1) {
        const pruned = await store.pruneDeliveries(NOW + 5, 2);
        left.push([pruned, ...(await deliveryIds(store))]);
      }
      assert.deepEqual(left, [[2, "74", "73", "71"], [2, "73"], [1]]);
    });

    it("prunes deliveries across businesses", async (store) => {
      await addFinished(store, "delivered");
      await addFinished(store, "delivered", { businessId: "2" });
      assert.equal(await store.pruneDeliveries(FINISHED + 1, 10), 2);
    });

    it("pruning keeps the attempts of the deliveries that stay", async (store) => {
      await addFinished(store, "delivered", { id: "70" });
      await add(store, { id: "71", businessId: "2", status: "failed", updatedAt: NOW - 1 });
      await add(store, { id: "70", businessId: "2", status: "failed", updatedAt: NOW - 1 });
      assert.equal(await store.pruneDeliveries(FINISHED, 10), 2);
      assert.equal((await store.listAttempts("1", "70")).length, 1);
    });

    it("pruning keeps the bodies of an event's other deliveries", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      const withBody = (id: string) => aDelivery({ id, body: `{"metadata":{"delivery_id":"${id}"}}` });
      await store.fanOut(event, [withBody("70"), withBody("71")]);
      await store.claimDue(aDueClaim({ limit: 1 }));
      await store.settle(aSettlement());
      assert.equal(await store.pruneDeliveries(FINISHED + 1, 10), 1);
      assert.deepEqual(await store.findDelivery("1", "71"), withBody("71"));
      await store.cancelDeliveries("1", withBody("71").subscriber, FINISHED, 10);
      assert.equal((await store.findDelivery("1", "71"))?.body, withBody("71").body);
      assert.equal(await store.pruneDeliveries(FINISHED + 1, 10), 1);
    });

    it("prunes each delivery once among concurrent callers", async (store) => {
      for (let n = 0; n < 9; n += 1) await add(store, { id: String(70 + n), status: "failed", updatedAt: NOW - 1 });
      const counts = await allAtOnce(5, () => store.pruneDeliveries(NOW, 4));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        9,
      );
    });

    it("pruning frees the id of a delivery, without anything of the former one", async (store) => {
      await addFinished(store, "delivered");
      await store.pruneDeliveries(FINISHED + 1, 10);
      await add(store, { body: "another" });
      assert.equal((await store.findDelivery("1", "70"))?.body, "another");
      assert.deepEqual(await claimIds(store), ["70"]);
    });
  });
}

function eventCases({ describe, it }: Suite): void {
  describe("pruning events", () => {
    it("prunes events that were fanned out and occurred before the moment, which is excluded", async (store) => {
      await dispatch(store, { "91": NOW - 2, "92": NOW - 1, "93": NOW });
      assert.equal(await removeEntries(store, NOW), 2);
      assert.deepEqual(await eventIds(store), ["93"]);
      assert.equal((await store.listEvents("1", anEventQuery({ subjectId: "91" }))).total, 0);
    });

    it("prunes no event that has not been fanned out, however old", async (store) => {
      await commitEvents(store, ["91"], { occurredAt: NOW - 99 * DAY_MS });
      await dispatch(store, { "92": NOW - 99 * DAY_MS });
      await commitEvents(store, ["93"], { occurredAt: NOW - 99 * DAY_MS });
      assert.equal(await removeEntries(store, NOW), 0);
      const [event] = await store.findUndispatchedEvents(1);
      assert.ok(event !== undefined);
      assert.equal(await store.fanOut(event, []), "written");
      assert.equal(await removeEntries(store, NOW), 2);
      assert.deepEqual(await eventIds(store), ["93"]);
    });

    it("prunes no event that follows a younger one, so that only the first are removed", async (store) => {
      await dispatch(store, { "91": NOW - 1, "92": NOW, "93": NOW - 3 });
      assert.equal(await removeEntries(store, NOW), 1);
      assert.deepEqual(await eventIds(store), ["93", "92"]);
    });

    it("pruning events never repeats a sequence, and leaves none out", async (store) => {
      await dispatch(store, { "91": NOW - 1, "92": NOW - 1 });
      const [newest] = (await store.listEvents("1", anEventQuery())).entries;
      await removeEntries(store, NOW);
      assert.deepEqual(await eventIds(store), []);
      const [next] = await commitEvents(store, ["93"]);
      assert.deepEqual([newest?.sequence, next?.sequence], [2, 3]);
    });

    it("a pruned event is never fanned out again", async (store) => {
      const [event] = await commitEvents(store, ["91"], { occurredAt: NOW - 1 });
      assert.ok(event !== undefined);
      await store.fanOut(event, []);
      await removeEntries(store, NOW);
      assert.equal(await store.fanOut(event, []), "taken");
      assert.deepEqual(await store.findUndispatchedEvents(10), []);
    });

    it("prunes events of one business, and nothing but its events", async (store) => {
      await dispatch(store, { "91": NOW - 1 });
      const [theirs] = await commitEvents(store, ["92"], { businessId: "2", occurredAt: NOW - 1 });
      assert.ok(theirs !== undefined);
      await store.fanOut(theirs, []);
      assert.equal(await removeEntries(store, NOW), 1);
      assert.equal((await store.listEvents("2", anEventQuery())).total, 1);
      assert.equal((await store.findBudget("1", "91"))?.id, "91");
    });
  });
}

/** Commits events that occurred at these moments, and fans them out. */
async function dispatch(store: Store, moments: Readonly<Record<string, number>>): Promise<void> {
  for (const [id, occurredAt] of Object.entries(moments)) {
    const events = await commitEvents(store, [id], anEvent({ occurredAt }));
    for (const event of events) assert.equal(await store.fanOut(event, []), "written");
  }
}

async function eventIds(store: Store): Promise<string[]> {
  const page = await store.listEvents("1", anEventQuery());
  assert.equal(page.total, page.entries.length);
  return page.entries.map(({ id }) => id);
}

async function deliveryIds(store: Store): Promise<string[]> {
  return (await store.listDeliveries("1", aDeliveryQuery())).entries.map(({ id }) => id);
}
