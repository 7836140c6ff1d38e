import {
  type Delivery,
  type DeliveryQuery,
  type DueClaim,
  insertBudgetCommit,
  insertEndpointCommit,
  insertKeyCommit,
  removeEndpointCommit,
  type Settlement,
  type Store,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import {
  aBudget,
  aDelivery,
  aDeliveryQuery,
  anApiKey,
  anAttempt,
  anEndpoint,
  anEvent,
  aReplay,
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

const ASKED: Readonly<Record<string, Asked>> = {
  "when the next is due": {
    ask: (store) => store.nextDueAt(),
    plans: ["delivery_queue USING INDEX budgetkit_delivery_queue_by_due (next_attempt_at<?)"],
  },
  "a settlement": {
    delivery: LEASED,
    ask: (store) => store.settle(SETTLEMENT),
    plans: ["delivery_queue USING PRIMARY KEY (business_id=? AND id=?)"],
  },
  "a claim that is refunded": {
    delivery: LEASED,
    ask: (store) => store.settle({ ...SETTLEMENT, attempt: null, refundedAttempts: 1, status: "pending" }),
    plans: ["delivery_queue USING PRIMARY KEY (business_id=? AND id=?)"],
  },
  "a cancellation": {
    ask: (store) => store.cancelDeliveries("1", SUBSCRIBER, NOW, 100),
    plans: [
      `delivery_queue_of_subscriber (${OF_SUBSCRIBER})`,
      "delivery_queue USING PRIMARY KEY (business_id=? AND id=?)",
    ],
  },
  "an endpoint that is deleted": {
    ask: (store) => store.commit(removeEndpointCommit("1", "60")),
    plans: ["endpoints_1 (business_id=? AND id=?)", "replays_1 (business_id=? AND endpoint_id=?)"],
  },
  "the replay to an endpoint": {
    ask: (store) => store.findReplay("1", "60"),
    plans: ["replays_1 (business_id=? AND endpoint_id=?)"],
  },
  "a step of a replay": {
    ask: (store) => store.writeReplay(aReplay({ version: 2 }), 1, []),
    plans: ["replays_1 (business_id=? AND endpoint_id=?)"],
  },
  "replays that run": {
    ask: (store) => store.findRunningReplays(null, 10),
    plans: ["budgetkit_replays_running ((business_id,endpoint_id)>(?,?))"],
  },
  "one redelivery": {
    delivery: FINISHED,
    ask: (store) => store.redeliver("1", "70", NOW, NOW),
    plans: ["delivery_log USING PRIMARY KEY (business_id=? AND id=?)"],
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
    plans: [`delivery_log_of_subscriber (${OF_SUBSCRIBER} AND (created_at,id)>(?,?))`],
  },
  "the attempts of a delivery": {
    ask: (store) => store.listAttempts("1", "70"),
    plans: ["delivery_log USING PRIMARY KEY (business_id=? AND id=?)"],
  },
  "an endpoint that is added": {
    ask: (store) => store.commit(insertEndpointCommit(anEndpoint({ id: "61" }), 10)),
    plans: ["endpoints_1 (business_id=?)"],
  },
  "a key with a webhookUrl that is added": {
    ask: (store) =>
      store.commit(
        insertKeyCommit(anApiKey({ id: "21", keyHash: "21", webhookUrl: "https://shop.example/" }), {
          keys: Number.POSITIVE_INFINITY,
          withWebhook: 10,
        }),
      ),
    plans: ["budgetkit_keys_with_webhook (business_id=?)"],
  },
  "a key that is added": {
    ask: (store) => store.commit(insertKeyCommit(anApiKey({ id: "22", keyHash: "22" }), { keys: 10, withWebhook: 10 })),
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

/** The indexes of the queue and of the log. */
const LISTED: Readonly<Record<string, readonly [query: Partial<DeliveryQuery>, queue: string, log: string]>> = {
  "of a business": [{}, "of_subscriber (business_id=?)", "by_creation (business_id=?)"],
  "of a type": [{ eventType: "budget.created" }, "of_subscriber (business_id=?)", "by_creation (business_id=?)"],
  "of a subscriber": [
    { subscriber: SUBSCRIBER },
    `of_subscriber (${OF_SUBSCRIBER})`,
    `of_subscriber (${OF_SUBSCRIBER})`,
  ],
  "of a subscriber and a status": [
    { subscriber: SUBSCRIBER, status: "failed" },
    `of_subscriber (${OF_SUBSCRIBER})`,
    `of_subscriber (${OF_SUBSCRIBER})`,
  ],
  "of a status": [{ status: "failed" }, "of_subscriber (business_id=?)", "by_creation (business_id=?)"],
};

describe("how SQLite goes about webhooks", () => {
  let explained: ExplainedStore;

  beforeEach(async () => {
    explained = await explainedStore();
    await explained.store.commit(insertKeyCommit(anApiKey({ webhookUrl: "https://shop.example/" })));
    await explained.store.commit(insertEndpointCommit(anEndpoint()));
  });

  afterEach(() => explained.close());

  for (const [name, { delivery, ask, plans: expected }] of Object.entries(ASKED)) {
    it(`SQLite plans ${name} along an index, sorting nothing`, async () => {
      await explained.store.commit(testDeliveryCommit(aDelivery(delivery)));
      const plans = await explained.plansOf(() => ask(explained.store));
      for (const plan of expected) expect(plans.filter((steps) => steps.endsWith(plan))).not.toEqual([]);
      for (const steps of plans) expect(steps).not.toMatch(/SCAN|TEMP B-TREE/);
    });
  }

  it("SQLite counts unfinished deliveries along the subscriber's index, up to the bound", async () => {
    const [steps] = await explained.plansOf(() => explained.store.countUnfinished("1", SUBSCRIBER, 10));
    expect(steps).toContain(`budgetkit_delivery_queue_of_subscriber (${OF_SUBSCRIBER})`);
    expect(steps).not.toContain("TEMP B-TREE");
  });

  it("SQLite claims all that is due along the index of moments", async () => {
    await explained.store.commit(testDeliveryCommit(aDelivery()));
    const [turns, due] = await explained.plansOf(() => explained.store.claimDue(CLAIM));
    expect(turns).toBe("SEARCH budgetkit_delivery_turns USING INTEGER PRIMARY KEY (rowid>?)");
    expect(due).toBe("SEARCH budgetkit_delivery_queue USING INDEX budgetkit_delivery_queue_by_due (next_attempt_at<?)");
  });

  it("SQLite claims from backlogs of several businesses from subscriber to subscriber, a share of each", async () => {
    for (const businessId of ["1", "2"]) await explained.store.commit(testDeliveryCommit(aDelivery({ businessId })));
    const plans = await explained.plansOf(() => explained.store.claimDue({ ...CLAIM, limit: 1 }));
    const [, due, businesses, heads, ofSubscriber, delivery, lease, ...others] = plans;
    expect(due).toBe("SEARCH budgetkit_delivery_queue USING INDEX budgetkit_delivery_queue_by_due (next_attempt_at<?)");
    expect(businesses?.match(/SEARCH budgetkit_delivery_queue/g)).toHaveLength(2);
    const next = "((business_id,subscriber_kind,subscriber_id)>(?,?,?))";
    expect(heads).toContain(
      `SEARCH budgetkit_delivery_queue USING COVERING INDEX budgetkit_delivery_queue_of_subscriber ${next}`,
    );
    for (const each of ["next", "first"]) {
      expect(heads).toContain(`SEARCH ${each} USING PRIMARY KEY (business_id=? AND id=?)`);
    }
    const dueHead = `SEARCH due USING INDEX budgetkit_delivery_queue_of_subscriber (${OF_SUBSCRIBER} AND next_attempt_at<?)`;
    expect(heads).toContain(dueHead);
    expect(ofSubscriber).toContain(`budgetkit_delivery_queue_of_subscriber (${OF_SUBSCRIBER} AND next_attempt_at<?)`);
    expect(delivery).toMatch(/^SEARCH deliveries USING PRIMARY KEY \(business_id=\? AND id=\?\);/);
    expect(lease).toBe("SEARCH budgetkit_delivery_queue USING PRIMARY KEY (business_id=? AND id=?)");
    expect(others).toEqual([]);
    for (const steps of plans) expect(steps).not.toContain("TEMP B-TREE");
  });

  it("SQLite finds the first ordered delivery of a subject, past all that wait, and earlier events", async () => {
    const order = { subject: "budget 10", sequence: 1 };
    await explained.store.commit(testDeliveryCommit(aDelivery({ nextAttemptAt: null, order })));
    const plans = await explained.plansOf(() => explained.store.claimDue(CLAIM));
    const lane = `${OF_SUBSCRIBER} AND ordered_subject=?`;
    const find = `SEARCH budgetkit_delivery_queue USING COVERING INDEX budgetkit_delivery_queue_in_order (${lane})`;
    expect(plans).toContain(find);
    const earlier =
      "SEARCH waiting USING COVERING INDEX budgetkit_undispatched_events_of_business (business_id=? AND sequence<?)";
    expect(plans.filter((steps) => steps.includes(earlier))).toHaveLength(1);
    const notes = "SEARCH budgetkit_delivery_turns USING COVERING INDEX budgetkit_delivery_turns_of_business";
    expect(plans.filter((steps) => steps.includes(notes))).not.toEqual([]);
    for (const steps of plans) expect(steps).not.toMatch(/SCAN (?!CONSTANT|noted)|TEMP B-TREE/);
  });

  for (const [name, [query, queue, log]] of Object.entries(LISTED)) {
    it(`SQLite lists deliveries ${name} by an index each of queue and log, sorting what waits`, async () => {
      await explained.store.commit(testDeliveryCommit(aDelivery()));
      const [count, page] = await explained.plansOf(() => explained.store.listDeliveries("1", aDeliveryQuery(query)));
      for (const steps of [count, page]) {
        expect(steps?.match(/SEARCH [^;]*/g)).toEqual([
          `SEARCH budgetkit_delivery_queue USING COVERING INDEX budgetkit_delivery_queue_${queue}`,
          `SEARCH budgetkit_delivery_log USING COVERING INDEX budgetkit_delivery_log_${log}`,
        ]);
      }
      expect(page).toMatch(/delivery_queue_[^;]*; USE TEMP B-TREE FOR ORDER BY; RIGHT; SEARCH[^;]*$/);
    });
  }

  it("SQLite finds waiting events by the list of those that wait, and each by its position", async () => {
    await explained.store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
    const plans = await explained.plansOf(() => explained.store.findUndispatchedEvents(10));
    expect(plans).toEqual(["SCAN waiting; SEARCH events USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"]);
  });

  it("SQLite finds what is old along an index of ages, and all that goes with it by its key", async () => {
    await explained.store.commit(testDeliveryCommit(aDelivery({ ...FINISHED, updatedAt: NOW - 1 })));
    const [log, payloads, payload, ...others] = await explained.plansOf(() => explained.store.pruneDeliveries(NOW, 10));
    expect(log).toContain("budgetkit_delivery_log_by_age (updated_at<?)");
    for (const steps of [payloads, payload]) {
      expect(steps).toBe("SEARCH budgetkit_payloads USING INTEGER PRIMARY KEY (rowid=?)");
    }
    expect(log).not.toMatch(/SCAN|TEMP B-TREE/);
    expect(others).toEqual([]);
    const [aged] = await explained.plansOf(() => explained.store.findAgedLedgers(NOW, 10, []));
    expect(aged).toContain("budgetkit_events_by_age (occurred_at<?)");
  });
});
