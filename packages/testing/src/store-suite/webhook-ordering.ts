import assert from "node:assert/strict";
import { type Delivery, MINUTE_MS, type Store } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { rounds } from "../scale.js";
import { aDelivery, aDeliveryQuery, anAttempt } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import {
  aDueClaim,
  add,
  aLease,
  aRetry,
  aSettlement,
  claimIds,
  commitEvents,
  endpoint,
  LAPSED,
} from "./webhook-samples.js";

const SUBJECT = "budget 91";

export function webhookOrderingCases(suite: Suite): void {
  turnCases(suite);
  waitCases(suite);
  endCases(suite);
  undispatchedCases(suite);
  restartCases(suite);
  concurrentCases(suite);
}

/** A delivery that waits for its turn. */
function ordered(id: string, sequence: number, overrides: Partial<Delivery> = {}): Partial<Delivery> {
  return { id, nextAttemptAt: null, order: { subject: SUBJECT, sequence }, ...overrides };
}

function ofSubject(subject: string, sequence: number): Partial<Delivery> {
  return { order: { subject, sequence } };
}

/** Settles the first attempt of a delivery that was claimed under the lease of `aDueClaim`. */
async function end(store: Store, deliveryId: string, overrides: Parameters<typeof aSettlement>[0] = {}): Promise<void> {
  const { businessId = "1" } = overrides;
  const settlement = aSettlement({ deliveryId, attempt: anAttempt({ businessId, deliveryId }), ...overrides });
  assert.equal(await store.settle(settlement), "written");
}

