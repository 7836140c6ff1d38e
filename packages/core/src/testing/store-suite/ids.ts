import assert from "node:assert/strict";
import { createIdSource, parseId } from "../../kernel/ids.js";
import { allAtOnce, type Suite } from "./suite.js";

export function idCases({ describe, it, itDurably }: Suite): void {
  describe("reserving ids", () => {
    it("begins with an integer of at least 1", async (store) => {
      const first = await store.reserveIds(1);
      assert.ok(Number.isSafeInteger(first) && first >= 1, `got ${first}`);
    });

    for (const count of [1, 7, 1_000]) {
      it(`never hands out an integer of a block of ${count} again`, async (store) => {
        const first = await store.reserveIds(count);
        const next = await store.reserveIds(1);
        assert.ok(next < first || next >= first + count);
      });
    }

    it("gives blocks that never overlap to 50 callers at once", async (store) => {
      const sizes = Array.from({ length: 50 }, (_, index) => 1 + ((index * 13) % 40));
      const firsts = await allAtOnce(sizes.length, (index) => store.reserveIds(sizes[index] ?? 1));
      const ids = firsts.flatMap((first, index) => Array.from({ length: sizes[index] ?? 1 }, (_, n) => first + n));
      assert.equal(new Set(ids).size, ids.length);
    });

    it("feeds several id sources with ids that are never the same", async (store) => {
      const sources = [createIdSource(store, 3), createIdSource(store, 5), createIdSource(store)];
      const ids = await Promise.all(sources.flatMap((source) => Array.from({ length: 20 }, () => source.next())));
      assert.equal(new Set(ids).size, 60);
      assert.ok(ids.every((id) => parseId(id) !== null));
    });

    itDurably("does not hand out an id again after the store was reopened", async (store, reopen) => {
      const first = await store.reserveIds(100);
      const next = await (await reopen()).reserveIds(1);
      assert.ok(next < first || next >= first + 100);
    });
  });
}
