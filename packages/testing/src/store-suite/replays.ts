import assert from "node:assert/strict";
import type { Delivery, Replay, Store } from "@budgetkit/core/store";
import { insertEndpointCommit, removeEndpointCommit } from "@budgetkit/core/store";
import { anAuditEntry, FIXTURE_TIME as NOW } from "../fixtures.js";
import { isWritten } from "../outcome.js";
import { aDelivery, anEndpoint, aReplay } from "../webhook-fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { add, addFinished, aSettlement, claimIds, endpoint } from "./webhook-samples.js";

export function replayCases({ describe, it, itDurably }: Suite): void {
  describe("a replay", () => {
    it("is stored whole, one for each endpoint", async (store) => {
      const replay = aReplay({ events: ["budget.*"], sent: 7 });
      assert.equal(await store.findReplay("1", "60"), null);
      await begin(store, replay, aReplay({ endpointId: "61" }), aReplay({ businessId: "2" }));
      assert.deepEqual(await store.findReplay("1", "60"), replay);
      const other = aReplay({ id: "51", version: 2 });
      assert.equal(await store.writeReplay(other, 0, []), "stale");
      assert.equal(await store.writeReplay(other, 1, []), "written");
      assert.deepEqual(await store.findReplay("1", "60"), other);
      assert.deepEqual(await store.findReplay("1", "61"), aReplay({ endpointId: "61" }));
      assert.equal(await store.findReplay("no id", "60"), null);
    });

    it("is removed with its endpoint", async (store) => {
      for (const id of ["60", "61"]) await store.commit(insertEndpointCommit(anEndpoint({ id })));
      await begin(store, aReplay(), aReplay({ endpointId: "61" }));
      assert.equal(await isWritten(store, removeEndpointCommit("1", "60")), true);
      assert.equal(await store.findReplay("1", "60"), null);
      assert.equal(await store.writeReplay(aReplay({ version: 2 }), 1, []), "stale");
      assert.notEqual(await store.findReplay("1", "61"), null);
    });
  });

  describe("running replays", () => {
    it("are found across businesses, page by page", async (store) => {
      const ends = { status: "finished" } as const;
      await begin(store, aReplay({ businessId: "10" }), aReplay({ endpointId: "100" }), aReplay({ businessId: "2" }));
      await begin(store, aReplay(), aReplay({ endpointId: "61", ...ends }), aReplay({ endpointId: "7", ...ends }));
      const names = (found: readonly Replay[]) => found.map(({ businessId, endpointId }) => [businessId, endpointId]);
      const first = await store.findRunningReplays(null, 2);
      const next = await store.findRunningReplays(first.at(-1) ?? null, 9);
      const [a, b, c, d] = [["1", "60"], ["1", "100"], ["2", "60"], ["10", "60"]]; // biome-ignore format: pairs
      assert.deepEqual([names(first), names(next)], [[a, b], [c, d]]); // biome-ignore format: pairs
      assert.equal(await store.writeReplay(aReplay({ version: 2, status: "cancelled" }), 1, []), "written");
      assert.deepEqual(names(await store.findRunningReplays(null, 1)), [b]);
    });
  });

  describe("a step of a replay", () => {
    it("is taken once, together with its deliveries and its audit entry", async (store) => {
      await begin(store, aReplay());
      const outcomes = await allAtOnce(4, (index) => {
        const delivery = aDelivery({ id: String(70 + index) });
        return store.writeReplay(step(), 1, [delivery], anAuditEntry({ id: String(90 + index) }));
      });
      assert.deepEqual([...outcomes].sort(), ["stale", "stale", "stale", "written"]);
      assert.deepEqual(await store.findReplay("1", "60"), step());
      assert.deepEqual(await claimIds(store), [String(70 + outcomes.indexOf("written"))]);
      const entries = await store.readLedger("1", { after: 0, limit: 9 });
      assert.deepEqual(
        entries.map(({ entry }) => entry.id),
        [String(90 + outcomes.indexOf("written"))],
      );
    });

    it("leaves nothing behind when a delivery cannot be added", async (store) => {
      await add(store, { id: "70" });
      await begin(store, aReplay());
      const audit = anAuditEntry();
      await assert.rejects(store.writeReplay(step(), 1, [aDelivery({ id: "71" }), aDelivery({ id: "70" })], audit));
      assert.deepEqual(await store.findReplay("1", "60"), aReplay());
      assert.equal(await store.findDelivery("1", "71"), null);
      assert.deepEqual(await store.readLedger("1", { after: 0, limit: 9 }), []);
    });

    it("adds deliveries as a fan-out does: whole, due, and in order where they are ordered", async (store) => {
      await begin(store, aReplay());
      const body = JSON.stringify({ text: 'a "quoted" \u0000 \ud83d\ude00 \\ text', metadata: { delivery_id: "70" } });
      const origin = { requestId: "r-1", trace: null };
      const plain = aDelivery({ body, origin });
      const ordered = (id: string, sequence: number): Delivery =>
        aDelivery({ id, nextAttemptAt: null, order: { subject: "budget 9", sequence } });
      await store.writeReplay(step(), 1, [plain, ordered("71", 2), ordered("72", 1)]);
      assert.deepEqual(await store.findDelivery("1", "70"), plain);
      assert.deepEqual(await claimIds(store), ["70", "72"]);
      assert.equal(await store.settle(aSettlement({ deliveryId: "72", attempt: null })), "written");
      assert.deepEqual(await claimIds(store), ["71"]);
    });

    itDurably("is there when the store is reopened", async (store, reopen) => {
      await begin(store, aReplay());
      await store.writeReplay(step(), 1, [aDelivery()]);
      const reopened = await reopen();
      assert.deepEqual(await reopened.findReplay("1", "60"), step());
      assert.deepEqual(await claimIds(reopened), ["70"]);
    });
  });

  describe("unfinished deliveries", () => {
    it("are counted by subscriber, up to a bound", async (store) => {
      await addFinished(store, "delivered", { id: "69" });
      await add(store, { id: "70" }, { id: "71", nextAttemptAt: NOW + 1 }, { id: "72", subscriber: endpoint("61") });
      await add(store, { id: "73", businessId: "2" }, { id: "74", subscriber: { kind: "key", id: "60" } });
      assert.equal(await store.countUnfinished("1", endpoint("60"), 10), 2);
      assert.equal(await store.countUnfinished("1", endpoint("60"), 1), 1);
      assert.equal(await store.countUnfinished("3", endpoint("60"), 10), 0);
      assert.equal(await store.countUnfinished("1", endpoint("no id"), 10), 0);
    });
  });
}

/** The state after the first step of {@link aReplay}. */
function step(): Replay {
  return aReplay({ version: 2, nextSequence: 101, sent: 1, updatedAt: NOW + 1 });
}

async function begin(store: Store, ...replays: readonly Replay[]): Promise<void> {
  for (const replay of replays) assert.equal(await store.writeReplay(replay, 0, []), "written");
}
