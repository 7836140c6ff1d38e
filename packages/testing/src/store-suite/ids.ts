import assert from "node:assert/strict";
import {
  createIdSource,
  ID_RANGE_SIZE,
  insertBudgetCommit,
  isIdTaken,
  parseId,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import { aBudget } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { aDelivery, anAttempt, aReplay } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { aLease, aSettlement, commitEvents } from "./webhook-samples.js";

const idsOf = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

export function idCases({ describe, it, itDurably }: Suite): void {
  describe("reserving ids", () => {
    it("begins with an integer of at least 1", async (store) => {
      const first = await store.reserveIds("1", 1);
      assert.ok(Number.isSafeInteger(first) && first >= 1, `got ${first}`);
    });

    for (const count of [1, 7, 1_000]) {
      it(`never hands out an integer of a block of ${count} again`, async (store) => {
        const first = await store.reserveIds("1", count);
        assert.equal(await store.reserveIds("1", 1), first + count);
      });
    }

    it("shows a business nothing of what others reserve: its blocks follow each other", async (store) => {
      const first = await store.reserveIds("1", 3);
      for (const other of ["2", "3"]) await store.reserveIds(other, 500);
      assert.equal(await store.reserveIds("1", 2), first + 3);
      await store.reserveIds("2", 500);
      assert.equal(await store.reserveIds("1", 1), first + 5);
    });

    it("gives each business a range of its own", async (store) => {
      const firsts: number[] = [];
      for (const business of ["7", "9", "8"]) firsts.push(await store.reserveIds(business, 1));
      const ranges = firsts.map((first) => Math.floor(first / ID_RANGE_SIZE));
      assert.equal(new Set(ranges).size, 3);
      assert.deepEqual(
        firsts.map((first) => first % ID_RANGE_SIZE),
        [1, 1, 1],
      );
    });

    it("gives a business that has used up its range another one", async (store) => {
      const first = await store.reserveIds("1", 1);
      const other = await store.reserveIds("2", 1);
      await store.reserveIds("1", ID_RANGE_SIZE - 10);
      const next = await store.reserveIds("1", 10);
      assert.ok(next > first + ID_RANGE_SIZE && next > other, `got ${next}`);
      assert.equal(next % ID_RANGE_SIZE, 1);
      assert.equal(await store.reserveIds("1", 5), next + 10);
      assert.equal(await store.reserveIds("2", 1), other + 1);
    });

    it("gives blocks that never overlap to 50 callers at once", async (store) => {
      const sizes = Array.from({ length: 50 }, (_, index) => 1 + ((index * 13) % 40));
      const firsts = await allAtOnce(sizes.length, (index) =>
        store.reserveIds(String(1 + (index % 3)), sizes[index] ?? 1),
      );
      const ids = firsts.flatMap((first, index) => idsOf(first, sizes[index] ?? 1));
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(new Set(ids.map((id) => Math.floor(id / ID_RANGE_SIZE))).size, 3, "one range for each business");
    });

    it("reserves none up to one that the caller knows, though the store does not know it", async (store) => {
      const first = await store.reserveIds("1", 10);
      assert.equal(await store.reserveIds("1", 5, first + 3), first + 10, "it is known");
      assert.equal(await store.reserveIds("1", 5, first + 99), first + 100);
      assert.equal(await store.reserveIds("1", 1), first + 105);
      const later = await store.reserveIds("1", 5, first + 7 * ID_RANGE_SIZE);
      assert.ok(later > first + 7 * ID_RANGE_SIZE, `got ${later}`);
      assert.equal(later % ID_RANGE_SIZE, 1, "a range of its own");
      assert.ok((await store.reserveIds("2", 1)) > later + ID_RANGE_SIZE - 2, "the range of another business");
      const other = await store.reserveIds("3", 1, first + 20 * ID_RANGE_SIZE);
      assert.ok(other > first + 20 * ID_RANGE_SIZE, `got ${other}`);
    });

    it("refuses a new record whose id exists with IdTaken, and keeps the first", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ notes: "first" })));
      const again = outcomeOf(store, insertBudgetCommit(aBudget({ notes: "second", publicTokenHash: "other" })));
      await assert.rejects(again, isIdTaken);
      assert.equal((await store.findBudget("1", aBudget().id))?.notes, "first");
      await store.commit(testDeliveryCommit(aDelivery()));
      await assert.rejects(outcomeOf(store, testDeliveryCommit(aDelivery())), isIdTaken);
    });

    it("refuses a new delivery whose id a finished one has with IdTaken, also the second of an event (shared body)", async (store) => {
      const lease = aLease();
      const pair = ["70", "71"].map((id) => aDelivery({ id, lease, attempts: 1 }));
      const [event] = await commitEvents(store, ["90"]);
      assert.ok(event !== undefined);
      assert.equal(await store.fanOut(event, pair), "written");
      for (const deliveryId of ["70", "71"]) {
        const settlement = aSettlement({ deliveryId, attempt: anAttempt({ deliveryId }) });
        assert.equal(await store.settle(settlement), "written");
      }
      const stored = await store.findDelivery("1", "71");
      await store.writeReplay(aReplay(), 0, []);
      for (const id of ["70", "71"]) {
        await assert.rejects(outcomeOf(store, testDeliveryCommit(aDelivery({ id }))), isIdTaken);
        await assert.rejects(store.writeReplay(aReplay({ version: 2 }), 1, [aDelivery({ id })]), isIdTaken);
        const finished = aDelivery({ id, status: "failed", nextAttemptAt: null });
        await assert.rejects(outcomeOf(store, testDeliveryCommit(finished)), isIdTaken);
      }
      assert.deepEqual(await store.findDelivery("1", "71"), stored);
      assert.deepEqual(await store.findReplay("1", "60"), aReplay());
    });

    it("feeds several id sources with ids that are never the same", async (store) => {
      const sizes = { largest: 10, businesses: 10 };
      const sources = [3, 5, 8].map((first) => createIdSource(store, { first, ...sizes }));
      const ids = await Promise.all(sources.flatMap((source) => idsOf(0, 20).map(() => source.next("1"))));
      assert.equal(new Set(ids).size, 60);
      assert.ok(ids.every((id) => parseId(id) !== null));
    });

    itDurably("does not hand out an id again after the store was reopened", async (store, reopen) => {
      const first = await store.reserveIds("1", 100);
      assert.equal(await (await reopen()).reserveIds("1", 1), first + 100);
    });
  });

  describe("the ids of businesses", () => {
    it("ascend one by one, also while businesses reserve ids", async (store) => {
      const first = Number(await store.reserveBusinessId());
      await store.reserveIds("1", 500);
      assert.equal(await store.reserveBusinessId(), String(first + 1));
    });

    it("are never the same for 20 callers at once", async (store) => {
      const ids = await allAtOnce(20, () => store.reserveBusinessId());
      assert.equal(new Set(ids).size, 20);
      assert.ok(ids.every((id) => parseId(id) !== null));
    });

    itDurably("are not used again after the store was reopened", async (store, reopen) => {
      const first = Number(await store.reserveBusinessId());
      assert.equal(await (await reopen()).reserveBusinessId(), String(first + 1));
    });
  });
}
