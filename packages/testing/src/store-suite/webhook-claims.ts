import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { aDelivery } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import {
  aDueClaim,
  add,
  addFinished,
  aLease,
  aRetry,
  claimIds,
  commitEvents,
  endpoint,
  LAPSED,
} from "./webhook-samples.js";

export function webhookClaimCases(suite: Suite): void {
  claimCases(suite);
  nextDueCases(suite);
  backlogCases(suite);
}

function claimCases({ describe, it }: Suite): void {
  describe("claiming deliveries that are due", () => {
    it("a claim leases each due delivery and counts the attempt in the same step", async (store) => {
      await add(store, { attempts: 4, attemptsSinceRestart: 2, status: "retrying", responseCode: 503 });
      const [claimed] = await store.claimDue(aDueClaim({ now: NOW + 3 }));
      const leased = aDelivery({
        attempts: 5,
        attemptsSinceRestart: 3,
        status: "retrying",
        responseCode: 503,
        lease: aLease(),
        updatedAt: NOW + 3,
      });
      assert.deepEqual(claimed, leased);
      assert.deepEqual(await store.findDelivery("1", "70"), leased);
    });

    it("a claim finds nothing in an empty store", async (store) => {
      assert.deepEqual(await store.claimDue(aDueClaim()), []);
    });

    it("claims no delivery before its time, and each from that moment on", async (store) => {
      await add(store, { nextAttemptAt: NOW + 1 });
      assert.deepEqual(await claimIds(store), []);
      assert.deepEqual(await claimIds(store, { now: NOW + 1 }), ["70"]);
    });

    it("claims the longest due deliveries first", async (store) => {
      await add(
        store,
        { id: "70", nextAttemptAt: NOW - 10, subscriber: endpoint("60") },
        { id: "71", nextAttemptAt: NOW - 30, subscriber: endpoint("61") },
        { id: "72", nextAttemptAt: NOW - 40, subscriber: endpoint("60") },
        { id: "73", nextAttemptAt: NOW - 20, subscriber: endpoint("62") },
        { id: "74", nextAttemptAt: NOW + 40, subscriber: endpoint("62") },
      );
      assert.deepEqual(await claimIds(store, { limit: 2 }), ["72", "71"]);
      assert.deepEqual(await claimIds(store), ["73", "70"]);
    });

    it("claims deliveries in turns where subscribers have several each", async (store) => {
      for (let n = 0; n < 6; n += 1) {
        await add(store, {
          id: String(70 + n),
          nextAttemptAt: NOW - 9 + n,
          subscriber: endpoint(String(60 + (n % 2))),
        });
      }
      assert.deepEqual(await claimIds(store), ["70", "71", "72", "73", "74", "75"]);
    });

    it("claims deliveries of one subscriber due at one moment by their ids, as integers", async (store) => {
      await add(store, { id: "100" }, { id: "9" }, { id: "80" });
      assert.deepEqual(await claimIds(store), ["9", "80", "100"]);
    });

    it("claims no more deliveries than the limit, and the rest the next time", async (store) => {
      for (let n = 0; n < 7; n += 1) await add(store, { id: String(70 + n), nextAttemptAt: NOW - 7 + n });
      assert.deepEqual(await claimIds(store, { limit: 3 }), ["70", "71", "72"]);
      assert.deepEqual(await claimIds(store, { limit: 3 }), ["73", "74", "75"]);
      assert.deepEqual(await claimIds(store, { limit: 3 }), ["76"]);
      assert.deepEqual(await claimIds(store, { limit: 3 }), []);
    });

    it("claims deliveries across businesses", async (store) => {
      await add(store, { id: "70", businessId: "2", nextAttemptAt: NOW - 1 }, { id: "71" });
      assert.deepEqual(await claimIds(store), ["70", "71"]);
    });

    it("claims no delivery that is not due any more", async (store) => {
      await add(store, { nextAttemptAt: null });
      assert.deepEqual(await claimIds(store, { now: NOW + 99 * MINUTE_MS }), []);
    });

    for (const status of ["delivered", "failed", "cancelled"] as const) {
      it(`never claims a delivery that is ${status}`, async (store) => {
        await addFinished(store, status);
        await add(store, { id: "71", status });
        assert.deepEqual(await claimIds(store, { now: NOW + 99 * MINUTE_MS }), []);
        assert.equal(await store.nextDueAt(), null);
      });
    }

    it("gives one delivery to one of 20 concurrent claimers", async (store) => {
      await add(store, {});
      const claims = await allAtOnce(20, (index) => claimIds(store, { lease: aLease(`lease-${index}`) }));
      assert.deepEqual(claims.flat(), ["70"]);
      const held = (await store.findDelivery("1", "70"))?.lease?.token;
      assert.equal(held, `lease-${claims.findIndex((ids) => ids.length === 1)}`);
    });

    it("divides 60 deliveries among 20 concurrent claimers, none of them twice", async (store) => {
      await allAtOnce(60, (index) =>
        add(store, { id: String(100 + index), subscriber: endpoint(String(60 + (index % 7))) }),
      );
      const claims = await allAtOnce(20, (index) => claimIds(store, { lease: aLease(`lease-${index}`), limit: 4 }));
      const ids = claims.flat();
      assert.equal(new Set(ids).size, 60);
      assert.equal(ids.length, 60);
      for (const [index, own] of claims.entries()) {
        for (const id of own) {
          const delivery = await store.findDelivery("1", id);
          assert.deepEqual([delivery?.lease?.token, delivery?.attempts], [`lease-${index}`, 1]);
        }
      }
    });
  });
}