function turnCases({ describe, it, itDurably }: Suite): void {
  describe("the turn of an ordered delivery", () => {
    it("an ordered delivery has its turn when all of its subject before it have ended", async (store) => {
      await add(store, ordered("70", 3), ordered("71", 1), ordered("72", 2));
      for (const id of ["71", "72", "70"]) {
        assert.deepEqual(await claimIds(store), [id]);
        assert.deepEqual(await claimIds(store), []);
        await end(store, id);
      }
      assert.deepEqual(await claimIds(store), []);
      assert.equal(await store.nextDueAt(), null);
    });

    it("an ordered delivery begins at once although thousands of another business wait", async (store) => {
      const [event] = await commitEvents(store, ["91"]);
      assert.ok(event !== undefined);
      const many = Array.from({ length: 1_100 }, (_, n) => aDelivery(ordered(String(1_000 + n), n + 10)));
      await store.fanOut(event, many);
      await add(store, ordered("70", 1, { businessId: "2" }));
      assert.deepEqual(await claimIds(store), ["70", "1000"]); // due at the same time: the lower id first
    });

    it("an ordered delivery is stored with its order, and claimed with it", async (store) => {
      await add(store, ordered("70", 7), { id: "71", nextAttemptAt: NOW + 1 });
      const waiting = aDelivery(ordered("70", 7));
      assert.deepEqual(await store.findDelivery("1", "70"), waiting);
      const [claimed] = await store.claimDue(aDueClaim({ limit: 1 }));
      assert.deepEqual(claimed?.order, { subject: SUBJECT, sequence: 7 });
      await end(store, "70");
      const listed = await store.listDeliveries("1", aDeliveryQuery());
      assert.deepEqual(
        listed.entries.map(({ id, order }) => [id, order]),
        [
          ["71", undefined],
          ["70", { subject: SUBJECT, sequence: 7 }],
        ],
      );
    });

    it("ordered deliveries of other subjects, subscribers and businesses are independent", async (store) => {
      await add(
        store,
        ordered("70", 1),
        ordered("71", 2, ofSubject("customer 91", 2)),
        ordered("72", 2, { subscriber: endpoint("61") }),
        ordered("73", 2, { subscriber: { kind: "key", id: "60" } }),
        ordered("74", 2, { businessId: "2" }),
        ordered("75", 2),
      );
      assert.deepEqual(await claimIds(store), ["70", "71", "72", "73", "74"]);
    });

    it("unordered deliveries do not wait for ordered ones", async (store) => {
      await add(store, ordered("70", 1), { id: "71" }, { id: "72" }, ordered("73", 2));
      assert.deepEqual(await claimIds(store), ["70", "71", "72"]);
      await end(store, "71");
      assert.deepEqual(await claimIds(store), []);
    });

    it("an ordered delivery has its whole time until the deadline, however long it waited", async (store) => {
      const deadlineAt = NOW + 10 * MINUTE_MS;
      await add(store, ordered("70", 1, { deadlineAt }), ordered("71", 2, { deadlineAt }));
      await claimIds(store);
      await end(store, "70");
      const later = NOW + 60 * MINUTE_MS;
      const [next] = await store.claimDue(aDueClaim({ now: later, lease: aLease("later", later) }));
      assert.deepEqual([next?.id, next?.nextAttemptAt, next?.deadlineAt], ["71", later, later + 10 * MINUTE_MS]);
    });

    it("an ordered delivery counts as due only from its turn on", async (store) => {
      await add(store, ordered("70", 1), ordered("71", 2));
      assert.deepEqual(await store.countBacklog(NOW, 10), { events: 0, deliveries: 0 });
      assert.deepEqual(await claimIds(store, { limit: 1 }), ["70"]);
      assert.deepEqual(await store.countBacklog(LAPSED, 10), { events: 0, deliveries: 1 });
    });

    it("ordered deliveries are subject to the shares of their subscriber", async (store) => {
      for (let n = 0; n < 6; n += 1) await add(store, ordered(String(70 + n), n + 1, ofSubject(`budget ${n}`, n + 1)));
      assert.deepEqual(await claimIds(store, { perSubscriber: 4 }), ["70", "71", "72", "73"]);
    });

    itDurably("an ordered delivery has its turn when the store is reopened before it, too", async (store, reopen) => {
      await add(store, ordered("70", 1), ordered("71", 2), ordered("72", 3));
      await claimIds(store);
      await end(store, "70");
      const reopened = await reopen();
      assert.equal(await reopened.nextDueAt(), 0);
      assert.deepEqual(await claimIds(reopened), ["71"]);
    });

    itDurably("the turn of an ordered delivery outlives the store, and its lease", async (store, reopen) => {
      await add(store, ordered("70", 1), ordered("71", 2));
      await claimIds(store);
      const reopened = await reopen();
      assert.deepEqual(await claimIds(reopened), []);
      assert.deepEqual(await claimIds(reopened, { now: LAPSED, lease: aLease("again", LAPSED) }), ["70"]);
    });
  });
}

function waitCases({ describe, it }: Suite): void {
  describe("ordered deliveries wait", () => {
    it("an ordered delivery waits while an earlier one is retried", async (store) => {
      await add(store, ordered("70", 1), ordered("71", 2));
      await claimIds(store);
      assert.equal(await store.settle(aRetry(NOW + 9 * MINUTE_MS)), "written");
      assert.deepEqual(await claimIds(store, { now: NOW + MINUTE_MS }), []);
      const again = { now: NOW + 9 * MINUTE_MS, lease: aLease("lease-2", NOW + 9 * MINUTE_MS) };
      assert.deepEqual(await claimIds(store, again), ["70"]);
      assert.deepEqual(await claimIds(store, again), []);
    });

    it("an ordered delivery waits while an earlier one's lease lapses, which is claimed again", async (store) => {
      await add(store, ordered("70", 1), ordered("71", 2));
      await claimIds(store);
      const later = { now: LAPSED, lease: aLease("lease-2", LAPSED) };
      assert.deepEqual(await claimIds(store, later), ["70"]);
      assert.equal(await store.settle(aSettlement()), "lease-lost");
      assert.deepEqual(await claimIds(store, later), []);
      await end(store, "70", { fencingToken: "lease-2" });
      assert.deepEqual(await claimIds(store, later), ["71"]);
    });

    it("an ordered delivery waits while an earlier one was released without a call", async (store) => {
      await add(store, ordered("70", 1), ordered("71", 2));
      await claimIds(store);
      await store.settle(aRetry(NOW, { attempt: null, refundedAttempts: 1, status: "pending" }));
      assert.deepEqual(await claimIds(store), ["70"]);
    });

    it("thousands of ordered deliveries wait behind one, and hold up no other subjects", async (store) => {
      const waiting = Array.from({ length: rounds({ small: 1_200, full: 10_000 }) }, (_, n) => n + 2);
      await add(store, ordered("70", 1));
      await allAtOnce(waiting.length, (n) => add(store, ordered(String(1_000 + n), waiting[n] ?? 0)));
      assert.deepEqual(await claimIds(store), ["70"]);
      await add(store, ordered("71", 20_000, ofSubject("budget 92", 20_000)), { id: "72" });
      for (let claims = 0; claims < 3; claims += 1) await claimIds(store, { limit: 1 });
      assert.equal((await store.findDelivery("1", "71"))?.attempts, 1);
      assert.equal((await store.findDelivery("1", "72"))?.attempts, 1);
      assert.equal((await store.findDelivery("1", "1000"))?.attempts, 0);
    });
  });
}

