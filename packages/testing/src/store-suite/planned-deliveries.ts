import assert from "node:assert/strict";
import {
  type Delivery,
  insertBudgetCommit,
  isIdTaken,
  MINUTE_MS,
  plannedDeliveries,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { outdatedPlanCases } from "./outdated-plans.js";
import {
  aListing,
  anEventWithData,
  aPlan,
  aPlanned,
  ENDPOINT_ALONE,
  madeBy,
  type Planned,
  planned,
  SUBSCRIBERS,
  storedBody,
  subscribeAll,
  waitingIds,
} from "./plan-samples.js";
import type { Suite } from "./suite.js";
import { aDueClaim, aLease, aSettlement, LAPSED, subscribe } from "./webhook-samples.js";
import { WRITE_SAMPLES } from "./write-samples/index.js";

const ORIGIN = { requestId: "r-1", trace: null };

/** Events of a business wait for their fan-out, unless their commit makes their deliveries. */
export function plannedDeliveryCases(suite: Suite): void {
  madeCases(suite);
  reportCases(suite);
  outdatedPlanCases(suite);
}

function madeCases({ describe, it, itDurably }: Suite): void {
  describe("planned deliveries", () => {
    itDurably(
      "the commit of an event makes its planned deliveries, and the event waits for no fan-out",
      async (store) => {
        await subscribeAll(store);
        const deliveries = [
          aPlanned(),
          aPlanned({ id: "71", subscriber: { kind: "key", id: "20" }, deadlineAt: NOW + MINUTE_MS, lease: aLease() }),
        ];
        const beside = planned(SUBSCRIBERS, deliveries, { origin: ORIGIN });
        assert.equal(await outcomeOf(store, insertBudgetCommit(aBudget(), beside)), "written");
        assert.deepEqual(await waitingIds(store), []);
        await expectMade(store, beside);
        assert.deepEqual((await store.listEvents("1", anEventQuery())).entries, [
          { ...beside.events[0], sequence: 1, revision: 1 },
        ]);
      },
    );

    it("makes the planned deliveries of each event of a commit", async (store) => {
      await subscribe(store, "1");
      const deliveries = [
        aPlanned({ eventId: "92" }),
        aPlanned({ id: "71", eventId: "91", lease: aLease() }),
        aPlanned({ id: "72", eventId: "91" }),
      ];
      const events = ["91", "92", "93"].map((id) => anEventWithData({ id, type: "budget.updated" }));
      const beside = { events, deliveries: aPlan(ENDPOINT_ALONE, deliveries) };
      await store.commit(insertBudgetCommit(aBudget(), beside));
      assert.deepEqual(await waitingIds(store), []);
      for (const event of events) await expectMade(store, { ...beside, events: [event] });
    });

    it("claims planned deliveries when they are due, a leased one when its lease has lapsed", async (store) => {
      await subscribe(store, "1");
      const deliveries = [aPlanned(), aPlanned({ id: "71", lease: aLease("mine") })];
      await store.commit(insertBudgetCommit(aBudget(), planned(ENDPOINT_ALONE, deliveries)));
      assert.deepEqual(
        (await store.claimDue(aDueClaim())).map(({ id, attempts }) => [id, attempts]),
        [["70", 1]],
      );
      assert.equal(await store.settle(aSettlement({ deliveryId: "71", fencingToken: "other" })), "lease-lost");
      assert.equal(await store.settle(aSettlement({ deliveryId: "70" })), "written");
      const late = await store.claimDue(aDueClaim({ now: LAPSED, lease: aLease("lease-2", LAPSED) }));
      assert.deepEqual(
        late.map(({ id, attempts }) => [id, attempts]),
        [["71", 2]],
      );
    });

    it("planned deliveries of one subject take turns where they are ordered", async (store) => {
      await subscribe(store, "1");
      const events = ["91", "92"].map((id) => anEventWithData({ id }));
      const deliveries = [
        aPlanned({ id: "70", eventId: "91", orderedSubject: "budget 10" }),
        aPlanned({ id: "71", eventId: "92", orderedSubject: "budget 10" }),
      ];
      await store.commit(insertBudgetCommit(aBudget(), { events, deliveries: aPlan(ENDPOINT_ALONE, deliveries) }));
      assert.deepEqual(
        (await store.claimDue(aDueClaim())).map(({ id, order }) => [id, order]),
        [["70", { subject: "budget 10", sequence: 1 }]],
      );
      assert.equal(await store.settle(aSettlement()), "written");
      assert.deepEqual(
        (await store.claimDue(aDueClaim())).map(({ id, order }) => [id, order]),
        [["71", { subject: "budget 10", sequence: 2 }]],
      );
    });

    it("an event may have no planned deliveries", async (store) => {
      await subscribe(store, "1");
      await store.commit(insertBudgetCommit(aBudget(), planned(ENDPOINT_ALONE, [])));
      assert.deepEqual(await waitingIds(store), []);
      assert.equal((await store.listDeliveries("1", aListing)).total, 0);
    });

    it("refuses a commit whose planned delivery has the id of a finished one (IdTaken)", async (store) => {
      await subscribe(store, "1");
      const leased = ["70", "71"].map((id) => aPlanned({ id, lease: aLease() }));
      await store.commit(insertBudgetCommit(aBudget(), planned(ENDPOINT_ALONE, leased)));
      for (const deliveryId of ["70", "71"]) {
        assert.equal(await store.settle(aSettlement({ deliveryId, attempt: null })), "written");
      }
      for (const id of ["70", "71"]) {
        const beside = planned(ENDPOINT_ALONE, [aPlanned({ id, eventId: "91" })], { id: "91" });
        await assert.rejects(store.commit(insertBudgetCommit(aBudget({ id: "11" }), beside)), isIdTaken);
      }
      assert.equal(await store.findBudget("1", "11"), null);
    });
  });
}

/** A commit reports its made deliveries when one of them has a lease: its process sends them. */
function reportCases({ describe, it }: Suite): void {
  describe("reported deliveries", () => {
    for (const { name, prepare, commit } of WRITE_SAMPLES.filter(({ beside }) => beside.includes("events"))) {
      it(`makes the planned deliveries of ${name}, and reports their bodies`, async (store) => {
        await subscribe(store, "1");
        await prepare(store);
        const beside = planned(ENDPOINT_ALONE, [aPlanned({ lease: aLease() })]);
        const committed = await store.commit({ ...commit("mark"), ...beside });
        assert.deepEqual(await waitingIds(store), []);
        await expectMade(store, beside);
        assert.deepEqual(madeBy(committed), [await storedBody(store, "70")]);
      });
    }

    it("reports that the event of a commit without a plan waits for its fan-out", async (store) => {
      await subscribe(store, "1");
      const committed = await store.commit(insertBudgetCommit(aBudget(), { events: [anEventWithData({})] }));
      assert.ok(committed.kind === "written" && committed.mayWait);
      assert.deepEqual(await waitingIds(store), [anEventWithData({}).id]);
    });

    it("reports the planned deliveries of all events of a commit", async (store) => {
      await subscribe(store, "1");
      const events = ["91", "92"].map((id) => anEventWithData({ id }));
      const deliveries = [
        aPlanned({ id: "70", eventId: "91", lease: aLease() }),
        aPlanned({ id: "71", eventId: "92", lease: aLease() }),
      ];
      const beside = { events, deliveries: aPlan(ENDPOINT_ALONE, deliveries) };
      const committed = await store.commit(insertBudgetCommit(aBudget(), beside));
      assert.deepEqual(madeBy(committed), [await storedBody(store, "70"), await storedBody(store, "71")]);
    });
  });
}

/** Expects the deliveries of an event as its plan has them. The order of the members of a body is that of the store. */
async function expectMade(store: Store, { events, deliveries }: Planned): Promise<void> {
  const [event] = events;
  assert.ok(event !== undefined);
  const [place] = await store.placesOfEvents([event]);
  assert.ok(place != null);
  const bodies: string[] = [];
  for (const delivery of plannedDeliveries({ ...event, ...place }, deliveries)) {
    const made = await store.findDelivery(delivery.businessId, delivery.id);
    assert.deepEqual(parsed(made), parsed(delivery));
    bodies.push(String(made?.body).replace(`"delivery_id":"${delivery.id}"`, ""));
  }
  assert.ok(new Set(bodies).size <= 1);
}

function parsed(delivery: Delivery | null): unknown {
  return delivery === null ? null : { ...delivery, body: JSON.parse(delivery.body) };
}
