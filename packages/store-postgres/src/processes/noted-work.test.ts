import {
  type DeliveryPlan,
  insertBudgetCommit,
  insertEndpointCommit,
  namesOfSubscribers,
  replaceBudgetCommit,
  type Settlement,
  type Store,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import { aBudget, aDelivery, anAttempt, anEndpoint, anEvent, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { postgresStore } from "../index.js";
import { proxyThatLoses } from "../testing/cutting-proxy.js";
import { testSchema } from "../testing/test-schema.js";
import { channelOf } from "./listener.js";

const SUBSCRIBER = { kind: "endpoint", id: "60" } as const;
const LEASE = { token: "held", until: NOW + 60_000 };
const UNKNOWN_LEASE = "another";

type Work = (store: Store) => Promise<unknown>;

const subscribe: Work = (store) => store.commit(insertEndpointCommit(anEndpoint()));
const addEvent: Work = (store) => store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
const addLeased: Work = (store) => store.commit(testDeliveryCommit(aDelivery({ lease: LEASE })));
const addFailed: Work = (store) =>
  store.commit(testDeliveryCommit(aDelivery({ status: "failed", nextAttemptAt: null })));

const nothing: Work = async () => {};
const all =
  (...works: readonly Work[]): Work =>
  async (store) => {
    for (const work of works) await work(store);
  };

/** A new budget whose event has a delivery for the endpoint, as planned for these subscribers. */
function planned(lease: typeof LEASE | null, subscribers = [{ ...SUBSCRIBER, version: 1 }]): Work {
  const delivery = { id: "70", eventId: "90", subscriber: SUBSCRIBER, deadlineAt: NOW, orderedSubject: null, lease };
  const deliveries: DeliveryPlan = {
    subscribers: namesOfSubscribers(subscribers),
    plannedAt: NOW,
    deliveries: [delivery],
  };
  const beside = { events: [anEvent({ id: "90" })], deliveries };
  return (store) => store.commit(insertBudgetCommit(aBudget(), beside));
}

const fannedOut =
  (...leases: readonly (typeof LEASE | null)[]): Work =>
  async (store) => {
    const [event] = await store.findUndispatchedEvents(1);
    if (event === undefined) throw new Error("no event waits for its fan-out");
    const deliveries = leases.map((lease, index) => aDelivery({ id: String(71 + index), lease }));
    expect(await store.fanOut(event, deliveries)).toBe("written");
  };

const settled =
  (outcome: Partial<Settlement>): Work =>
  (store) =>
    store.settle({
      businessId: "1",
      deliveryId: "70",
      fencingToken: LEASE.token,
      attempt: null,
      refundedAttempts: 1,
      status: "retrying",
      nextAttemptAt: NOW + 1,
      now: NOW,
      ...outcome,
    });

const redelivered: Work = (store) => store.redeliver("1", "70", NOW, NOW + 1);
const redeliveredAll: Work = (store) => {
  const after = { createdAt: 0, id: "0" };
  return store.redeliverUndelivered("1", { subscriber: SUBSCRIBER, after, now: NOW, deadlineAt: NOW + 1, limit: 10 });
};

describe("work that other processes are notified of", () => {
  const schema = testSchema();

  /** The notifications that a process has sent until it has closed its store. `prepare` is not part of it. */
  async function notificationsOf(prepare: Work, work: Work, open = schema.open): Promise<number> {
    const prepared = await schema.freshStore();
    await prepare(prepared);
    await prepared.close();
    const client = await schema.pool.connect();
    let notifications = 0;
    client.on("notification", () => {
      notifications += 1;
    });
    try {
      await client.query(`LISTEN ${channelOf(schema.schema)}`);
      const store = open();
      await work(store);
      await store.close();
      await client.query("SELECT 1"); // PostgreSQL sends the notifications before its answer
      return notifications;
    } finally {
      client.release(true);
    }
  }

  it.each<readonly [name: string, prepare: Work, work: Work]>([
    ["events that wait for their fan-out", subscribe, addEvent],
    ["events whose plan was for other subscribers", subscribe, planned(LEASE, [])],
    ["a delivery that waits for a claim", nothing, (store) => store.commit(testDeliveryCommit(aDelivery()))],
    ["a planned delivery without a lease", subscribe, planned(null)],
    ["a fan-out with a delivery that waits", all(subscribe, addEvent), fannedOut(LEASE, null)],
    ["a delivery that is redelivered", addFailed, redelivered],
    ["deliveries that are redelivered", addFailed, redeliveredAll],
    ["a delivery that is due again with a refunded attempt", addLeased, settled({})],
  ])("notifies other processes of %s", async (_, prepare, work) => {
    expect(await notificationsOf(prepare, work)).toBe(1);
  });

  it("notifies other processes of a planned delivery without a lease, also when its commit was repeated", async () => {
    const proxy = await proxyThatLoses(schema.url, "COMMIT");
    onTestFinished(() => proxy.close());
    const open = () => postgresStore(proxy.url, { schema: schema.schema, clock: "caller", listen: false });
    expect(await notificationsOf(subscribe, planned(null), open)).toBe(1);
    expect(proxy.cuts).toBe(1);
  });

  it.each<readonly [name: string, prepare: Work, work: Work]>([
    ["a change without events", subscribe, (store) => store.commit(insertBudgetCommit(aBudget()))],
    ["events of a business without subscribers", nothing, addEvent],
    [
      "events of a refused commit (stale)",
      all(subscribe, (store) => store.commit(insertBudgetCommit(aBudget()))),
      (store) => store.commit(replaceBudgetCommit(aBudget({ version: 9 }), 8, { events: [anEvent()] })),
    ],
    ["planned deliveries that all have a lease", subscribe, planned(LEASE)],
    ["a fan-out whose deliveries all have a lease", all(subscribe, addEvent), fannedOut(LEASE)],
    ["a leased test delivery", nothing, addLeased],
    ["a delivery that is not there", nothing, all(redelivered, redeliveredAll)],
    ["an attempt", addLeased, settled({ attempt: anAttempt({ responseCode: 500 }), refundedAttempts: 0 })],
    ["the end of a cancelled delivery", addLeased, settled({ status: "cancelled", nextAttemptAt: null })],
    ["a settlement whose lease is lost", addLeased, settled({ fencingToken: UNKNOWN_LEASE })],
    ["a cancellation", addLeased, (store) => store.cancelDeliveries("1", SUBSCRIBER, NOW, 10)],
  ])("notifies no other processes of %s", async (_, prepare, work) => {
    expect(await notificationsOf(prepare, work)).toBe(0);
  });
});
