import assert from "node:assert/strict";
import type { InFlightCalls, Store } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { aDueClaim, add, aLease, busy, claimIds, endpoint } from "./webhook-samples.js";

export function webhookShareCases(suite: Suite): void {
  shareCases(suite);
  businessShareCases(suite);
  fairnessCases(suite);
}

function shareCases({ describe, it }: Suite): void {
  describe("the share of one subscriber in a claim", () => {
    it("caps the share of one subscriber in a claim, so that its backlog holds up no others", async (store) => {
      for (let n = 0; n < 30; n += 1) await add(store, { id: String(100 + n), nextAttemptAt: NOW - 1_000 + n });
      await add(store, { id: "70", subscriber: endpoint("61") }, { id: "71", subscriber: { kind: "key", id: "60" } });
      const ids = await claimIds(store, { perSubscriber: 2, limit: 10 });
      assert.deepEqual(ids.sort(), ["100", "101", "70", "71"]);
    });

    it("the share of a subscriber consists of the longest due deliveries", async (store) => {
      await add(
        store,
        { id: "70", nextAttemptAt: NOW - 1 },
        { id: "71", nextAttemptAt: NOW - 3 },
        { id: "72", nextAttemptAt: NOW - 2 },
      );
      assert.deepEqual(await claimIds(store, { perSubscriber: 2 }), ["71", "72"]);
      assert.deepEqual(await claimIds(store, { perSubscriber: 2 }), ["70"]);
    });

    it("the share of a subscriber counts what is under way already", async (store) => {
      await add(
        store,
        { id: "70", subscriber: endpoint("60"), nextAttemptAt: NOW - 9 },
        { id: "71", subscriber: endpoint("60") },
        { id: "72", subscriber: endpoint("61") },
        { id: "73", subscriber: { kind: "key", id: "60" } },
        { id: "74", subscriber: endpoint("60"), businessId: "2" },
      );
      const full = [busy("1", endpoint("60"), 2), busy("1", { kind: "key", id: "99" }, 2)];
      assert.deepEqual((await claimIds(store, { perSubscriber: 2, inFlight: full })).sort(), ["72", "73", "74"]);
      assert.deepEqual(await claimIds(store, { perSubscriber: 2, inFlight: [busy("1", endpoint("60"), 1)] }), ["70"]);
      assert.deepEqual(await claimIds(store), ["71"]);
    });

    it("deliveries that may wait in the process enlarge the shares of subscriber and business", async (store) => {
      for (let n = 0; n < 9; n += 1) await add(store, { id: String(100 + n), nextAttemptAt: NOW - 9 + n });
      await add(store, { id: "70", subscriber: endpoint("61"), nextAttemptAt: NOW - 10 });
      const shares = { perSubscriber: 2, perBusiness: 3 };
      const ahead = [busy("1", endpoint("60"), -2), busy("1", endpoint("61"), 2)];
      assert.deepEqual(await claimIds(store, { ...shares, inFlight: ahead }), ["100", "101", "102"]);
      const more = [busy("1", endpoint("60"), -2)];
      assert.deepEqual(await claimIds(store, { ...shares, inFlight: more }), ["70", "103", "104", "105", "106"]);
    });

    it("a subscriber whose share is used up does not use up the limit", async (store) => {
      for (let n = 0; n < 20; n += 1) await add(store, { id: String(100 + n), nextAttemptAt: NOW - 1_000 + n });
      await add(store, { id: "70", subscriber: endpoint("61") }, { id: "71", subscriber: endpoint("62") });
      const inFlight = [busy("1", endpoint("60"), 5)];
      assert.deepEqual((await claimIds(store, { perSubscriber: 5, inFlight, limit: 2 })).sort(), ["70", "71"]);
    });

    it("shares leave room for many subscribers, each with a backlog", async (store) => {
      await allAtOnce(100, (index) =>
        add(store, { id: String(1_000 + index), subscriber: endpoint(String(10 + (index % 20))) }),
      );
      const claimed = await store.claimDue(aDueClaim({ perSubscriber: 1, limit: 50 }));
      assert.equal(claimed.length, 20);
      assert.equal(new Set(claimed.map(({ subscriber }) => subscriber.id)).size, 20);
    });
  });
}

