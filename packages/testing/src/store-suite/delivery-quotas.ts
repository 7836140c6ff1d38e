import assert from "node:assert/strict";
import {
  DAY_MS,
  insertBudgetCommit,
  insertEndpointCommit,
  MAX_LISTED_ATTEMPTS,
  namesOfSubscribers,
  replaceBudgetCommit,
  type Store,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import { attemptText, DELIVERY_BYTES, FREE_ATTEMPT_BYTES } from "@budgetkit/store-kit";
import { aBudget, anEvent, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { aDelivery, aDeliveryQuery, anAttempt, anEndpoint, aReplay } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";
import { add, addFinished, aLease, aRetry, aSettlement, commitEvents, endpoint } from "./webhook-samples.js";

const ORIGIN = { requestId: "r-1", trace: null };
const HEAD = '{"event":"ñ","metadata":{"delivery_id":"';
const TAIL = '"}}';

/** What one shared body and these deliveries count. */
function counted(deliveries: number): number {
  return Buffer.byteLength(HEAD + TAIL + JSON.stringify(ORIGIN)) + DELIVERY_BYTES * deliveries;
}

function sharing(id: string, businessId = "1") {
  return aDelivery({ id, businessId, body: HEAD + id + TAIL, origin: ORIGIN });
}

const bytesOf = async (store: Store, businessId = "1") => (await store.measureStorage(businessId)).deliveryBytes;

export function deliveryQuotaCases(suite: Suite): void {
  newDeliveryCases(suite);
  attemptCases(suite);
}

function newDeliveryCases({ describe, it }: Suite): void {
  describe("the storage of deliveries", () => {
    it("counts the body of an event once for all its deliveries, until the last is pruned", async (store) => {
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      await store.fanOut(
        event,
        ["70", "71", "72"].map((id) => sharing(id)),
      );
      assert.equal(await bytesOf(store), counted(3));
      assert.equal(await store.fanOut(event, [sharing("73")]), "taken");
      assert.equal(await store.cancelDeliveries("1", endpoint("60"), NOW, 2), 2);
      assert.equal(await bytesOf(store), counted(3));
      assert.equal(await store.pruneDeliveries(NOW + 1, 10), 2);
      assert.equal(await bytesOf(store), counted(1));
      const [kept] = (await store.listDeliveries("1", aDeliveryQuery({ status: "pending" }))).entries;
      assert.equal(kept?.body, HEAD + kept?.id + TAIL);
      await store.cancelDeliveries("1", endpoint("60"), NOW, 2);
      await store.pruneDeliveries(NOW + 1, 10);
      assert.equal(await bytesOf(store), 0);
    });

    it("counts the storage of deliveries that the commit of their event makes", async (store) => {
      await store.commit(insertEndpointCommit(anEndpoint()));
      const deliveries = ["70", "71"].map((id) => {
        return { id, eventId: "90", subscriber: endpoint("60"), deadlineAt: NOW, orderedSubject: null, lease: null };
      });
      const subscribers = namesOfSubscribers([{ kind: "endpoint", id: "60", version: 1 }]);
      const plan = { subscribers, plannedAt: NOW, deliveries };
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ origin: ORIGIN })], deliveries: plan }));
      const [first] = (await store.listDeliveries("1", aDeliveryQuery())).entries;
      assert.ok(first !== undefined);
      const ofBody = Buffer.byteLength(first.body + JSON.stringify(ORIGIN)) - first.id.length;
      assert.equal(await bytesOf(store), ofBody + 2 * DELIVERY_BYTES);
      await store.commit(replaceBudgetCommit(aBudget({ version: 2 }), 1, { events: [anEvent({ id: "91" })] }));
      assert.equal(await bytesOf(store), ofBody + 2 * DELIVERY_BYTES);
    });

    it("counts the storage of tests and the steps of replays, for each business", async (store) => {
      await store.commit(testDeliveryCommit(sharing("70")));
      assert.equal(await bytesOf(store), counted(1));
      const replay = aReplay({ businessId: "2" });
      assert.equal(await store.writeReplay(replay, 0, [sharing("71", "2"), sharing("72", "2")]), "written");
      assert.equal(await store.writeReplay(replay, 0, [sharing("73", "2")]), "stale");
      assert.deepEqual([await bytesOf(store), await bytesOf(store, "2")], [counted(1), counted(2)]);
      await store.cancelDeliveries("2", endpoint("60"), NOW, 10);
      await store.pruneDeliveries(NOW + 1, 10);
      assert.deepEqual([await bytesOf(store), await bytesOf(store, "2")], [counted(1), 0]);
    });

    it("the storage of deliveries leaves no room in the quota for what does not fit", async (store) => {
      const documentBytes = Buffer.byteLength(JSON.stringify(aBudget()));
      await store.commit(testDeliveryCommit(sharing("70")));
      const bytes = documentBytes + counted(1);
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(aBudget(), { quota: { budgets: null, bytes: bytes - 1 } })),
        "quota-exceeded",
      );
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(aBudget(), { quota: { budgets: null, bytes } })),
        "written",
      );
      const longer = aBudget({ version: 2, notes: "a note that is longer" });
      assert.equal(
        await outcomeOf(store, replaceBudgetCommit(longer, 1, { quota: { budgets: null, bytes } })),
        "quota-exceeded",
      );
    });
  });
}

