import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { aDelivery, anAttempt } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { aDueClaim, add, aLease, aRetry, aSettlement, claimIds, endpoint } from "./webhook-samples.js";

const LATER = NOW + 5 * MINUTE_MS;

export function webhookSettlementCases(suite: Suite): void {
  writtenCases(suite);
  lostCases(suite);
  takenBackCases(suite);
}

function writtenCases({ describe, it }: Suite): void {
  describe("settling an attempt", () => {
    it("settling writes the attempt and the new state, and ends the lease", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      assert.equal(await store.settle(aSettlement()), "written");
      const settled = { status: "delivered", attempts: 1, attemptsSinceRestart: 1, nextAttemptAt: null } as const;
      const expected = aDelivery({ ...settled, responseCode: 200, updatedAt: NOW + 1_000 });
      assert.deepEqual(await store.findDelivery("1", "70"), expected);
      assert.deepEqual(await store.listAttempts("1", "70"), [anAttempt()]);
    });

    it("settling lets a delivery wait for its next attempt, which then counts on", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      const attempt = anAttempt({ responseCode: 503, responseBody: "busy" });
      assert.equal(await store.settle(aRetry(LATER, { attempt })), "written");
      const waiting = await store.findDelivery("1", "70");
      assert.deepEqual([waiting?.status, waiting?.nextAttemptAt, waiting?.lease], ["retrying", LATER, null]);
      assert.equal(waiting?.responseCode, 503);
      assert.deepEqual(await claimIds(store, { now: LATER - 1 }), []);
      const [next] = await store.claimDue(aDueClaim({ now: LATER, lease: aLease("lease-2", LATER) }));
      assert.deepEqual([next?.status, next?.attempts, next?.responseCode], ["retrying", 2, 503]);
    });

    for (const status of ["delivered", "failed", "cancelled"] as const) {
      it(`settling ends a delivery as ${status}`, async (store) => {
        await add(store, {});
        await store.claimDue(aDueClaim());
        await store.settle(aSettlement({ status }));
        assert.equal((await store.findDelivery("1", "70"))?.status, status);
        assert.equal(await store.nextDueAt(), null);
      });
    }

    it("settling clears the response code when no answer came", async (store) => {
      await add(store, { responseCode: 500 });
      await store.claimDue(aDueClaim());
      const attempt = anAttempt({ responseCode: null, responseBody: null, error: "timed out" });
      await store.settle(aRetry(LATER, { attempt }));
      assert.equal((await store.findDelivery("1", "70"))?.responseCode, null);
      assert.deepEqual(await store.listAttempts("1", "70"), [attempt]);
    });

    it("settling never touches the body, the event, the creation or the deadline", async (store) => {
      await add(store, { body: "bytes ñ" });
      await store.claimDue(aDueClaim());
      await store.settle(aRetry(LATER));
      const { body, eventId, eventType, createdAt, deadlineAt } = (await store.findDelivery("1", "70")) ?? aDelivery();
      const before = aDelivery({ body: "bytes ñ" });
      assert.deepEqual(
        [body, eventId, eventType, createdAt, deadlineAt],
        [before.body, before.eventId, before.eventType, before.createdAt, before.deadlineAt],
      );
    });

    it("writes one of concurrent settlements of one delivery (lease-lost)", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      const outcomes = await allAtOnce(5, () => store.settle(aSettlement()));
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, "lease-lost"), 4);
      assert.equal((await store.listAttempts("1", "70")).length, 1);
    });

    it("writes each of 40 concurrent settlements on its own (lease-lost)", async (store) => {
      const ids = Array.from({ length: 40 }, (_, index) => String(100 + index));
      for (const id of ids) await add(store, { id });
      await store.claimDue(aDueClaim());
      await store.cancelDeliveries("2", endpoint("60"), NOW, 100);
      const outcomes = await Promise.all(
        ids.map((id, index) =>
          store.settle(
            aSettlement({
              deliveryId: id,
              fencingToken: index % 2 === 0 ? "lease-1" : "stranger",
              attempt: anAttempt({ deliveryId: id }),
            }),
          ),
        ),
      );
      assert.deepEqual(
        outcomes,
        ids.map((_, index) => (index % 2 === 0 ? "written" : "lease-lost")),
      );
    });

    it("writes each of concurrent ends and retries", async (store) => {
      const ids = Array.from({ length: 6 }, (_, index) => String(100 + index));
      for (const id of ids) await add(store, { id });
      await store.claimDue(aDueClaim());
      const statusOf = (index: number) => (index % 2 === 0 ? "delivered" : "retrying");
      const outcomes = await Promise.all(
        ids.map((id, index) =>
          store.settle(
            aSettlement({
              deliveryId: id,
              attempt: anAttempt({ deliveryId: id }),
              status: statusOf(index),
              nextAttemptAt: index % 2 === 0 ? null : NOW + 60_000,
            }),
          ),
        ),
      );
      assert.deepEqual(new Set(outcomes), new Set(["written"]));
      const found = await Promise.all(ids.map((id) => store.findDelivery("1", id)));
      assert.deepEqual(
        found.map((delivery) => delivery?.status),
        ids.map((_, index) => statusOf(index)),
      );
    });
  });
}