function businessShareCases({ describe, it }: Suite): void {
  describe("the share of one business in a claim", () => {
    it("caps the share of one business for any number of its subscribers", async (store) => {
      for (let n = 0; n < 30; n += 1) {
        await add(store, { id: String(100 + n), subscriber: endpoint(String(60 + n)), nextAttemptAt: NOW - 1_000 + n });
      }
      await add(store, { id: "70", businessId: "2" }, { id: "71", businessId: "3" });
      const ids = await claimIds(store, { perBusiness: 4, limit: 6 });
      assert.deepEqual(ids, ["100", "101", "102", "103", "70", "71"]);
    });

    it("caps the share of one business for any backlog of one subscriber", async (store) => {
      for (let n = 0; n < 9; n += 1) await add(store, { id: String(100 + n), nextAttemptAt: NOW - 9 + n });
      await add(store, { id: "70", businessId: "2" });
      assert.deepEqual(await claimIds(store, { perBusiness: 3, perSubscriber: 5 }), ["100", "101", "102", "70"]);
    });

    it("the share of a business consists of the longest due deliveries", async (store) => {
      await add(
        store,
        { id: "70", subscriber: endpoint("60"), nextAttemptAt: NOW - 4 },
        { id: "71", subscriber: endpoint("61"), nextAttemptAt: NOW - 9 },
        { id: "72", subscriber: endpoint("61"), nextAttemptAt: NOW - 3 },
        { id: "73", subscriber: endpoint("62"), nextAttemptAt: NOW - 5 },
        { id: "74", subscriber: endpoint("60"), nextAttemptAt: NOW - 8 },
      );
      assert.deepEqual(await claimIds(store, { perBusiness: 3 }), ["71", "74", "73"]);
      assert.deepEqual(await claimIds(store, { perBusiness: 3 }), ["70", "72"]);
    });

    it("the share of a business counts what is under way, of all its subscribers together", async (store) => {
      for (let n = 0; n < 5; n += 1) await add(store, { id: String(100 + n), nextAttemptAt: NOW - 9 + n });
      await add(store, { id: "70", businessId: "2" }, { id: "71", businessId: "2", nextAttemptAt: NOW - 1 });
      const inFlight = [
        busy("1", endpoint("61"), 2),
        busy("1", { kind: "key", id: "61" }, 1),
        busy("2", endpoint("61"), 3),
      ];
      assert.deepEqual(await claimIds(store, { perBusiness: 4, inFlight }), ["100", "71"]);
      assert.deepEqual(await claimIds(store, { perBusiness: 3, inFlight }), []);
    });

    it("a hundred queues of a business with a full share delay no other businesses", async (store) => {
      await allAtOnce(100, (index) =>
        add(store, { id: String(1_000 + index), subscriber: endpoint(String(1_000 + index)), nextAttemptAt: NOW - 50 }),
      );
      await allAtOnce(20, (index) =>
        add(store, { id: String(2_000 + index), businessId: String(2 + (index % 5)), nextAttemptAt: NOW - 20 + index }),
      );
      const inFlight = [busy("1", endpoint("5"), 10)];
      const ids = await claimIds(store, { perBusiness: 10, perSubscriber: 2, limit: 8, inFlight });
      assert.deepEqual(ids, ["2000", "2001", "2002", "2003", "2004", "2005", "2006", "2007"]);
    });

    it("fewer concurrent claims than a share never exceed it", async (store) => {
      await allAtOnce(40, (index) => add(store, { id: String(100 + index), subscriber: endpoint(String(60 + index)) }));
      const claims = await allAtOnce(4, (index) =>
        claimIds(store, { lease: aLease(`lease-${index}`), perBusiness: 7 }),
      );
      assert.deepEqual(
        claims.map((ids) => ids.length),
        [7, 7, 7, 7],
      );
      assert.equal(new Set(claims.flat()).size, 28);
    });
  });
}

function fairnessCases({ describe, it }: Suite): void {
  describe("a place that falls free", () => {
    const BACKLOGGED = ["1", "2", "3", "4"];

    /** Long backlogs of four businesses, of three subscribers each. */
    async function addBacklogs(store: Store): Promise<void> {
      await allAtOnce(120, (index) =>
        add(store, {
          id: String(1_000 + index),
          businessId: String(1 + (index % 4)),
          subscriber: endpoint(String(60 + (index % 3))),
          nextAttemptAt: NOW - 10_000 + index,
        }),
      );
    }

    function busyWith(calls: readonly [string, string, string, string]): InFlightCalls[] {
      return calls.flatMap((ofSubscribers, index) =>
        [...ofSubscribers].map((each, n) => busy(String(index + 1), endpoint(String(60 + n)), Number(each))),
      );
    }

    it("a free slot goes to a business without calls, though four others have older backlogs", async (store) => {
      await addBacklogs(store);
      await add(store, { id: "70", businessId: "5" }, { id: "71", businessId: "5" });
      const inFlight = busyWith(["444", "444", "444", "544"]); // 49 of 50
      const shares = { limit: 1, perBusiness: 15, perSubscriber: 5 };
      assert.deepEqual(await claimIds(store, { ...shares, inFlight }), ["70"]);
      const withFifth = [...inFlight, busy("5", endpoint("60"), 1)];
      assert.deepEqual(await claimIds(store, { ...shares, inFlight: withFifth }), ["71"]);
    });

    it("a free slot goes to the business with the fewest calls, even when another is due longer", async (store) => {
      await addBacklogs(store);
      const inFlight = busyWith(["432", "333", "233", "333"]);
      const shares = { perBusiness: 15, perSubscriber: 5, inFlight };
      assert.deepEqual(await claimIds(store, { ...shares, limit: 1 }), ["1002"]);
      assert.deepEqual(await claimIds(store, { ...shares, limit: 2 }), ["1000", "1006"]);
    });

    it("free slots are shared equally among businesses, unless one has less that is due", async (store) => {
      await addBacklogs(store);
      await add(store, { id: "70", businessId: "5" }, { id: "71", businessId: "6" });
      const claimed = await store.claimDue(aDueClaim({ limit: 50, perBusiness: 15, perSubscriber: 5 }));
      const counts = [...BACKLOGGED, "5", "6"].map((id) => claimed.filter((each) => each.businessId === id).length);
      assert.deepEqual(counts, [12, 12, 12, 12, 1, 1]);
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [...claimed].sort((a, b) => Number(a.nextAttemptAt) - Number(b.nextAttemptAt)).map(({ id }) => id),
      );
    });
  });
}