function nextDueCases({ describe, it }: Suite): void {
  describe("when the next delivery is due", () => {
    it("no next delivery is due when there is none", async (store) => {
      assert.equal(await store.nextDueAt(), null);
      await add(store, { nextAttemptAt: null });
      assert.equal(await store.nextDueAt(), null);
    });

    it("the next delivery is due at the earliest moment of all, past ones included", async (store) => {
      await add(store, { id: "70", nextAttemptAt: NOW + 50, subscriber: endpoint("61") });
      assert.equal(await store.nextDueAt(), NOW + 50);
      await add(store, { id: "71", nextAttemptAt: NOW + 90 }, { id: "72", nextAttemptAt: NOW - 7, businessId: "2" });
      assert.equal(await store.nextDueAt(), NOW - 7);
    });

    it("the next delivery is due at the end of a lease, unless another is due before", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      assert.equal(await store.nextDueAt(), LAPSED);
      await add(store, { id: "71", nextAttemptAt: LAPSED + 1 });
      assert.equal(await store.nextDueAt(), LAPSED);
      await add(store, { id: "72", nextAttemptAt: LAPSED - 1 });
      assert.equal(await store.nextDueAt(), LAPSED - 1);
    });

    it("the next due moment follows a settlement, a cancellation and a restart", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.settle(aRetry(NOW + 9 * MINUTE_MS));
      assert.equal(await store.nextDueAt(), NOW + 9 * MINUTE_MS);
      await store.cancelDeliveries("1", endpoint("60"), NOW, 100);
      assert.equal(await store.nextDueAt(), null);
      await store.redeliver("1", "70", NOW + 77, NOW + MINUTE_MS);
      assert.equal(await store.nextDueAt(), NOW + 77);
    });

    it("a claim finds what is due next", async (store) => {
      for (let n = 0; n < 5; n += 1) {
        await add(store, { id: String(70 + n), nextAttemptAt: NOW + n * 10, subscriber: endpoint(String(60 + n)) });
      }
      for (let n = 0; n < 5; n += 1) {
        const now = (await store.nextDueAt()) ?? 0;
        assert.deepEqual(await claimIds(store, { now, lease: aLease(`lease-${n}`, NOW + 1_000) }), [String(70 + n)]);
      }
    });
  });
}

function backlogCases({ describe, it }: Suite): void {
  describe("the backlog", () => {
    it("an empty store has no backlog", async (store) => {
      assert.deepEqual(await store.countBacklog(NOW, 10), { events: 0, deliveries: 0 });
    });

    it("the backlog counts events until they are fanned out, of all businesses", async (store) => {
      const [first] = await commitEvents(store, ["90", "91"]);
      await commitEvents(store, ["92"], { businessId: "2" });
      assert.ok(first !== undefined);
      assert.equal((await store.countBacklog(NOW, 10)).events, 3);
      await store.fanOut(first, []);
      assert.equal((await store.countBacklog(NOW, 10)).events, 2);
    });

    it("the backlog counts due deliveries, without leased and finished ones", async (store) => {
      await add(store, { id: "70" }, { id: "71" }, { id: "72", nextAttemptAt: NOW + 1 });
      await addFinished(store, "delivered", { id: "73" });
      await addFinished(store, "failed", { id: "74" });
      assert.equal((await store.countBacklog(NOW, 10)).deliveries, 2);
      await store.claimDue(aDueClaim({ limit: 1 }));
      assert.equal((await store.countBacklog(NOW, 10)).deliveries, 1);
      assert.equal((await store.countBacklog(LAPSED, 10)).deliveries, 3);
    });

    it("counts the backlog as far as requested", async (store) => {
      await commitEvents(store, ["90", "91", "92"]);
      await add(store, { id: "70" }, { id: "71" }, { id: "72" });
      assert.deepEqual(await store.countBacklog(NOW, 2), { events: 2, deliveries: 2 });
    });
  });
}
