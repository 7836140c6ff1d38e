import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertBudgetCommit, insertEndpointCommit, type Store } from "@budgetkit/core/store";
import {
  aBudget,
  aDelivery,
  aDeliveryQuery,
  anAttempt,
  anEndpoint,
  anEvent,
  FIXTURE_TIME as NOW,
  rounds,
} from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundlePackage, type StartChild } from "../../../../tests/child-process.js";
import { testSchema } from "../testing/test-schema.js";

const PROCESSES = 3;
const SUBJECTS = 10;
const EVENTS = rounds({ small: 300, full: 3_000 });

/** What a process did with the delivery of an event, and when: nanoseconds of a clock that all processes share. */
type Step = readonly [what: "claimed" | "settles", subject: string, sequence: number, at: string];

describe("ordered deliveries of processes that share a database", () => {
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

  /** Fans out events, the latest first, while it claims and settles. The first attempt of every seventh event fails. */
  function dispatcher(startChild: StartChild, worker: number): Promise<string> {
    return startChild(`
      const store = postgresStore(${JSON.stringify(schema.url)}, ${JSON.stringify({ schema: schema.schema, clock: "caller" })});
      const draft = ${JSON.stringify(aDelivery({ nextAttemptAt: null }))};
      const attempt = ${JSON.stringify(anAttempt())};
      const now = ${NOW};
      const steps = [];
      const note = (what, order) => steps.push([what, order.subject, order.sequence, String(process.hrtime.bigint())]);

      async function fanOut() {
        const events = await store.findUndispatchedEvents(20 + ${worker});
        await Promise.all(events.reverse().map((event) => {
          const id = String(${worker + 1} * 1_000_000 + event.sequence);
          const order = { subject: "budget " + event.subjectId, sequence: event.sequence };
          return store.fanOut(event, [{ ...draft, id, order }]);
        }));
        return events.length > 0;
      }

      async function settle({ businessId, id, attempts: number, order }, fencingToken) {
        const isAgain = order.sequence % 7 === 0 && number === 1;
        const end = isAgain ? { status: "retrying", nextAttemptAt: now } : { status: "delivered", nextAttemptAt: null };
        const made = { ...attempt, businessId, deliveryId: id, number };
        if (!isAgain) note("settles", order);
        await store.settle({ businessId, deliveryId: id, fencingToken, attempt: made, refundedAttempts: 0, ...end, now });
      }

      for (let turn = 0; ; turn += 1) {
        const isMore = await fanOut();
        const lease = { token: ${worker} + "-" + turn, until: now + 60_000 };
        const claimed = await store.claimDue({ lease, now, limit: 50, perBusiness: 50, perSubscriber: 50, inFlight: [] });
        for (const { attempts, order } of claimed) if (attempts === 1) note("claimed", order);
        await Promise.all(claimed.map((delivery) => settle(delivery, lease.token)));
        if (!isMore && claimed.length === 0 && (await store.nextDueAt()) === null) break;
      }
      await store.close();
      process.stdout.write(JSON.stringify(steps));
      `).output;
  }

  it("each begin when the one before has ended, whichever process did what", async () => {
    await store.commit(insertEndpointCommit(anEndpoint()));
    for (let id = 1; id <= EVENTS; id += 1) {
      const event = anEvent({ id: `e${id}`, subjectId: String(id % SUBJECTS) });
      await store.commit(insertBudgetCommit(aBudget({ id: String(id) }), { events: [event] }));
    }
    const startChild = await bundlePackage("store-postgres", folder);
    const outputs = await Promise.all(Array.from({ length: PROCESSES }, (_, n) => dispatcher(startChild, n)));
    const steps = outputs.flatMap((output): Step[] => JSON.parse(output));

    const delivered = await store.listDeliveries("1", aDeliveryQuery({ status: "delivered", limit: 1 }));
    expect(delivered.total).toBe(EVENTS);
    for (let subject = 0; subject < SUBJECTS; subject += 1) {
      const timed = steps
        .filter(([, name]) => name === `budget ${subject}`)
        .sort(([, , , a], [, , , b]) => Number(BigInt(a) - BigInt(b)))
        .map(([what, , sequence]) => `${what} ${sequence}`);
      const sequences = Array.from({ length: EVENTS }, (_, n) => n + 1).filter((n) => n % SUBJECTS === subject);
      expect(timed).toEqual(sequences.flatMap((sequence) => [`claimed ${sequence}`, `settles ${sequence}`]));
    }
  });
});
