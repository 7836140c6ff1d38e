import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertBudgetCommit, insertEndpointCommit, type Store, testDeliveryCommit } from "@budgetkit/core/store";
import {
  aBudget,
  aDelivery,
  aDeliveryQuery,
  anAttempt,
  anEndpoint,
  anEvent,
  anEventQuery,
  FIXTURE_TIME as NOW,
  rounds,
} from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundlePackage, type StartChild } from "../../../../tests/child-process.js";
import { testSchema } from "../testing/test-schema.js";

const PROCESSES = 3;
const DELIVERIES = rounds({ small: 501, full: 2_001 });
const LEASE_MS = 60_000;
const PER_SUBSCRIBER = 4;

/** What a process did with a delivery, in the order in which it did. */
type Step = readonly [what: "claimed" | "written" | "lease-lost", id: string, attempt: number, share: number];

describe("processes that share a database", () => {
  const schema = testSchema();
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
    store = await schema.freshStore();
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Adds every third delivery, from `first` on, while it claims and settles due deliveries, its own and others'. The
   * first attempt of every seventh delivery fails, and the next is due at once.
   */
  function dispatcher(startChild: StartChild, first: number): Promise<string> {
    return startChild(`
      const store = postgresStore(${JSON.stringify(schema.url)}, ${JSON.stringify({ schema: schema.schema, clock: "caller" })});
      const draft = ${JSON.stringify(aDelivery())};
      const insertion = ${JSON.stringify(testDeliveryCommit(aDelivery()))};
      const attempt = ${JSON.stringify(anAttempt())};
      const now = ${NOW};
      const steps = [];

      async function add() {
        for (let n = ${first}; n < ${DELIVERIES}; n += ${PROCESSES}) {
          const subscriber = { kind: "endpoint", id: String(60 + (n % 20)) };
          const businessId = String(1 + (n % 2));
          const delivery = { ...draft, businessId, id: String(1_000 + n), subscriber };
          await store.commit({ ...insertion, businessId, writes: [{ kind: "delivery", delivery }] });
        }
      }

      async function settle({ businessId, id, attempts: number }, fencingToken) {
        const isAgain = Number(id) % 7 === 0 && number === 1;
        const end = isAgain ? { status: "retrying", nextAttemptAt: now } : { status: "delivered", nextAttemptAt: null };
        const made = { ...attempt, businessId, deliveryId: id, number };
        const settlement = { businessId, deliveryId: id, fencingToken, attempt: made, refundedAttempts: 0, ...end, now };
        steps.push([await store.settle(settlement), id, number, 0]);
      }

      let isAdding = true;
      const adding = add().then(() => { isAdding = false; });
      for (let turn = 0; ; turn += 1) {
        const wasAdding = isAdding;
        const lease = { token: ${first} + "-" + turn, until: now + ${LEASE_MS} };
        const shares = { limit: 50, perBusiness: 40, perSubscriber: ${PER_SUBSCRIBER}, inFlight: [] };
        const claimed = await store.claimDue({ lease, now, ...shares });
        if (claimed.length === 0 && !wasAdding) break;
        const ofSubscriber = {};
        for (const { businessId, subscriber, id, attempts } of claimed) {
          const name = businessId + " " + subscriber.id;
          ofSubscriber[name] = (ofSubscriber[name] ?? 0) + 1;
          steps.push(["claimed", id, attempts, ofSubscriber[name]]);
        }
        await Promise.all(claimed.map((delivery) => settle(delivery, lease.token)));
      }
      await adding;
      await store.close();
      process.stdout.write(JSON.stringify(steps));
      `).output;
  }

  it("queue every event from the moment at which one of them adds a subscriber", async () => {
    const startChild = await bundlePackage("store-postgres", folder);
    const writer = startChild(`
      const insertion = ${JSON.stringify(insertBudgetCommit(aBudget()))};
      const store = postgresStore(${JSON.stringify(schema.url)}, ${JSON.stringify({ schema: schema.schema })});
      for (let id = 1; id <= 300; id += 1) {
        const budget = { ...${JSON.stringify(aBudget())}, id: String(id) };
        const event = { ...${JSON.stringify(anEvent())}, id: "e" + id, subjectId: budget.id };
        await store.commit({ ...insertion, writes: [{ kind: "budget", budget, expected: "absent" }], events: [event] });
      }
      await store.close();
      `);
    const committed = async () => (await store.listEvents("1", anEventQuery({ limit: 1 }))).total;
    while ((await committed()) < 20) await new Promise(setImmediate);
    await store.commit(insertEndpointCommit(anEndpoint()));
    const before = await committed();
    await writer.output;
    const sequences = (await store.findUndispatchedEvents(300)).map(({ sequence }) => sequence);
    const first = sequences[0] ?? 301;
    expect(first).toBeLessThanOrEqual(before + 1);
    expect(sequences).toEqual(Array.from({ length: 301 - first }, (_, index) => first + index));
  });

  it("hold each delivery one at a time, forget none and deliver none twice", async () => {
    const startChild = await bundlePackage("store-postgres", folder);
    const outputs = await Promise.all([0, 1, 2].map((first) => dispatcher(startChild, first)));
    const steps = outputs.flatMap((output): Step[] => JSON.parse(output));

    const ids = Array.from({ length: DELIVERIES }, (_, n) => String(1_000 + n));
    const expected = ids.flatMap((id) => (Number(id) % 7 === 0 ? [`${id} 1`, `${id} 2`] : [`${id} 1`])).sort();
    const of = (what: string) => steps.filter((step) => step[0] === what).map(([, id, attempt]) => `${id} ${attempt}`);
    expect(of("claimed").sort()).toEqual(expected);
    expect(of("written").sort()).toEqual(expected);
    expect(of("lease-lost")).toEqual([]);
    expect(Math.max(...steps.map(([, , , share]) => share))).toBeLessThanOrEqual(PER_SUBSCRIBER);

    expect(await store.nextDueAt()).toBeNull();
    for (const businessId of ["1", "2"]) {
      const all = await store.listDeliveries(businessId, aDeliveryQuery({ limit: 1 }));
      const delivered = await store.listDeliveries(businessId, aDeliveryQuery({ status: "delivered", limit: 1 }));
      expect(delivered.total).toBe(all.total);
    }
  });
});
