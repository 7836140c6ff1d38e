import assert from "node:assert/strict";
import {
  type Delivery,
  type DomainEvent,
  type EventToCommit,
  eventOf,
  isIdTaken,
  MINUTE_MS,
  namesOfSubscribers,
  type PlannedDelivery,
  plannedDeliveries,
  type Store,
  type SubscriberVersion,
} from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aCustomer, aProduct } from "../catalog-fixtures.js";
import { aBudget, anApiKey, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { aPayment } from "../payment-fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";
import { aDueClaim, aLease, aSettlement, endpoint, LAPSED, subscribe } from "./webhook-samples.js";

/** An endpoint, and a key that has a URL. */
const SUBSCRIBERS: readonly SubscriberVersion[] = [
  { kind: "endpoint", id: "6000", version: 1 },
  { kind: "key", id: "20", version: 1 },
];

const ORIGIN = { requestId: "r-1", trace: null };

function aPlanned(overrides: Partial<PlannedDelivery> = {}): PlannedDelivery {
  return {
    id: "70",
    subscriber: endpoint("6000"),
    deadlineAt: NOW + 9,
    orderedSubject: null,
    lease: null,
    ...overrides,
  };
}

/** An event whose deliveries are planned for these subscribers. */
function planned(
  subscribers: readonly SubscriberVersion[],
  deliveries: readonly PlannedDelivery[] = [aPlanned()],
  event: Partial<DomainEvent> = {},
): EventToCommit {
  const plan = { subscribers: namesOfSubscribers(subscribers), plannedAt: NOW, deliveries };
  return { ...anEvent({ data: { b: [1.5, "ñ"], a: { "": null } }, ...event }), plan };
}

/** Events of a business wait for their fan-out, unless the commit of an event makes its deliveries. */
export function plannedDeliveryCases(suite: Suite): void {
  madeCases(suite);
  refusedCases(suite);
}

function madeCases({ describe, it, itDurably, reportsBodies }: Suite): void {
  describe("planned deliveries", () => {
    itDurably("the commit of an event makes its planned deliveries, and then waits for no fan-out", async (store) => {
      await subscribeAll(store);
      const deliveries = [
        aPlanned(),
        aPlanned({ id: "71", subscriber: { kind: "key", id: "20" }, deadlineAt: NOW + MINUTE_MS, lease: aLease() }),
      ];
      const event = planned(SUBSCRIBERS, deliveries, { origin: ORIGIN });
      assert.equal(await store.insertBudget(aBudget(), [event], null), "written");
      assert.deepEqual(await waitingIds(store), []);
      await expectMade(store, event);
      assert.deepEqual((await store.listEvents("1", anEventQuery())).entries, [
        { ...eventOf(event), sequence: 1, revision: 1 },
      ]);
    });

    it("claims planned deliveries when they are due, a leased one when its lease has lapsed", async (store) => {
      await subscribe(store, "1");
      const deliveries = [aPlanned(), aPlanned({ id: "71", lease: aLease("mine") })];
      await store.insertBudget(aBudget(), [planned(SUBSCRIBERS.slice(0, 1), deliveries)], null);
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
      const ordered = (id: string) =>
        planned(SUBSCRIBERS.slice(0, 1), [aPlanned({ id, orderedSubject: "budget 10" })], { id: `9${id}` });
      await store.insertBudget(aBudget(), [ordered("70"), ordered("71")], null);
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
      await store.insertBudget(aBudget(), [planned(SUBSCRIBERS.slice(0, 1), [])], null);
      assert.deepEqual(await waitingIds(store), []);
      assert.equal((await store.listDeliveries("1", aListing)).total, 0);
    });

    // A store that loses its data with its process never meets such an id, and need not undo a commit for it.
    itDurably("refuses a commit whose planned delivery has the id of a finished one (IdTaken)", async (store) => {
      await subscribe(store, "1");
      const leased = ["70", "71"].map((id) => aPlanned({ id, lease: aLease() }));
      await store.insertBudget(aBudget(), [planned(SUBSCRIBERS.slice(0, 1), leased)], null);
      for (const deliveryId of ["70", "71"]) {
        assert.equal(await store.settle(aSettlement({ deliveryId, attempt: null })), "written");
      }
      for (const id of ["70", "71"]) {
        const event = planned(SUBSCRIBERS.slice(0, 1), [aPlanned({ id })], { id: "91" });
        await assert.rejects(store.insertBudget(aBudget({ id: "11" }), [event], null), isIdTaken);
      }
      assert.equal(await store.findBudget("1", "11"), null);
    });

    for (const [name, commit] of Object.entries(commits)) {
      it(`makes planned deliveries by ${name}`, async (store) => {
        await store.insertBudget(aBudget(), [], null);
        await store.insertCustomer(aCustomer({ id: "501" }), [], null);
        await store.insertProduct(aProduct({ id: "700" }), [], null);
        await store.insertAttachment(anAttachment({ id: "81" }), 1, 9, []);
        await subscribe(store, "1");
        const event = planned(SUBSCRIBERS.slice(0, 1), [aPlanned({ lease: aLease() })]);
        const { reporting, reported } = reportingBodies(event);
        assert.match(String(await commit(store, [reporting])), /^(written|first|removed)$/);
        const bodies = [...reported];
        assert.deepEqual(await waitingIds(store), []);
        await expectMade(store, event);
        assert.deepEqual(bodies, reportsBodies ? [[(await store.findDelivery("1", "70"))?.body]] : []);
      });
    }
  });
}

const commits: Readonly<Record<string, (store: Store, events: readonly EventToCommit[]) => Promise<unknown>>> = {
  "a change of a budget": (store, events) => store.replaceBudget(aBudget({ version: 2 }), 1, events, null),
  "a payment": (store, events) => store.recordPayment(aPayment(), aBudget({ version: 2, paid: 1 }), 1, events, null),
  "a mail": (store, events) => store.queueMail(aMail(), aBudget({ version: 2 }), 1, events, null),
  "the first view": (store, events) =>
    store.countView({ businessId: "1", budgetId: "10", channel: "link", at: NOW }, 1, events),
  "an attachment": (store, events) => store.insertAttachment(anAttachment(), 1, 9, events),
  "a changed attachment": (store, events) =>
    store.replaceAttachment(anAttachment({ id: "81", fileName: "b.pdf" }), 1, events),
  "a removed attachment": (store, events) => store.removeAttachment("1", "10", "81", 1, events),
  "a customer": (store, events) => store.insertCustomer(aCustomer({ id: "502" }), events, null),
  "a changed customer": (store, events) => store.replaceCustomer(aCustomer({ id: "501", version: 2 }), 1, events, null),
  "a product": (store, events) => store.insertProduct(aProduct({ id: "702" }), events, null),
  "a changed product": (store, events) => store.replaceProduct(aProduct({ id: "700", version: 2 }), 1, events, null),
};

function refusedCases({ describe, it, itWithHost }: Suite): void {
  describe("planned deliveries are not made, and the event waits for its fan-out,", () => {
    for (const [name, change] of Object.entries(changes)) {
      it(`makes no planned deliveries, and waits for the fan-out, once ${name}`, async (store) => {
        await subscribeAll(store);
        await change(store);
        const { reporting, reported } = reportingBodies(planned(SUBSCRIBERS));
        await store.insertBudget(aBudget(), [reporting], null);
        assert.deepEqual(await waitingIds(store), ["90"]);
        assert.equal(await store.findDelivery("1", "70"), null);
        assert.deepEqual(reported, []);
      });
    }

    it("makes no planned deliveries for those events of a commit that have another plan", async (store) => {
      await subscribe(store, "1");
      const events = [
        planned(SUBSCRIBERS.slice(1), [aPlanned({ id: "71" })], { id: "91" }),
        planned(SUBSCRIBERS.slice(0, 1), [aPlanned({ id: "72" })], { id: "92" }),
        anEvent({ id: "93" }),
      ];
      await store.insertBudget(aBudget(), events, null);
      assert.deepEqual(await waitingIds(store), ["91", "93"]);
      await expectMade(store, events[1]);
      assert.equal(await store.findDelivery("1", "71"), null);
    });

    it("makes no planned deliveries from the commit after a new subscriber, amid concurrent commits", async (store) => {
      await subscribe(store, "1");
      const commit = (id: number) =>
        store.insertBudget(
          aBudget({ id: String(id) }),
          [planned(SUBSCRIBERS.slice(0, 1), [aPlanned({ id: String(700 + id) })], { id: String(900 + id) })],
          null,
        );
      const before = Array.from({ length: 20 }, (_, index) => commit(index + 1));
      const subscribed = store.insertEndpoint(anEndpoint({ id: "61" }));
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

  describe("planned deliveries are not made", () => {
    it("makes no planned deliveries after the last subscriber is gone, and waits for nothing", async (store) => {
      await subscribe(store, "1");
      await store.deleteEndpoint("1", "6000");
      await store.insertBudget(aBudget(), [planned(SUBSCRIBERS.slice(0, 1))], null);
      assert.deepEqual(await waitingIds(store), []);
      assert.equal(await store.findDelivery("1", "70"), null);
    });

    it("a stale change makes no planned deliveries", async (store) => {
      await subscribe(store, "1");
      await store.insertBudget(aBudget(), [], null);
      const event = planned(SUBSCRIBERS.slice(0, 1));
      assert.equal(await store.replaceBudget(aBudget({ version: 3 }), 2, [event], null), "stale");
      assert.equal(await store.findDelivery("1", "70"), null);
    });

    itWithHost("a host's transaction that rolls back makes no planned deliveries", async (store, host) => {
      await subscribe(store, "1");
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      await within.insertBudget(aBudget(), [planned(SUBSCRIBERS.slice(0, 1))], null);
      await transaction.rollback();
      assert.equal(await store.findDelivery("1", "70"), null);
    });
  });
}

const changes: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "an endpoint was added": (store) => store.insertEndpoint(anEndpoint({ id: "61" })),
  "an endpoint was changed": (store) => store.replaceEndpoint(anEndpoint({ id: "6000", version: 2, events: [] }), 1),
  "an endpoint was disabled": (store) =>
    store.replaceEndpoint(anEndpoint({ id: "6000", version: 2, status: "DISABLED" }), 1),
  "an endpoint was deleted": (store) => store.deleteEndpoint("1", "6000"),
  "a key was added": (store) => store.insertKey(anApiKey({ id: "21", ...withUrl, keyHash: "another" }), null),
  "a key was changed": (store) => store.replaceKey(anApiKey({ ...withUrl, version: 2, scopes: [] }), 1),
  "a key was revoked": (store) => store.replaceKey(anApiKey({ ...withUrl, version: 2, status: "REVOKED" }), 1),
  "a key was left without a URL": (store) => store.replaceKey(anApiKey({ version: 2, webhookUrl: null }), 1),
};

const withUrl = { webhookUrl: "https://receiver.example/hooks" };

const aListing = { subscriber: null, status: null, eventType: null, limit: 100, offset: 0 };

async function subscribeAll(store: Store): Promise<void> {
  await subscribe(store, "1");
  await store.insertKey(anApiKey(withUrl), null);
}

async function waitingIds(store: Store): Promise<string[]> {
  return (await store.findUndispatchedEvents(100)).map(({ id }) => id);
}

/** The event, and the bodies that a store reports of its deliveries. */
function reportingBodies(event: EventToCommit) {
  assert.ok(event.plan !== undefined);
  const reported: (readonly string[])[] = [];
  const onMade = (bodies: readonly string[]) => void reported.push(bodies);
  return { reporting: { ...event, plan: { ...event.plan, onMade } }, reported };
}

/** Expects the deliveries of an event as its plan has them. The order of the members of a body is that of the store. */
async function expectMade(store: Store, event: EventToCommit | undefined): Promise<void> {
  assert.ok(event?.plan !== undefined);
  const [place] = await store.placesOfEvents([event]);
  assert.ok(place != null);
  const expected = plannedDeliveries({ ...eventOf(event), ...place }, event.plan);
  const bodies: string[] = [];
  for (const delivery of expected) {
    const made = await store.findDelivery(delivery.businessId, delivery.id);
    assert.deepEqual(parsed(made), parsed(delivery));
    bodies.push(String(made?.body).replace(`"delivery_id":"${delivery.id}"`, ""));
  }
  assert.equal(new Set(bodies).size, 1);
}

function parsed(delivery: Delivery | null): unknown {
  return delivery === null ? null : { ...delivery, body: JSON.parse(delivery.body) };
}
