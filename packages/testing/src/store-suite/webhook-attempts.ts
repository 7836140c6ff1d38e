import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { anAttempt } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";
import { aDueClaim, add, aLease, aRetry, aSettlement, LAPSED } from "./webhook-samples.js";

export function webhookAttemptCases({ describe, it }: Suite): void {
  describe("the attempts of a delivery", () => {
    it("lists attempts in the order in which they were made, with gaps where a crash cut one off", async (store) => {
      await add(store, {});
      for (const number of [1, 2, 3]) {
        const now = NOW + number * 2 * MINUTE_MS;
        await store.claimDue(aDueClaim({ now, lease: aLease(`lease-${number}`, now) }));
        if (number === 2) continue;
        await store.settle(
          aRetry(now, { fencingToken: `lease-${number}`, attempt: anAttempt({ number, startedAt: now }) }),
        );
      }
      const attempts = await store.listAttempts("1", "70");
      assert.deepEqual(
        attempts.map(({ number }) => number),
        [1, 3],
      );
    });

    it("lists the last 100 attempts where there are more", async (store) => {
      await add(store, {});
      for (let number = 1; number <= 105; number += 1) {
        await store.claimDue(aDueClaim({ lease: aLease(`lease-${number}`) }));
        await store.settle(aRetry(NOW, { fencingToken: `lease-${number}`, attempt: anAttempt({ number }) }));
      }
      const numbers = (await store.listAttempts("1", "70")).map(({ number }) => number);
      assert.deepEqual([numbers.length, numbers[0], numbers[99]], [100, 6, 105]);
    });

    it("attempts belong to one delivery of one business", async (store) => {
      for (const [businessId, id] of [
        ["1", "70"],
        ["1", "71"],
        ["2", "70"],
      ] as const) {
        await add(store, { businessId, id, lease: aLease() });
        const attempt = anAttempt({ businessId, deliveryId: id, responseBody: `${businessId}/${id}` });
        await store.settle(aSettlement({ businessId, deliveryId: id, attempt }));
      }
      const [attempt, ...others] = await store.listAttempts("1", "70");
      assert.deepEqual([attempt?.responseBody, others], ["1/70", []]);
      assert.deepEqual(await store.listAttempts("2", "71"), []);
    });

    it("lists no attempts of an unknown delivery, nor before the first", async (store) => {
      assert.deepEqual(await store.listAttempts("1", "70"), []);
      await add(store, {});
      await store.claimDue(aDueClaim({ now: LAPSED }));
      assert.deepEqual(await store.listAttempts("1", "70"), []);
    });

    it("rejects an attempt whose number is taken, and the settlement with it", async (store) => {
      await add(store, {});
      await store.claimDue(aDueClaim());
      await store.settle(aRetry(NOW));
      await store.claimDue(aDueClaim({ lease: aLease("lease-2") }));
      const before = await store.findDelivery("1", "70");
      await assert.rejects(store.settle(aSettlement({ fencingToken: "lease-2" })));
      assert.deepEqual(await store.findDelivery("1", "70"), before);
    });
  });
}
