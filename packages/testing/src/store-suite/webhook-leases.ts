import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { aDueClaim, add, aLease, aSettlement, claimIds, LAPSED } from "./webhook-samples.js";

export function webhookLeaseCases({ describe, it }: Suite): void {
  describe("the lease of a delivery", () => {
    it("keeps everybody else away until it lapses", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      assert.deepEqual(await claimIds(store, { now: LAPSED - 1 }), []);
      const [taken] = await store.claimDue(aDueClaim({ now: LAPSED, lease: aLease("lease-2", LAPSED) }));
      assert.deepEqual([taken?.attempts, taken?.lease?.token], [2, "lease-2"]);
    });

    it("is taken over by one of 20 claimers at once", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      const claims = await allAtOnce(20, (index) =>
        claimIds(store, { now: LAPSED, lease: aLease(`next-${index}`, LAPSED) }),
      );
      assert.deepEqual(claims.flat(), ["70"]);
      assert.equal((await store.findDelivery("1", "70"))?.attempts, 2);
    });

    it("no longer settles once it has been taken over, and leaves no trace", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.claimDue(aDueClaim({ now: LAPSED, lease: aLease("lease-2", LAPSED) }));
      const before = await store.findDelivery("1", "70");
      assert.equal(await store.settle(aSettlement({ now: LAPSED + 1 })), "lease-lost");
      assert.deepEqual(await store.findDelivery("1", "70"), before);
      assert.deepEqual(await store.listAttempts("1", "70"), []);
    });

    it("still settles after it has lapsed, unless another worker claimed the delivery", async (store) => {
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