function lostCases({ describe, it }: Suite): void {
  describe("a settlement that is lost writes nothing", () => {
    const losses: Readonly<Record<string, Parameters<typeof aSettlement>[0]>> = {
      "under another lease": { fencingToken: "lease-2" },
      "under no lease": { fencingToken: "" },
      "for another delivery": { deliveryId: "71", attempt: anAttempt({ deliveryId: "71" }) },
      "for another business": { businessId: "2", attempt: anAttempt({ businessId: "2" }) },
      "without an attempt, under another lease": { fencingToken: "lease-2", attempt: null },
    };
    for (const [name, overrides] of Object.entries(losses)) {
      it(`a settlement writes nothing ${name} (lease-lost)`, async (store) => {
        await add(store, {});
        await store.claimDue(aDueClaim());
        const before = await store.findDelivery("1", "70");
        assert.equal(await store.settle(aSettlement(overrides)), "lease-lost");
        assert.deepEqual(await store.findDelivery("1", "70"), before);
        for (const businessId of ["1", "2"]) {
          for (const id of ["70", "71"]) assert.deepEqual(await store.listAttempts(businessId, id), []);
        }
      });
    }

    it("a settlement writes nothing when the delivery is not claimed (lease-lost)", async (store) => {
      await add(store, {});
      assert.equal(await store.settle(aSettlement()), "lease-lost");
      assert.deepEqual(await store.findDelivery("1", "70"), aDelivery());
    });

    it("a settlement writes nothing when the delivery was cancelled (lease-lost)", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.cancelDeliveries("1", endpoint("60"), NOW, 100);
      assert.equal(await store.settle(aSettlement()), "lease-lost");
      assert.equal((await store.findDelivery("1", "70"))?.status, "cancelled");
      assert.deepEqual(await store.listAttempts("1", "70"), []);
    });

    it("a settlement writes nothing when another worker has reclaimed the delivery (lease-lost)", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.cancelDeliveries("1", endpoint("60"), NOW, 100);
      await store.redeliver("1", "70", NOW, LATER);
      await store.claimDue(aDueClaim({ lease: aLease("lease-2") }));
      assert.equal(await store.settle(aSettlement()), "lease-lost");
      const second = aSettlement({ fencingToken: "lease-2", attempt: anAttempt({ number: 2 }) });
      assert.equal(await store.settle(second), "written");
    });

    it("a settlement writes nothing when it was settled already, of 20 at once (lease-lost)", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      const outcomes = await allAtOnce(20, (index) =>
        store.settle(aSettlement({ attempt: anAttempt({ responseBody: `answer ${index}` }) })),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      const [attempt, ...others] = await store.listAttempts("1", "70");
      assert.equal(attempt?.responseBody, `answer ${outcomes.indexOf("written")}`);
      assert.deepEqual(others, []);
    });
  });
}

function takenBackCases({ describe, it }: Suite): void {
  describe("settling without an attempt", () => {
    it("settling without an attempt refunds the claim, and the attempt may be made again", async (store) => {
      await add(store, { attempts: 3, attemptsSinceRestart: 2, status: "retrying", responseCode: 502 });
      await store.claimDue(aDueClaim());
      assert.equal(await store.settle(aRetry(LATER, { attempt: null, refundedAttempts: 1 })), "written");
      const back = await store.findDelivery("1", "70");
      assert.deepEqual([back?.attempts, back?.attemptsSinceRestart, back?.responseCode], [3, 2, 502]);
      assert.deepEqual([back?.lease, back?.nextAttemptAt, back?.status], [null, LATER, "retrying"]);
      assert.deepEqual(await store.listAttempts("1", "70"), []);
      const [again] = await store.claimDue(aDueClaim({ now: LATER, lease: aLease("lease-2", LATER) }));
      assert.deepEqual([again?.attempts, again?.attemptsSinceRestart], [4, 3]);
    });

    it("settling without an attempt refunds as many claims as led to no call", async (store) => {
      await add(store, { attempts: 7, attemptsSinceRestart: 5 });
      await store.claimDue(aDueClaim());
      await store.settle(aSettlement({ attempt: null, refundedAttempts: 3, status: "failed" }));
      const back = await store.findDelivery("1", "70");
      assert.deepEqual([back?.attempts, back?.attemptsSinceRestart], [5, 3]);
    });

    it("settling without an attempt may leave a delivery pending, due at once", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.settle(aSettlement({ attempt: null, refundedAttempts: 1, status: "pending", nextAttemptAt: NOW }));
      assert.deepEqual(await store.findDelivery("1", "70"), aDelivery({ updatedAt: NOW + 1_000 }));
      assert.deepEqual(await claimIds(store, { lease: aLease("lease-2") }), ["70"]);
    });

    it("settling without an attempt may end a delivery that has no address to call", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.settle(aSettlement({ attempt: null, refundedAttempts: 1, status: "cancelled" }));
      const ended = await store.findDelivery("1", "70");
      assert.deepEqual([ended?.status, ended?.attempts], ["cancelled", 0]);
    });
  });
}