function attemptCases({ describe, it }: Suite): void {
  describe("the storage of attempts", () => {
    const large = 'ñ"\\\n\u0001€'.repeat(100);

    it("counts attempts beyond the free bytes of a delivery, until that is pruned", async (store) => {
      const attempts = [1, 2, 3].map((number) => anAttempt({ number, responseBody: number === 2 ? large : "ok" }));
      const texts = attempts.map(attemptText);
      await add(store, { attempts: 1, attemptsSinceRestart: 1, lease: aLease() });
      const alone = await bytesOf(store);
      const exceeding = (made: number) =>
        Math.max(0, Buffer.byteLength(texts.slice(0, made).join(",")) - FREE_ATTEMPT_BYTES);
      for (const [index, attempt] of attempts.entries()) {
        const settlement = index === 2 ? aSettlement({ attempt }) : aRetry(NOW, { attempt });
        assert.equal(await store.settle(settlement), "written");
        assert.equal(await bytesOf(store), alone + exceeding(index + 1));
        await store.claimDue({ ...CLAIM, lease: aLease() });
      }
      assert.equal(exceeding(1), 0);
      assert.ok(exceeding(3) > large.length);
      assert.equal(await store.redeliver("1", "70", NOW, NOW + DAY_MS), true);
      assert.equal(await bytesOf(store), alone + exceeding(3));
      await store.cancelDeliveries("1", endpoint("60"), NOW, 1);
      await store.pruneDeliveries(NOW + 1, 1);
      assert.equal(await bytesOf(store), 0);
    });

    it("keeps the last 100 attempts of a delivery, however often it is redelivered", async (store) => {
      await addFinished(store, "failed");
      for (let number = 2; number <= MAX_LISTED_ATTEMPTS + 5; number += 1) {
        await store.redeliver("1", "70", NOW, NOW + DAY_MS);
        await store.claimDue({ ...CLAIM, lease: aLease() });
        const attempt = anAttempt({ number, responseBody: "x".repeat(100) });
        assert.equal(await store.settle(aSettlement({ attempt, status: "failed" })), "written");
      }
      const kept = await store.listAttempts("1", "70");
      assert.deepEqual([kept.length, kept[0]?.number], [MAX_LISTED_ATTEMPTS, 6]);
      const texts = kept.map(attemptText).join(",");
      const { body } = aDelivery();
      const expected = Buffer.byteLength(body) + DELIVERY_BYTES + Buffer.byteLength(texts) - FREE_ATTEMPT_BYTES;
      assert.equal(await bytesOf(store), expected);
    });
  });
}

const CLAIM = { now: NOW, limit: 1, perBusiness: 1, perSubscriber: 1, inFlight: [] };
