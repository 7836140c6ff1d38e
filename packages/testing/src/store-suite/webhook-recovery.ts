import assert from "node:assert/strict";
import { MINUTE_MS, type Redelivery, type Store } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { aDeliveryQuery } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { add, addFinished, claimIds, endpoint } from "./webhook-samples.js";

const DEADLINE = NOW + 90 * MINUTE_MS;

/** Everything of `aDelivery`'s subscriber. */
function aRestart(overrides: Partial<Redelivery> = {}): Redelivery {
  const after = { createdAt: 0, id: "0" };
  return { subscriber: endpoint("60"), after, now: NOW, deadlineAt: DEADLINE, limit: 100, ...overrides };
}

export function webhookRecoveryCases({ describe, it }: Suite): void {
  describe("redelivering what a subscriber never received", () => {
    it("redelivers what was created since, that moment included", async (store) => {
      for (const [id, createdAt] of [
        ["70", NOW - 1],
        ["71", NOW],
        ["72", NOW + 1],
      ] as const) {
        await addFinished(store, "failed", { id, createdAt });
      }
      const restart = aRestart({ after: { createdAt: NOW, id: "0" }, now: NOW + 8 });
      assert.deepEqual(await store.redeliverUndelivered("1", restart), [
        { createdAt: NOW, id: "71" },
        { createdAt: NOW + 1, id: "72" },
      ]);
      assert.deepEqual(await claimIds(store, { now: NOW + 8 }), ["71", "72"]);
      assert.equal((await store.findDelivery("1", "70"))?.status, "failed");
      const restarted = await store.findDelivery("1", "71");
      assert.deepEqual([restarted?.attempts, restarted?.attemptsSinceRestart, restarted?.deadlineAt], [2, 1, DEADLINE]);
    });

    it("redelivers what was cancelled as well: the receiver never had it", async (store) => {
      await addFinished(store, "cancelled", { id: "70" });
      assert.deepEqual(await idsOf(store, aRestart()), ["70"]);
      assert.deepEqual(await claimIds(store), ["70"]);
    });

    it("redelivers by creation, then by id as an integer, from a position up to the limit", async (store) => {
      for (const [id, createdAt] of [
        ["9", NOW + 1],
        ["100", NOW + 1],
        ["70", NOW],
        ["71", NOW + 2],
      ] as const) {
        await addFinished(store, "failed", { id, createdAt });
      }
      assert.deepEqual(await idsOf(store, aRestart({ limit: 2 })), ["70", "9"]);
      assert.deepEqual(await idsOf(store, aRestart({ after: { createdAt: NOW + 1, id: "9" }, limit: 1 })), ["100"]);
      assert.equal((await store.findDelivery("1", "71"))?.status, "failed");
      assert.deepEqual(await idsOf(store, aRestart({ after: { createdAt: NOW + 2, id: "71" } })), []);
      assert.deepEqual(await idsOf(store, aRestart({ after: { createdAt: NOW + 2, id: "9" } })), ["71"]);
    });

    it("redelivers neither what was delivered, nor what waits", async (store) => {
      await addFinished(store, "delivered", { id: "70" });
      await add(store, { id: "72", status: "retrying", nextAttemptAt: NOW + 99 });
      const before = await store.listDeliveries("1", aDeliveryQuery());
      assert.deepEqual(await idsOf(store, aRestart()), []);
      assert.deepEqual(await store.listDeliveries("1", aDeliveryQuery()), before);
    });

    it("redelivers no test deliveries, whose data is no real event", async (store) => {
      await addFinished(store, "failed", { id: "70", eventId: null });
      assert.deepEqual(await idsOf(store, aRestart()), []);
      assert.equal((await store.findDelivery("1", "70"))?.status, "failed");
    });

    it("redelivers for the subscriber and the business alone", async (store) => {
      await addFinished(store, "failed", { id: "70", subscriber: { kind: "key", id: "60" } });
      await addFinished(store, "failed", { id: "71", subscriber: endpoint("61") });
      await addFinished(store, "failed", { id: "72", businessId: "2" });
      assert.deepEqual(await idsOf(store, aRestart()), []);
      assert.deepEqual(await claimIds(store), []);
      assert.equal((await store.redeliverUndelivered("2", aRestart())).length, 1);
      assert.deepEqual(await claimIds(store), ["72"]);
    });

    it("redelivers each once among concurrent callers", async (store) => {
      for (let n = 0; n < 9; n += 1) await addFinished(store, "failed", { id: String(70 + n) });
      const taken = (await allAtOnce(5, () => idsOf(store, aRestart({ limit: 4 })))).flat();
      assert.deepEqual([taken.length, new Set(taken).size], [9, 9]);
    });
  });
}

async function idsOf(store: Store, restart: Redelivery): Promise<string[]> {
  return (await store.redeliverUndelivered("1", restart)).map(({ id }) => id);
}