function endCases({ describe, it }: Suite): void {
  describe("the next ordered delivery begins", () => {
    for (const status of ["delivered", "failed", "cancelled"] as const) {
      it(`the next ordered delivery begins after one that is ${status}`, async (store) => {
        await add(store, ordered("70", 1), ordered("71", 2));
        await claimIds(store);
        await end(store, "70", { status });
        assert.deepEqual(await claimIds(store), ["71"]);
      });
    }

    it("the next ordered delivery begins after a cancelled one", async (store) => {
      await add(store, ordered("70", 1), ordered("71", 2), ordered("72", 3));
      await claimIds(store);
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 1), 1);
      const { entries } = await store.listDeliveries("1", aDeliveryQuery({ status: "pending" }));
      const [first] = entries.map(({ id }) => id).sort();
      const [next] = await claimIds(store, { now: LAPSED, lease: aLease("lease-2", LAPSED) });
      assert.equal(next, first);
    });

    it("cancelled ordered deliveries never begin", async (store) => {
      await add(store, ordered("70", 1), ordered("71", 2), ordered("72", 3));
      await claimIds(store);
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 100), 3);
      assert.deepEqual(await claimIds(store, { now: LAPSED }), []);
      await add(store, ordered("73", 4));
      assert.deepEqual(await claimIds(store), ["73"]);
    });
  });
}

function undispatchedCases({ describe, it }: Suite): void {
  describe("an ordered delivery whose event was fanned out early", () => {
    const fannedOutSecond = async (store: Store): Promise<void> => {
      const [, second] = await commitEvents(store, ["91", "92"]);
      assert.ok(second !== undefined);
      await store.fanOut(second, [aDelivery(ordered("72", second.sequence))]);
    };

    it("an ordered delivery that was fanned out early waits for an earlier event of its subject", async (store) => {
      await fannedOutSecond(store);
      assert.deepEqual([await claimIds(store), await claimIds(store)], [[], []]);
      const [first] = await store.findUndispatchedEvents(10);
      assert.ok(first !== undefined);
      await store.fanOut(first, [aDelivery(ordered("71", first.sequence))]);
      assert.deepEqual(await claimIds(store), ["71"]);
      await end(store, "71");
      assert.deepEqual(await claimIds(store), ["72"]);
    });

    it("an ordered delivery that was fanned out early waits for no event without a delivery", async (store) => {
      await fannedOutSecond(store);
      assert.deepEqual(await claimIds(store), []);
      const [first] = await store.findUndispatchedEvents(10);
      assert.ok(first !== undefined);
      await store.fanOut(first, []);
      assert.deepEqual(await claimIds(store), ["72"]);
    });

    it("an ordered delivery that was fanned out early waits for no other subject", async (store) => {
      const [first, second] = await commitEvents(store, ["91", "92"]);
      assert.ok(first !== undefined && second !== undefined);
      const ofKind = (id: string, subject: string) => aDelivery(ordered(id, second.sequence, ofSubject(subject, 2)));
      await store.fanOut(second, [ofKind("72", "budget 92"), ofKind("73", "customer 91")]);
      assert.deepEqual(await claimIds(store), ["72", "73"]);
    });
  });
}

