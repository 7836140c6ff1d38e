import { randomUUID } from "node:crypto";
import {
  insertBudgetCommit,
  insertEndpointCommit,
  type Settlement,
  type Store,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import { aBudget, aDelivery, anAttempt, anEndpoint, anEvent, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ArrayCall, type ArrayFunction, arrayBatches } from "../engine/array-batches.js";
import type { RepeatableCalls } from "../engine/repeatable-transactions.js";
import { nameIn } from "../engine/session.js";
import { testSchema } from "../testing/test-schema.js";
import { ADD_DELIVERIES } from "./add-functions.js";
import { deliveryArguments, settlementArgument } from "./delivery-rows.js";
import { SETTLE_DELIVERIES } from "./settle-functions.js";

const SUBSCRIBER = { kind: "endpoint", id: "60" } as const;
const LEASE = { token: "lease-1", until: NOW + 60_000 };

function settlement(deliveryId: string): Settlement {
  const end = { status: "delivered", refundedAttempts: 0, nextAttemptAt: null, now: NOW } as const;
  return { businessId: "1", deliveryId, fencingToken: LEASE.token, attempt: anAttempt({ deliveryId }), ...end };
}

describe("webhooks beside a transaction that is open", () => {
  const schema = testSchema();
  const named = nameIn(schema.schema);
  let store: Store;
  let client: pg.PoolClient;

  beforeEach(async () => {
    store = await schema.freshStore();
    client = await schema.pool.connect();
    await client.query("BEGIN");
  });

  afterEach(async () => {
    await client.query("ROLLBACK");
    client.release();
    await store.close();
  });

  const claim = async (now = NOW) => {
    const shares = { limit: 10, perBusiness: 10, perSubscriber: 10, inFlight: [] };
    return (await store.claimDue({ lease: LEASE, now, ...shares })).map(({ id }) => id);
  };
  const onClient: RepeatableCalls = async ({ text }, values) => {
    const batch = randomUUID();
    await client.query(named("INSERT INTO @batches (id, answers) VALUES ($1, '[]')"), [batch]);
    const { rows } = await client.query<{ answers: unknown }>(text, [batch, ...values]);
    return rows[0]?.answers;
  };
  const within = (of: ArrayFunction, call: ArrayCall) => arrayBatches(of, onClient, named).commit(call);
  const addWithin = (id: string) =>
    within(ADD_DELIVERIES, { event: [], deliveries: deliveryArguments([aDelivery({ id })], "caller") });
  /** Lets the delivery wait for a retry, without an attempt. */
  const retryWithin = (id: string, nextAttemptAt: number) => {
    const retry = { status: "retrying", nextAttemptAt, attempt: null, refundedAttempts: 1 } as const;
    return within(SETTLE_DELIVERIES, { settlements: [settlementArgument({ ...settlement(id), ...retry }, "caller")] });
  };
  const restartWithin = (id: number) =>
    client.query(named(`SELECT @restart_delivery(1, ${id}, ${NOW}, ${NOW}, 'caller')`));
  const cancelWithin = () => client.query(named(`SELECT @cancel_deliveries(1, 'endpoint', 60, ${NOW}, 10)`));

  it("a claim finds what an open transaction adds once it has committed, even if others were claimed", async () => {
    await store.commit(testDeliveryCommit(aDelivery({ id: "70" })));
    await addWithin("71");
    expect(await claim()).toEqual(["70"]);
    await store.settle(settlement("70"));
    expect(await store.nextDueAt()).toBeNull();
    await client.query("COMMIT");
    expect(await store.nextDueAt()).toBe(NOW);
    expect(await claim()).toEqual(["71"]);
  });

  it("a claim finds what an open transaction redelivered or retries, once it has committed", async () => {
    await store.commit(testDeliveryCommit(aDelivery({ id: "70", status: "failed", nextAttemptAt: null })));
    await store.commit(testDeliveryCommit(aDelivery({ id: "71", lease: LEASE })));
    expect(await store.nextDueAt()).toBe(LEASE.until);
    await restartWithin(70);
    expect(await retryWithin("71", NOW + 5)).toBe(true);
    expect(await claim()).toEqual([]);
    await client.query("COMMIT");
    expect(await claim(NOW + 5)).toEqual(["70", "71"]);
  });

  it("a claim skips what an open transaction works on, and finds it after a rollback", async () => {
    await store.commit(testDeliveryCommit(aDelivery({ id: "70" })));
    await cancelWithin();
    await store.commit(testDeliveryCommit(aDelivery({ id: "71" })));
    expect(await claim()).toEqual(["71"]);
    await client.query("ROLLBACK");
    expect(await claim()).toEqual(["70"]);
  });

  it("waits for the disk with a claim that a call follows, and with no other", async () => {
    await store.commit(testDeliveryCommit(aDelivery({ id: "70" })));
    const rooms = { perBusiness: 10, perSubscriber: 10, roomsOfBusinesses: {}, roomsOfSubscribers: {} };
    const claim = {
      fencingToken: LEASE.token,
      leaseUntil: LEASE.until,
      now: NOW,
      limit: 10,
      clock: "caller",
      ...rooms,
    };
    const writes = async () => {
      await client.query("BEGIN");
      await client.query(named("SELECT @claim_deliveries($1)"), [JSON.stringify(claim)]);
      const { rows } = await client.query(
        "SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS writes, current_setting('synchronous_commit') AS waits",
      );
      await client.query("COMMIT");
      return rows[0];
    };
    await client.query("ROLLBACK");
    expect([await writes(), await writes()]).toEqual([
      { writes: true, waits: "on" },
      { writes: false, waits: "on" },
    ]);
    await client.query("BEGIN");
  });

  it("settles nothing that an open transaction cancels, without waiting (lease-lost)", async () => {
    await store.commit(testDeliveryCommit(aDelivery({ id: "70" })));
    await store.commit(testDeliveryCommit(aDelivery({ id: "71", subscriber: { kind: "key", id: "60" } })));
    await claim();
    await cancelWithin();
    const outcomes = await Promise.all(["70", "71"].map((id) => store.settle(settlement(id))));
    expect(outcomes).toEqual(["lease-lost", "written"]);
    await client.query("COMMIT");
    expect((await store.findDelivery("1", "70"))?.status).toBe("cancelled");
    expect(await store.listAttempts("1", "70")).toEqual([]);
  });

  it("a cancellation includes what is being settled", async () => {
    await store.commit(testDeliveryCommit(aDelivery({ id: "70", lease: LEASE })));
    await retryWithin("70", NOW);
    const cancelled = store.cancelDeliveries("1", SUBSCRIBER, NOW, 10);
    await client.query("COMMIT");
    expect(await cancelled).toBe(1);
    expect((await store.findDelivery("1", "70"))?.status).toBe("cancelled");
  });

  it("an event that an open transaction fans out is taken, and waits again after a rollback", async () => {
    await store.commit(insertEndpointCommit(anEndpoint()));
    await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
    const [event] = await store.findUndispatchedEvents(1);
    if (event === undefined) throw new Error("the event waits");
    await within(ADD_DELIVERIES, { event: [{ business_id: 1, sequence: event.sequence }], deliveries: [] });
    expect(await store.fanOut(event, [aDelivery()])).toBe("taken");
    await client.query("ROLLBACK");
    expect(await store.findUndispatchedEvents(1)).toEqual([event]);
    expect(await store.fanOut(event, [aDelivery()])).toBe("written");
  });

  it("neither removes nor redelivers what an open transaction restarts", async () => {
    await store.commit(
      testDeliveryCommit(aDelivery({ id: "70", status: "failed", nextAttemptAt: null, updatedAt: NOW - 1 })),
    );
    await restartWithin(70);
    expect(await store.redeliver("1", "70", NOW, NOW)).toBe(false);
    expect(await store.pruneDeliveries(NOW, 10)).toBe(0);
    await client.query("COMMIT");
    expect(await store.pruneDeliveries(NOW, 10)).toBe(0);
    expect(await claim()).toEqual(["70"]);
  });
});
