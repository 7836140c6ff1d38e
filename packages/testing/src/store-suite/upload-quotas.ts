import assert from "node:assert/strict";
import type { Store, UploadDecision, Window } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const KEY = "upload:1:20";
const WINDOW: Window = { lengthMs: 1_000, limit: 100 };

export function uploadQuotaCases(suite: Suite): void {
  holdCases(suite);
  settleCases(suite);
  pruneCases(suite);
}

function holdCases({ describe, it, itDurably }: Suite): void {
  describe("a hold of an upload", () => {
    it("an upload holds what it wants where there is room, else what remains if that suffices", async (store) => {
      assert.deepEqual(await hold(store, "a", 10, 60), { held: 60, room: 40, fitsAt: NOW });
      assert.deepEqual(await hold(store, "b", 10, 60), { held: 40, room: 0, fitsAt: NOW });
      assert.deepEqual(await hold(store, "c", 1, 60), { held: null, room: 0, fitsAt: NOW + 1_000 });
    });

    it("refuses and charges nothing for an upload that does not fit", async (store) => {
      await hold(store, "a", 70, 70);
      assert.deepEqual(await hold(store, "b", 31, 31), { held: null, room: 30, fitsAt: NOW + 1_000 });
      assert.deepEqual(await hold(store, "c", 30, 30), { held: 30, room: 0, fitsAt: NOW });
    });

    it("a hold grows and shrinks in place, and keeps its size when refused", async (store) => {
      await hold(store, "a", 50, 50);
      assert.equal((await hold(store, "a", 90, 90)).held, 90);
      assert.equal((await hold(store, "a", 101, 101)).held, null);
      assert.equal((await hold(store, "b", 11, 11)).held, null);
      assert.equal((await hold(store, "a", 20, 20)).held, 20);
      assert.equal((await hold(store, "b", 80, 80)).held, 80);
    });

    it("a refused upload reports when it will fit", async (store) => {
      for (const [id, offset] of [
        ["a", 0],
        ["b", 10],
        ["c", 20],
      ] as const) {
        await hold(store, id, 30, 30, NOW + offset);
      }
      assert.equal((await hold(store, "d", 11, 11, NOW + 30)).fitsAt, NOW + 1_000);
      assert.equal((await hold(store, "d", 41, 41, NOW + 30)).fitsAt, NOW + 1_010);
      assert.equal((await hold(store, "d", 100, 100, NOW + 30)).fitsAt, NOW + 1_020);
    });

    it("a hold counts up to the last millisecond of the window", async (store) => {
      await hold(store, "a", 100, 100);
      assert.equal((await hold(store, "b", 1, 1, NOW + 999)).held, null);
      assert.equal((await hold(store, "b", 100, 100, NOW + 1_000)).held, 100);
    });

    it("a hold counts from its last change", async (store) => {
      await hold(store, "a", 60, 60);
      await hold(store, "a", 80, 80, NOW + 500);
      assert.equal((await hold(store, "b", 30, 30, NOW + 1_000)).fitsAt, NOW + 1_500);
    });

    it("a hold belongs to one subject", async (store) => {
      await hold(store, "a", 100, 100);
      for (const subject of ["upload:1:21", "upload:2:20", ""]) {
        const decision = await store.holdUpload(subject, { id: "a", needed: 100, wanted: 100 }, WINDOW, NOW);
        assert.equal(decision.held, 100, subject);
      }
    });

    it("concurrent holds never exceed the window", async (store) => {
      const decisions = await allAtOnce(20, (index) => hold(store, `h${index}`, 7, 7));
      assert.equal(decisions.filter(({ held }) => held !== null).length, 14);
      const greedy = await allAtOnce(5, (index) => hold(store, `g${index}`, 1, 100));
      assert.deepEqual(
        greedy.flatMap(({ held }) => held ?? []),
        [2],
      );
    });

    it("a hold from a clock that was far ahead does not count", async (store) => {
      await hold(store, "a", 100, 100, NOW + 1_000_000);
      assert.equal((await hold(store, "b", 100, 100)).held, 100);
    });

    it("a hold from a clock that was a little ahead counts", async (store) => {
      await hold(store, "a", 100, 100, NOW + 10);
      await store.settleUpload(KEY, "a", 100, WINDOW, NOW);
      assert.equal((await hold(store, "b", 1, 1, NOW + 5)).held, null);
    });
  });

  itDurably("holds and settled uploads go on counting after the store was reopened", async (store, reopen) => {
    await hold(store, "a", 40, 40);
    await store.settleUpload(KEY, "b", 50, WINDOW, NOW);
    assert.equal((await hold(await reopen(), "c", 11, 11)).room, 10);
  });
}

function settleCases({ describe, it }: Suite): void {
  describe("settling an upload", () => {
    it("settling an upload frees what was not received", async (store) => {
      await hold(store, "a", 80, 80);
      await store.settleUpload(KEY, "a", 30, WINDOW, NOW);
      assert.deepEqual(await hold(store, "b", 70, 70), { held: 70, room: 0, fitsAt: NOW });
    });

    it("settling an upload that received nothing leaves nothing", async (store) => {
      await hold(store, "a", 80, 80);
      await store.settleUpload(KEY, "a", 0, WINDOW, NOW);
      assert.equal((await hold(store, "b", 100, 100)).held, 100);
    });

    it("a settled upload counts from its own moment, for the length of the window", async (store) => {
      await hold(store, "a", 100, 100);
      await store.settleUpload(KEY, "a", 100, WINDOW, NOW + 500);
      assert.equal((await hold(store, "b", 1, 1, NOW + 1_499)).fitsAt, NOW + 1_500);
      assert.equal((await hold(store, "b", 100, 100, NOW + 1_500)).held, 100);
    });

    it("settling an upload touches no other upload", async (store) => {
      await hold(store, "a", 40, 40);
      await hold(store, "b", 40, 40);
      await store.settleUpload(KEY, "a", 40, WINDOW, NOW + 1);
      assert.equal((await hold(store, "c", 21, 21, NOW + 2)).room, 20);
    });
  });
}

function pruneCases({ describe, it }: Suite): void {
  describe("pruning uploads", () => {
    it("prunes at most as many finished uploads as requested, and returns how many", async (store) => {
      for (const id of ["a", "b", "c"]) await hold(store, id, 1, 1);
      await store.settleUpload("upload:2:20", "d", 1, WINDOW, NOW);
      await hold(store, "later", 1, 1, NOW + 1);
      const counts = [];
      for (let round = 0; round < 3; round += 1) counts.push(await store.pruneUploads(NOW + 1_000, 3));
      assert.deepEqual(counts, [3, 1, 0]);
      assert.equal((await hold(store, "e", 100, 100, NOW + 1_000)).room, 99);
    });
  });
}

function hold(store: Store, id: string, needed: number, wanted: number, now: number = NOW): Promise<UploadDecision> {
  return store.holdUpload(KEY, { id, needed, wanted }, WINDOW, now);
}
