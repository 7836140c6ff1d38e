import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type BudgetService, createBudgetService, type SendOutcome } from "@budgetkit/core";
import { MINUTE_MS, type Store } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { type ManualClock, manualClock } from "../manual-clock.js";
import { allAtOnce, type Suite } from "./suite.js";
import { aDueClaim, add, aLease, aSettlement, claimIds, LAPSED } from "./webhook-samples.js";

export function webhookLeaseCases({ describe, it }: Suite): void {
  describe("the lease of a delivery", () => {
    it("a lease keeps other claimers away until it lapses", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      assert.deepEqual(await claimIds(store, { now: LAPSED - 1 }), []);
      const [taken] = await store.claimDue(aDueClaim({ now: LAPSED, lease: aLease("lease-2", LAPSED) }));
      assert.deepEqual([taken?.attempts, taken?.lease?.token], [2, "lease-2"]);
    });

    it("a leased delivery stays due since its time: it comes before what fell due later", async (store) => {
      await add(store, { nextAttemptAt: NOW - 2 });
      await store.claimDue(aDueClaim());
      await add(store, { id: "71", nextAttemptAt: NOW - 1 }, { id: "72", businessId: "2", nextAttemptAt: NOW - 1 });
      const next = { now: LAPSED, lease: aLease("lease-2", LAPSED + 1) };
      assert.deepEqual(await claimIds(store, { ...next, limit: 1 }), ["70"]);
      assert.deepEqual(await claimIds(store, next), ["71", "72"]);
    });

    it("one of 20 concurrent claimers takes over a lapsed lease", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      const claims = await allAtOnce(20, (index) =>
        claimIds(store, { now: LAPSED, lease: aLease(`next-${index}`, LAPSED) }),
      );
      assert.deepEqual(claims.flat(), ["70"]);
      assert.equal((await store.findDelivery("1", "70"))?.attempts, 2);
    });

    it("a lease that was taken over no longer settles, and leaves no trace (lease-lost)", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.claimDue(aDueClaim({ now: LAPSED, lease: aLease("lease-2", LAPSED) }));
      const before = await store.findDelivery("1", "70");
      assert.equal(await store.settle(aSettlement({ now: LAPSED + 1 })), "lease-lost");
      assert.deepEqual(await store.findDelivery("1", "70"), before);
      assert.deepEqual(await store.listAttempts("1", "70"), []);
    });

    it("a process that was paused loses its lease, and its attempt stays listed, as unknown", async (store) => {
      const clock = manualClock(NOW);
      let resume = (): void => {};
      const paused = serviceOn(store, clock, () => new Promise((resolve) => (resume = () => resolve(ACCEPTED))));
      const other = serviceOn(store, clock, async () => ACCEPTED);
      const { id: businessId } = (await other.businesses.create({ name: "Ana" }))._unsafeUnwrap();
      const actor = { kind: "system", businessId } as const;
      const { id } = (await other.webhooks.create(actor, { url: "https://hooks.example/" }))._unsafeUnwrap();
      const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
      (await other.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
      const list = async () => (await other.webhooks.deliveries(actor, id))._unsafeUnwrap().data[0];
      const ticking = paused.webhooks.tick();
      while ((await list())?.attemptCount !== 1) await nextTurn();
      assert.deepEqual((await list())?.attempts, []);
      clock.advance(MINUTE_MS);
      assert.equal((await other.webhooks.tick()).delivered, 1);
      resume();
      assert.equal((await ticking).delivered, 0);
      const delivery = await list();
      const { number, responseCode, error } = delivery?.attempts[0] ?? {};
      assert.deepEqual([delivery?.status, delivery?.attemptCount, delivery?.attempts.length], ["delivered", 2, 2]);
      assert.deepEqual([number, responseCode], [1, null]);
      assert.match(error ?? "", /result is unknown/);
      assert.deepEqual([delivery?.attempts[1]?.number, delivery?.attempts[1]?.responseCode], [2, 204]);
    });

    it("a lapsed lease still settles unless another worker claimed the delivery", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      assert.equal(await store.settle(aSettlement({ now: LAPSED + 1 })), "written");
    });

    it("counts every attempt that a crash cut off", async (store) => {
      await add(store, {});
      for (let n = 0; n < 4; n += 1) {
        const now = NOW + n * MINUTE_MS;
        const [claimed] = await store.claimDue(aDueClaim({ now, lease: aLease(`lease-${n}`, now) }));
        assert.deepEqual([claimed?.attempts, claimed?.attemptsSinceRestart], [n + 1, n + 1]);
      }
      assert.deepEqual(await store.listAttempts("1", "70"), []);
    });
  });
}

const ACCEPTED: SendOutcome = {
  kind: "answered",
  responseCode: 204,
  responseBody: "",
  retryAfterSeconds: null,
  durationMs: 5,
};

function serviceOn(store: Store, clock: ManualClock, send: () => Promise<SendOutcome>): BudgetService {
  return createBudgetService({
    store,
    clock,
    secret: "a secret for tests that is long enough",
    webhooks: { sender: { send } },
  });
}
