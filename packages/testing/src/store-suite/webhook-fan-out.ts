import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import { insertBudgetCommit, replaceBudgetCommit, testDeliveryCommit } from "@budgetkit/core/store";
import { aBudget, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { aDelivery, aDeliveryQuery } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import {
  aDueClaim,
  add,
  addFinished,
  aLease,
  aSettlement,
  claimIds,
  commitEvents,
  endpoint,
  LAPSED,
  subscribe,
} from "./webhook-samples.js";

export function webhookFanOutCases(suite: Suite): void {
  undispatchedCases(suite);
  fanOutCases(suite);
  insertCases(suite);
}

function undispatchedCases({ describe, it }: Suite): void {
  describe("events that have not been fanned out", () => {
    it("finds undispatched events in the order of their commits, not of their own times", async (store) => {
      for (const [id, occurredAt] of [
        ["91", 300],
        ["92", 100],
        ["93", 200],
      ] as const) {
        await commitEvents(store, [id], { occurredAt: NOW + occurredAt });
      }
      assert.deepEqual(await undispatchedIds(store), ["91", "92", "93"]);
    });

    it("finds undispatched events of every business, as the list of events has them", async (store) => {
      await commitEvents(store, ["91"]);
      await commitEvents(store, ["92"], { businessId: "2" });
      const [ours, theirs] = await store.findUndispatchedEvents(10);
      assert.deepEqual([ours], (await store.listEvents("1", anEventQuery())).entries);
      assert.deepEqual([theirs], (await store.listEvents("2", anEventQuery())).entries);
    });

    it("finds undispatched events up to a limit, the oldest first", async (store) => {
      await commitEvents(store, ["91", "92", "93"]);
      assert.deepEqual(await undispatchedIds(store, 2), ["91", "92"]);
    });

    it("finds undispatched events up to a share of each business, without skipping others", async (store) => {
      await commitEvents(store, ["91", "92", "93", "94"]);
      await commitEvents(store, ["95", "96"], { businessId: "2" });
      await commitEvents(store, ["97"]);
      await commitEvents(store, ["98"], { businessId: "3" });
      const ids = async (limit: number, perBusiness: number, without?: readonly string[]) =>
        (await store.findUndispatchedEvents(limit, perBusiness, without)).map(({ id }) => id);
      assert.deepEqual(await ids(10, 2), ["91", "92", "95", "96", "98"]);
      assert.deepEqual(await ids(4, 2), ["91", "92", "95", "96"]);
      assert.deepEqual(await ids(4, 1), ["91", "95", "98"]);
      assert.deepEqual(await ids(6, 3), ["91", "92", "93", "95", "96", "98"]);
      assert.deepEqual(await ids(4, 2, ["1"]), ["95", "96", "98"]);
      assert.deepEqual(await ids(4, 1, ["2", "999"]), ["91", "98"]);
      assert.deepEqual(await ids(4, 2, ["3", "2", "1"]), []);
    });

    it("undispatched events keep the order within one commit", async (store) => {
      await subscribe(store, "1");
      const events = ["95", "91", "99", "93"].map((id) => anEvent({ id }));
      await store.commit(insertBudgetCommit(aBudget(), { events }));
      assert.deepEqual(await undispatchedIds(store), ["95", "91", "99", "93"]);
    });

    it("a stale write leaves no undispatched event", async (store) => {
      await subscribe(store, "1");
      await store.commit(insertBudgetCommit(aBudget()));
      await store.commit(replaceBudgetCommit(aBudget({ version: 3 }), 2, { events: [anEvent()] }));
      assert.deepEqual(await undispatchedIds(store), []);
    });
  });
}

function fanOutCases({ describe, it }: Suite): void {
  describe("fanning an event out", () => {
    it("fanning an event out adds its deliveries and marks it in one step", async (store) => {
      const [event] = await commitEvents(store, ["90", "91"]);
      assert.ok(event !== undefined);
      const deliveries = [aDelivery({ id: "70" }), aDelivery({ id: "71", subscriber: { kind: "key", id: "20" } })];
      assert.equal(await store.fanOut(event, deliveries), "written");
      assert.deepEqual(await undispatchedIds(store), ["91"]);
      for (const delivery of deliveries) assert.deepEqual(await store.findDelivery("1", delivery.id), delivery);
    });

    it("fans out leased deliveries for the holder of the lease: no other worker claims them before it lapses", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      const leased = { attempts: 1, attemptsSinceRestart: 1, lease: aLease() };
      await store.fanOut(event, [aDelivery({ id: "70", ...leased }), aDelivery({ id: "71", ...leased })]);
      assert.deepEqual(await store.findDelivery("1", "70"), aDelivery({ id: "70", ...leased }));
      assert.deepEqual(await claimIds(store), []);
      assert.equal(await store.nextDueAt(), LAPSED);
      assert.equal(await store.settle(aSettlement()), "written");
      assert.deepEqual(
        (await store.listAttempts("1", "70")).map(({ number }) => number),
        [1],
      );
      const [late, ...others] = await store.claimDue(aDueClaim({ now: LAPSED, lease: aLease("lease-2", LAPSED) }));
      assert.deepEqual([late?.id, late?.attempts, others], ["71", 2, []]);
      assert.equal(await store.settle(aSettlement({ deliveryId: "71" })), "lease-lost");
    });

    it("keeps the body of each delivery byte for byte, whether they differ by the id alone or by more", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      const bodyOf = (id: string) => `{"data":{"note":""delivery_id":"71""},"metadata":{"delivery_id":"${id}"}}`;
      const bodies = [bodyOf("70"), bodyOf("71"), bodyOf("72").replace("note", "ñ"), bodyOf("7"), "70", ""];
      const deliveries = bodies.map((body, index) =>
        aDelivery({ id: String(70 + index), body, origin: index === 1 ? { requestId: "r-1", trace: null } : null }),
      );
      await store.fanOut(event, deliveries);
      for (const delivery of deliveries) assert.deepEqual(await store.findDelivery("1", delivery.id), delivery);
      const claimed = await store.claimDue(aDueClaim());
      assert.deepEqual(
        claimed.map(({ body }) => body),
        bodies,
      );
      await store.cancelDeliveries("1", deliveries[0]?.subscriber ?? endpoint("60"), NOW, 100);
      for (const { id, body } of deliveries) assert.equal((await store.findDelivery("1", id))?.body, body);
    });

    it("fans an event out to no subscriber", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      assert.equal(await store.fanOut(event, []), "written");
      assert.deepEqual(await undispatchedIds(store), []);
      assert.equal((await store.listDeliveries("1", aDeliveryQuery())).total, 0);
    });

    it("fanning an event out keeps it in the list of events", async (store) => {
      const events = await commitEvents(store, ["90", "91"]);
      for (const event of events) await store.fanOut(event, []);
      assert.equal((await store.listEvents("1", anEventQuery())).total, 2);
    });

    it("keeps nothing of the second writer of a fan-out", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      await store.fanOut(event, [aDelivery({ id: "70" })]);
      assert.equal(await store.fanOut(event, [aDelivery({ id: "71" })]), "taken");
      assert.equal(await store.findDelivery("1", "71"), null);
      assert.deepEqual(await claimIds(store), ["70"]);
    });

    it("exactly one of 20 concurrent callers fans an event out (taken)", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      const outcomes = await allAtOnce(20, (index) => {
        const ids = [700 + index * 2, 701 + index * 2];
        return store.fanOut(
          event,
          ids.map((id) => aDelivery({ id: String(id) })),
        );
      });
      assert.equal(countOf(outcomes, "written"), 1);
      const first = 700 + outcomes.indexOf("written") * 2;
      assert.deepEqual(await claimIds(store), [String(first), String(first + 1)]);
    });

    it("concurrent fan-outs of many events reach each of them", async (store) => {
      const events = await commitEvents(
        store,
        Array.from({ length: 30 }, (_, index) => String(900 + index)),
      );
      const outcomes = await Promise.all(
        events.map((event) => store.fanOut(event, [aDelivery({ id: event.id, eventId: event.id })])),
      );
      assert.equal(countOf(outcomes, "written"), 30);
      assert.deepEqual(await undispatchedIds(store), []);
      assert.equal((await claimIds(store)).length, 30);
    });

    it("refuses to fan out an event that the outbox does not hold (taken)", async (store) => {
      assert.equal(await store.fanOut({ ...anEvent(), sequence: 1, revision: 1 }, [aDelivery()]), "taken");
      assert.equal(await store.findDelivery("1", "70"), null);
    });

    it("refuses to fan out another business's event, which stays undispatched (taken)", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      assert.equal(await store.fanOut({ ...event, businessId: "2" }, [aDelivery({ businessId: "2" })]), "taken");
      assert.deepEqual(await undispatchedIds(store), ["90"]);
      assert.equal(await store.findDelivery("2", "70"), null);
    });

    it("rejects a delivery id that is taken, and leaves the event undispatched and nothing added", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      await add(store, { id: "71", body: "first" });
      await assert.rejects(store.fanOut(event, [aDelivery({ id: "70" }), aDelivery({ id: "71" })]));
      assert.deepEqual(await undispatchedIds(store), ["90"]);
      assert.equal(await store.findDelivery("1", "70"), null);
      assert.equal((await store.findDelivery("1", "71"))?.body, "first");
    });

    it("rejects one id for two deliveries and adds neither", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      await assert.rejects(store.fanOut(event, [aDelivery(), aDelivery()]));
      assert.equal(await store.findDelivery("1", "70"), null);
      assert.equal(await store.fanOut(event, [aDelivery()]), "written");
    });
  });
}

function insertCases({ describe, it }: Suite): void {
  describe("adding a delivery of its own", () => {
    it("a delivery of its own is stored unchanged, without an event", async (store) => {
      await add(store, { eventId: null });
      assert.deepEqual(await store.findDelivery("1", "70"), aDelivery({ eventId: null }));
    });

    it("a delivery of its own may be leased: the writer holds it until the lease lapses", async (store) => {
      const lease = aLease("tester");
      await add(store, { eventId: null, attempts: 1, attemptsSinceRestart: 1, lease });
      assert.deepEqual(await claimIds(store), []);
      assert.deepEqual(await claimIds(store, { now: lease.until, lease: aLease("later", lease.until) }), ["70"]);
    });

    it("rejects a delivery of its own with the id of a finished one", async (store) => {
      await addFinished(store, "delivered", { body: "first" });
      await assert.rejects(outcomeOf(store, testDeliveryCommit(aDelivery({ body: "second" }))));
      assert.equal((await store.findDelivery("1", "70"))?.body, "first");
      assert.equal(await store.nextDueAt(), null);
    });
  });
}

async function undispatchedIds(store: Store, limit = 100): Promise<string[]> {
  return (await store.findUndispatchedEvents(limit)).map(({ id }) => id);
}
