import {
  auditCommit,
  type DueClaim,
  insertEndpointCommit,
  removeEndpointCommit,
  replaceEndpointCommit,
  type Settlement,
  type Store,
  type StoredEvent,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import {
  aDelivery,
  aDeliveryQuery,
  anAttempt,
  anAuditEntry,
  anEndpoint,
  anEvent,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { nameIn } from "../engine/session.js";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

const IS_FINISHED = "(n > 30000 OR n <= 20000 AND n % 2 = 1)";

const fillDeliveries = (table: string, condition: string) => `
  INSERT INTO ${table} (business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts,
    attempts_in_round, next_attempt_at, deadline_at, lease_id, created_at, updated_at, trail)
  SELECT CASE WHEN n > 30000 THEN 3 ELSE 1 + n % 20 END, n, 'endpoint',
    CASE WHEN n > 20000 THEN 1000 ELSE 1 + n % 200 END, 'event-' || n, 'budget.created',
    CASE WHEN NOT ${IS_FINISHED} THEN 'pending' WHEN n % 10 = 1 THEN 'failed' ELSE 'delivered' END, 0, 0,
    CASE WHEN ${IS_FINISHED} THEN NULL WHEN n > 20000 THEN ${NOW} - 1 ELSE ${NOW} + n END, ${NOW}, NULL,
    ${NOW} + n, ${NOW} + n, '[1,${NOW},5,200,null,"ok"]'
  FROM generate_series(1, 32000) AS n WHERE ${condition};
`;

/**
 * 200 subscribers of 20 businesses with 100 deliveries each, half of them finished; one subscriber of each business with
 * a backlog of 500, which is due before all others; and 2,000 finished ones of one of these.
 */
const FILL = `
  ${fillDeliveries("@delivery_queue", `NOT ${IS_FINISHED}`)}
  ${fillDeliveries("@delivery_log", IS_FINISHED)}
  INSERT INTO @delivery_bodies (business_id, id, head) SELECT business_id, id, '{}' FROM @deliveries;
  INSERT INTO @endpoints SELECT 1 + n % 200, n, 1, CASE WHEN n % 2 = 0 THEN 'ACTIVE' ELSE 'DISABLED' END, ${NOW} + n,
    CASE WHEN n % 10 = 0 THEN ${NOW} + n END, '{}' FROM generate_series(1, 20000) AS n;
  INSERT INTO @keys SELECT 1 + n % 200, n, 1, 'ACTIVE', NULL, CASE WHEN n % 10 = 1 THEN 'https://a.example' END,
    'hash-' || n, NULL, ${NOW}, NULL, CASE WHEN n % 10 = 0 THEN ${NOW} + n END, '{}'
    FROM generate_series(1, 20000) AS n;
  INSERT INTO @events SELECT 1 + n % 20, 1000000 + n, n, 'budget.created', ${NOW} + n, 'subject',
    '{"businessId":"1","type":"budget.created"}', 1
    FROM generate_series(1, 20000) AS n;
  INSERT INTO @undispatched_events (business_id, sequence, position)
    SELECT business_id, sequence, sequence FROM @events WHERE sequence % 2 = 0;
`;

const SUBSCRIBER = { kind: "endpoint", id: "3" } as const;
const BUSY_SUBSCRIBER = { kind: "endpoint", id: "1000" } as const;

const CLAIM: DueClaim = {
  lease: { token: "lease-1", until: NOW + 60_000 },
  now: NOW,
  limit: 10,
  perBusiness: 3,
  perSubscriber: 2,
  inFlight: [{ businessId: "1", subscriber: SUBSCRIBER, calls: 1 }],
};

const RESTART = { subscriber: SUBSCRIBER, after: { createdAt: 0, id: "0" }, now: NOW, deadlineAt: NOW, limit: 5 };

function settlement(deliveryId: string, fencingToken: string): Settlement {
  const end = { status: "delivered", refundedAttempts: 0, nextAttemptAt: null, now: NOW } as const;
  return {
    businessId: "1",
    deliveryId,
    fencingToken: fencingToken,
    attempt: anAttempt({ deliveryId, number: 2 }),
    ...end,
  };
}

function waitingEvent(turn: number): StoredEvent {
  return { ...anEvent({ businessId: "1" }), sequence: 1_000_020 + 20 * turn, revision: 1 };
}

type Ask = (store: Store, turn: number) => Promise<unknown>;

/** What is asked, and the indexes that must be among those that lead to its rows. */
const ASKED: Readonly<Record<string, readonly [ask: Ask, indexes: readonly string[]]>> = {
  "what is due": [
    (store) => store.claimDue(CLAIM),
    ["delivery_queue_by_due", "delivery_queue_of_subscriber", "delivery_bodies_pkey"],
  ],
  "when the next is due": [(store) => store.nextDueAt(), ["delivery_queue_by_due"]],
  "the turn of an ordered delivery": [
    async (store, turn) => {
      const order = { subject: "budget subject", sequence: 1_000_100 + turn };
      await store.commit(testDeliveryCommit(aDelivery({ id: String(45_000 + turn), nextAttemptAt: null, order })));
      return store.claimDue(CLAIM);
    },
    ["delivery_turns_pkey", "delivery_queue_in_order", "undispatched_events_pkey", "events_pkey"],
  ],
  "a settlement": [
    async (store, turn) => {
      const id = String(40_000 + turn);
      const lease = { token: "mine", until: NOW };
      await store.commit(testDeliveryCommit(aDelivery({ id, lease })));
      return store.settle(settlement(id, lease.token));
    },
    ["delivery_queue_pkey"],
  ],
  "a settlement that waits for a retry": [
    async (store, turn) => {
      const id = String(42_000 + turn);
      const lease = { token: "mine", until: NOW };
      await store.commit(testDeliveryCommit(aDelivery({ id, lease })));
      return store.settle({ ...settlement(id, lease.token), status: "retrying", nextAttemptAt: NOW + 1_000_000 });
    },
    ["delivery_queue_pkey"],
  ],
  "a settlement that is lost": [(store) => store.settle(settlement("1", "lease-lost")), ["delivery_queue_pkey"]],
  "events that wait": [(store) => store.findUndispatchedEvents(10, 2), ["undispatched_events_in_order", "events_pkey"]],
  "a fan-out": [
    (store, turn) => store.fanOut(waitingEvent(turn), [aDelivery({ id: String(50_000 + turn) })]),
    ["undispatched_events_pkey"],
  ],
  "a cancellation": [
    (store, turn) => store.cancelDeliveries("5", { kind: "endpoint", id: String(5 + 20 * turn) }, NOW, 5),
    ["delivery_queue_of_subscriber", "delivery_queue_pkey"],
  ],
  "a delivery that is redelivered": [
    (store, turn) => store.redeliver("4", String(3 + 20 * turn), NOW, NOW),
    ["delivery_log_pkey"],
  ],
  "failures that are redelivered": [
    (store) => store.redeliverUndelivered("2", { ...RESTART, subscriber: { kind: "endpoint", id: "2" } }),
    ["delivery_log_undelivered", "delivery_log_pkey"],
  ],
  "ledgers with old entries": [(store) => store.findAgedLedgers(NOW, 5, []), ["events_by_age"]],
  "what is old": [
    (store, turn) => store.pruneDeliveries(NOW + 1_000 * (turn + 1), 5),
    ["delivery_log_by_age", "delivery_bodies_pkey"],
  ],
  "the ids of new deliveries": [
    async (store, turn) => {
      await store.commit(testDeliveryCommit(aDelivery({ businessId: "3", id: String(70_000 + turn) })));
      const ended = aDelivery({ businessId: "3", id: String(71_000 + turn), status: "delivered", nextAttemptAt: null });
      return store.commit(testDeliveryCommit(ended));
    },
    ["delivery_log_pkey", "delivery_queue_pkey"],
  ],
  "the last revision of a subject": [
    (store) => store.commit(auditCommit(anAuditEntry({ businessId: "1", subjectId: "none" }))),
    ["events_of_subject"],
  ],
  "a new endpoint": [
    (store, turn) => store.commit(insertEndpointCommit(anEndpoint({ id: String(60_000 + turn) }), 999)),
    [],
  ],
  "another version of an endpoint": [
    (store, turn) =>
      store.commit(replaceEndpointCommit(anEndpoint({ businessId: "2", id: "1", version: turn + 2 }), turn + 1)),
    ["endpoints_pkey"],
  ],
  "an endpoint that is deleted": [(store) => store.commit(removeEndpointCommit("3", "2")), ["endpoints_pkey"]],
  "secrets that were replaced": [
    (store, turn) => store.clearReplacedSecrets(NOW + 100 * (turn + 1), 5),
    ["keys_with_former_secret", "keys_pkey", "endpoints_with_former_secret", "endpoints_pkey"],
  ],
};

const LARGE =
  /Seq Scan on (?:\w+\.)?(?:delivery_queue|delivery_log|delivery_bodies|events|undispatched_events|endpoints|keys)\b/;

/** Rows that are looked for among all of a business. */
const AMONG_ALL =
  /on (?:\w+\.)?(?:delivery_queue|delivery_log|events)\b[^\n]*\n\s*Index Cond: \(business_id = [^\s()]+\)\n\s*Filter/;

/** Those that are read from their beginning, in order, and no further than what is wanted. */
const IN_ORDER = ["delivery_queue_of_subscriber", "undispatched_events_in_order", "delivery_turns_pkey"];

function indexesReadWhole(plans: string): string[] {
  const reads = plans.matchAll(/Index (?:Only )?Scan(?: Backward)? using (\w+)[^\n]*\n(?!\s*(?:Index Cond|Disabled))/g);
  return [...reads].map(([, index]) => index ?? "").filter((index) => !IN_ORDER.includes(index));
}

describe("how PostgreSQL goes about webhooks", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  afterAll(() => explained.close());

  /** What functions keep was planned while everything was empty. */
  beforeAll(async () => {
    await (await schema.freshStore()).close();
    await schema.vacuum("delivery_queue", "delivery_log", "delivery_bodies", "endpoints");
    explained = explainedStore(schema);
    for (const [ask] of Object.values(ASKED)) await explained.plansOf(ask);
    for (const table of ["delivery_queue", "delivery_log", "delivery_bodies", "endpoints"]) {
      await schema.query(`DELETE FROM @${table}`);
    }
    await schema.query(FILL);
  });

  for (const [name, [ask, indexes]] of Object.entries(ASKED)) {
    it(`PostgreSQL plans ${name} along indexes, though it was planned on empty tables`, async () => {
      const plans = (await explained.plansOf(ask)).join("\n");
      expect(plans).not.toMatch(LARGE);
      expect(plans).not.toMatch(AMONG_ALL);
      expect(indexesReadWhole(`${plans}\n`)).toEqual([]);
      for (const index of indexes) expect(plans).toMatch(new RegExp(`\\b${index}\\b`));
    });
  }

  it("PostgreSQL finds what is due past the backlog of a full subscriber, without reading it", async () => {
    const full = Array.from({ length: 20 }, (_, n) => [`${n + 1} endpoint 1000`, 0]);
    const claim = {
      fencingToken: "lease-2",
      leaseUntil: NOW,
      now: NOW + 40_000,
      limit: 10,
      clock: "caller",
      perBusiness: 10,
      perSubscriber: 2,
      roomsOfBusinesses: {},
      roomsOfSubscribers: Object.fromEntries(full),
    };
    const named = nameIn(schema.schema);
    const client = await schema.pool.connect();
    await client.query("BEGIN");
    const claimed = await client.query(named("SELECT * FROM @claim_deliveries($1)"), [JSON.stringify(claim)]);
    const { rows } = await client.query(
      "SELECT idx_tup_fetch AS n FROM pg_stat_xact_user_tables WHERE schemaname = $1 AND relname = 'delivery_queue'",
      [schema.schema],
    );
    await client.query("ROLLBACK");
    client.release();
    expect(claimed.rows).toHaveLength(10);
    expect(Number(rows[0]?.n)).toBeLessThan(1_000);
  });
});

describe("how PostgreSQL goes about small tables", () => {
  const schema = testSchema();

  it("PostgreSQL finds the last revision of a subject among its entries, though the table was small when it was planned", async () => {
    await (await schema.freshStore()).close();
    await schema.query(`INSERT INTO @events SELECT 1, -n, n, 'budget.created', ${NOW} + n, 'subject', '{}', 1
      FROM generate_series(1, 20) AS n`);
    await schema.vacuum("events");
    const explained = explainedStore(schema);
    onTestFinished(() => explained.close());
    const plans = await explained.plansOf((store) =>
      store.commit(auditCommit(anAuditEntry({ businessId: "1", subjectId: "none" }))),
    );
    expect(plans.join("\n")).toMatch(/using events_of_subject/);
  });
});

describe("how PostgreSQL goes about reading webhooks", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  afterAll(() => explained.close());

  beforeAll(async () => {
    await (await schema.freshStore()).close();
    await schema.query(FILL);
    await schema.vacuum("delivery_queue", "delivery_log", "delivery_bodies", "endpoints", "keys");
    explained = explainedStore(schema);
  });

  const LISTED: Readonly<Record<string, readonly [query: Parameters<typeof aDeliveryQuery>[0], index: string]>> = {
    "of a business": [{}, "delivery_log_by_creation"],
    "of a type": [{ eventType: "budget.created" }, "delivery_log_by_creation"],
    "of a subscriber": [{ subscriber: BUSY_SUBSCRIBER }, "delivery_log_of_subscriber"],
    "of a subscriber and a status": [{ subscriber: BUSY_SUBSCRIBER, status: "failed" }, "delivery_log_of_subscriber"],
    "of a status": [{ status: "failed" }, "delivery_log_by_creation"],
  };

  for (const [name, [query, index]] of Object.entries(LISTED)) {
    it(`PostgreSQL lists deliveries ${name} along one index, sorting nothing but the page`, async () => {
      const plans = await explained.plansOf((store) =>
        store.listDeliveries("3", aDeliveryQuery({ ...query, limit: 5 })),
      );
      expect(plans.join("\n")).not.toMatch(/Seq Scan on (?:\w+\.)?delivery_(?:log|bodies)\b/); // the queue is small
      expect(plans.join("\n")).toMatch(new RegExp(`Index Scan Backward using ${index}\\b`));
    });
  }

  it("PostgreSQL finds a delivery, its attempts and an endpoint by their ids", async () => {
    const plans = await explained.plansOf(async (store) => {
      await store.findDelivery("2", "1");
      await store.listAttempts("2", "1");
      await store.findEndpoint("2", "1");
    });
    expect(plans.join("\n")).not.toMatch(LARGE);
  });

  it("PostgreSQL finds subscribers along indexes", async () => {
    const plans = (await explained.plansOf((store) => store.findSubscribers("2"))).join("\n");
    expect(plans).not.toMatch(LARGE);
    expect(plans).toContain("keys_with_webhook");
  });

  it("PostgreSQL counts deliveries by status along an index", async () => {
    const plans = (await explained.plansOf((store) => store.countDeliveries("2", NOW))).join("\n");
    expect(plans).not.toMatch(LARGE);
    expect(plans).toContain("delivery_log_by_creation");
  });

  it("PostgreSQL counts the backlog no further than requested", async () => {
    const plans = (await explained.plansOf((store) => store.countBacklog(NOW + 100, 50))).join("\n");
    expect(plans).not.toMatch(LARGE);
    expect(plans).toContain("undispatched_events");
  });

  it("PostgreSQL lists endpoints newest first along an index", async () => {
    const plans = (await explained.plansOf((store) => store.listEndpoints("2", 10, 0))).join("\n");
    expect(plans).toContain("endpoints_by_creation");
  });
});
