import type { Delivery, DeliveryQuery, DueClaim, Settlement, Store } from "@budgetkit/core/store";
import {
  aBudget,
  aDelivery,
  aDeliveryQuery,
  anApiKey,
  anAttempt,
  anEndpoint,
  anEvent,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";

const SUBSCRIBER = { kind: "endpoint", id: "60" } as const;
const OF_SUBSCRIBER = "business_id=? AND subscriber_kind=? AND subscriber_id=?";

const CLAIM: DueClaim = {
  lease: { token: "lease-1", until: NOW + 1 },
  now: NOW,
  limit: 10,
  perBusiness: 10,
  perSubscriber: 5,
  inFlight: [
    { businessId: "1", subscriber: { kind: "key", id: "20" }, calls: 5 },
    { businessId: "2", subscriber: { kind: "key", id: "20" }, calls: 10 },
  ],
};

const SETTLEMENT: Settlement = {
  businessId: "1",
  deliveryId: "70",
  fencingToken: "lease-1",
  attempt: anAttempt(),
  refundedAttempts: 0,
  status: "delivered",
  nextAttemptAt: null,
  now: NOW,
};

const LEASED: Partial<Delivery> = { lease: CLAIM.lease };
const FINISHED: Partial<Delivery> = { status: "failed", nextAttemptAt: null };

/** What is asked, of a delivery in which state, and the ends of the plans that must be among those of its statements. */
interface Asked {
  readonly delivery?: Partial<Delivery>;
  readonly plans: readonly string[];
  ask(store: Store): Promise<unknown>;
}

const QUEUED = `budgetkit_deliveries_unfinished (${OF_SUBSCRIBER} AND due_at>?)`;

const ASKED: Readonly<Record<string, Asked>> = {
  "what is due": {
    ask: (store) => store.claimDue(CLAIM),
    plans: [
      "COVERING INDEX budgetkit_delivery_queues_by_due (due_at<?)",
      `budgetkit_deliveries_unfinished (${OF_SUBSCRIBER} AND due_at<?)`,
      QUEUED,
    ],
  },
  "when the next is due": {
    ask: (store) => store.nextDueAt(),
    plans: ["COVERING INDEX budgetkit_delivery_queues_by_due"],
  },
  "a settlement": {
    delivery: LEASED,
    ask: (store) => store.settle(SETTLEMENT),
    plans: ["deliveries_1 (business_id=? AND id=?)", QUEUED],
  },
  "a claim that is taken back": {
    delivery: LEASED,
    ask: (store) => store.settle({ ...SETTLEMENT, attempt: null, refundedAttempts: 1 }),
    plans: ["deliveries_1 (business_id=? AND id=?)", QUEUED],
  },
  "a cancellation": {
    ask: (store) => store.cancelDeliveries("1", SUBSCRIBER, NOW, 100),
    plans: [`budgetkit_deliveries_unfinished (${OF_SUBSCRIBER})`, QUEUED],
  },
  "an endpoint that is deleted": {
    ask: (store) => store.deleteEndpoint("1", "60"),
    plans: ["endpoints_1 (business_id=? AND id=?)"],
  },
  "one redelivery": {
    delivery: FINISHED,
    ask: (store) => store.redeliver("1", "70", NOW, NOW),
    plans: ["deliveries_1 (business_id=? AND id=?)"],
  },
  "redelivery of failures": {
    delivery: FINISHED,
    ask: (store) =>
      store.redeliverUndelivered("1", {
        subscriber: SUBSCRIBER,
        after: { createdAt: NOW, id: "0" },
        now: NOW,
        deadlineAt: NOW,
        limit: 10,
      }),
    plans: [`budgetkit_deliveries_undelivered (${OF_SUBSCRIBER} AND (created_at,id)>(?,?))`],
  },
  "the attempts of a delivery": {
    ask: (store) => store.listAttempts("1", "70"),
    plans: ["attempts_1 (business_id=? AND delivery_id=?)"],
  },
  "an endpoint that is added": {
    ask: (store) => store.insertEndpoint(anEndpoint({ id: "61" }), 10),
    plans: ["endpoints_1 (business_id=?)"],
  },
  "a key with a webhookUrl that is added": {
    ask: (store) =>
      store.insertKey(anApiKey({ id: "21", keyHash: "21", webhookUrl: "https://shop.example/" }), null, 10),
    plans: ["budgetkit_keys_with_webhook (business_id=?)"],
  },
  "a key that is added": {
    ask: (store) => store.insertKey(anApiKey({ id: "22", keyHash: "22" }), null, 10, 10),
    plans: ["budgetkit_keys_alive (business_id=?)"],
  },
  "secrets that were replaced": {
    ask: (store) => store.clearReplacedSecrets(NOW, 10),
    plans: ["budgetkit_keys_with_former_secret (<expr><?)", "budgetkit_endpoints_with_former_secret (<expr><?)"],
  },
  "endpoints, newest first": {
    ask: (store) => store.listEndpoints("1", 10, 0),
    plans: ["budgetkit_endpoints_by_creation (business_id=?)"],
  },
  "who may be sent events": {
    ask: (store) => store.findSubscribers("1"),
    plans: ["endpoints_1 (business_id=?)", "budgetkit_keys_with_webhook (business_id=?)"],
  },
};

const LISTED: Readonly<Record<string, readonly [query: Partial<DeliveryQuery>, plan: string]>> = {
  "of a business": [{}, "by_creation (business_id=?)"],
  "of a type": [{ eventType: "budget.created" }, "by_creation (business_id=?)"],
  "of a subscriber": [{ subscriber: SUBSCRIBER }, `of_subscriber (${OF_SUBSCRIBER})`],
  "of a subscriber and a status": [{ subscriber: SUBSCRIBER, status: "failed" }, `of_subscriber (${OF_SUBSCRIBER})`],
  "of a status": [{ status: "failed" }, "by_status (business_id=? AND status=?)"],
  "of a status and a type": [
    { status: "failed", eventType: "budget.created" },
    "by_status (business_id=? AND status=?)",
  ],
};

describe("how SQLite goes about webhooks", () => {
  let explained: ExplainedStore;

  beforeEach(async () => {
    explained = await explainedStore();
    await explained.store.insertKey(anApiKey({ webhookUrl: "https://shop.example/" }), null);
    await explained.store.insertEndpoint(anEndpoint());
  });

  afterEach(() => explained.close());

  for (const [name, { delivery, ask, plans: expected }] of Object.entries(ASKED)) {
    it(`${name}: along an index, sorting nothing`, async () => {
      await explained.store.insertDelivery(aDelivery(delivery));
      const plans = await explained.plansOf(() => ask(explained.store));
      for (const plan of expected) expect(plans.filter((steps) => steps.endsWith(plan))).not.toEqual([]);
      for (const steps of plans) expect(steps).not.toMatch(/SCAN|TEMP B-TREE/);
    });
  }

  for (const [name, [query, plan]] of Object.entries(LISTED)) {
    it(`deliveries ${name}: a page along one index, the count from an index alone`, async () => {
      await explained.store.insertDelivery(aDelivery());
      const [count, page] = await explained.plansOf(() => explained.store.listDeliveries("1", aDeliveryQuery(query)));
      expect(count).toMatch(/^SEARCH budgetkit_deliveries USING COVERING INDEX [^;]*$/);
      expect(page).toContain(`SEARCH deliveries USING INDEX budgetkit_deliveries_${plan};`);
      expect(page).not.toContain("TEMP B-TREE");
    });
  }

  it("events that wait: the list of those that do, and each event by its position", async () => {
    await explained.store.insertBudget(aBudget(), [anEvent()], null);
    const plans = await explained.plansOf(() => explained.store.findUndispatchedEvents(10));
    expect(plans).toEqual(["SCAN waiting; SEARCH events USING INTEGER PRIMARY KEY (rowid=?)"]);
  });

  it("what is old: the choice along an index of ages, everything that goes with it by its key", async () => {
    const plans = await explained.plansOf(() => explained.store.pruneDeliveries(NOW, 10));
    expect(plans).toHaveLength(4);
    for (const steps of plans.slice(0, 3)) expect(steps).toContain("budgetkit_deliveries_finished (updated_at<?)");
    expect(plans[3]).toContain("budgetkit_events_by_age (occurred_at<?)");
    for (const steps of plans) expect(steps).not.toMatch(/SCAN|TEMP B-TREE/);
  });
});