function restartCases({ describe, it }: Suite): void {
  const until = NOW + 60 * MINUTE_MS;

  describe("an ordered delivery that is redelivered", () => {
    it("a redelivered ordered delivery waits for the present turn, and comes before later ones", async (store) => {
      await add(store, ordered("70", 1), ordered("71", 2), ordered("72", 3));
      await claimIds(store);
      await end(store, "70");
      assert.deepEqual(await claimIds(store), ["71"]);
      assert.equal(await store.redeliver("1", "70", NOW + 5, until), true);
      const redelivered = await store.findDelivery("1", "70");
      assert.deepEqual([redelivered?.status, redelivered?.nextAttemptAt], ["pending", null]);
      assert.deepEqual(await claimIds(store, { now: NOW + 5 }), []);
      await end(store, "71");
      const [again] = await store.claimDue(aDueClaim({ now: NOW + 7 }));
      assert.deepEqual([again?.id, again?.attempts, again?.deadlineAt], ["70", 2, until + 2]);
    });

    it("a redelivered ordered delivery goes at once when no other has its turn", async (store) => {
      await add(store, ordered("70", 1));
      await claimIds(store);
      await end(store, "70");
      await store.redeliver("1", "70", NOW + 5, until);
      assert.deepEqual(await claimIds(store, { now: NOW + 5 }), ["70"]);
    });

    it("a redelivered ordered delivery keeps the order with others, when all that failed are", async (store) => {
      await add(store, ordered("70", 3), ordered("71", 1), ordered("72", 2), { id: "73" });
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 100), 4);
      const after = { createdAt: 0, id: "0" };
      const restart = { subscriber: endpoint("60"), after, now: NOW, deadlineAt: until, limit: 100 };
      assert.equal((await store.redeliverUndelivered("1", restart)).length, 4);
      assert.deepEqual((await claimIds(store)).sort(), ["71", "73"]);
      for (const [id, next] of [
        ["71", "72"],
        ["72", "70"],
      ] as const) {
        await end(store, id);
        assert.deepEqual(await claimIds(store), [next]);
      }
    });
  });
}

function concurrentCases({ describe, it }: Suite): void {
  const SUBJECTS = 5;
  const OF_EACH = rounds({ small: 6, full: 40 });

  describe("ordered deliveries of several workers", () => {
    it("several workers claim ordered deliveries one by one of each subject, and all of them", async (store) => {
      const claimed: string[][] = Array.from({ length: SUBJECTS }, () => []);
      const running = new Set<string>();
      let left = SUBJECTS * OF_EACH;
      const work = async (worker: number): Promise<void> => {
        for (let turn = 0; left > 0; turn += 1) {
          const lease = aLease(`${worker}-${turn}`);
          const found = await store.claimDue(aDueClaim({ lease, limit: 3 }));
          for (const { id, order } of found) {
            const subject = order?.subject ?? "";
            assert.equal(running.has(subject), false, `${subject} has two turns at once`);
            running.add(subject);
            claimed[Number(subject.slice("budget ".length))]?.push(id);
          }
          for (const { id: deliveryId, order } of found) {
            running.delete(order?.subject ?? "");
            await end(store, deliveryId, { fencingToken: lease.token });
            left -= 1;
          }
        }
      };
      await allAtOnce(SUBJECTS * OF_EACH, (n) =>
        add(store, ordered(String(1_000 + n), n, ofSubject(`budget ${n % SUBJECTS}`, n))),
      );
      await allAtOnce(4, work);
      const expected = Array.from({ length: SUBJECTS }, (_, subject) =>
        Array.from({ length: OF_EACH }, (_, n) => String(1_000 + n * SUBJECTS + subject)),
      );
      assert.deepEqual(claimed, expected);
    });
  });
}
