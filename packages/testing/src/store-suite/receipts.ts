import assert from "node:assert/strict";
import {
  HOUR_MS,
  insertBudgetCommit,
  insertKeyCommit,
  MINUTE_MS,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import {
  aBudget,
  aBudgetQuery,
  aClaim,
  anApiKey,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { COMPLETED, complete, EXPIRED, LAPSED } from "./claim-samples.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";

export function receiptCases(suite: Suite): void {
  keptReceiptCases(suite);
  lostReceiptCases(suite);
}

function keptReceiptCases({ describe, it }: Suite): void {
  describe("a receipt that is committed", () => {
    it("answers the same request with the same response", async (store) => {
      await complete(store);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("reports to another request that the key belongs to the first one", async (store) => {
      await complete(store);
      const other = aClaim({ claimId: "claim-2", fingerprint: "fingerprint-2" });
      assert.deepEqual(await store.claimKey(other, NOW), COMPLETED);
    });

    it("still answers after the lease", async (store) => {
      await complete(store);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), LAPSED), COMPLETED);
    });

    it("answers until it expires", async (store) => {
      await complete(store);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), EXPIRED - 2), COMPLETED);
    });

    it("counts as absent when it has expired", async (store) => {
      await complete(store);
      const later = aClaim({ claimId: "claim-2", leaseUntil: EXPIRED + MINUTE_MS, expiresAt: EXPIRED + HOUR_MS });
      assert.deepEqual(await store.claimKey(later, EXPIRED), { kind: "claimed" });
      assert.deepEqual(await store.claimKey(later, EXPIRED), { kind: "in-flight" });
    });

    it("may complete a claim whose lease has lapsed, unless another claim took it over", async (store) => {
      await store.claimKey(aClaim({ leaseUntil: NOW - 1 }), NOW - MINUTE_MS);
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord() })),
        "written",
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("goes with the replacement of a budget", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await store.claimKey(aClaim(), NOW);
      assert.equal(
        await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2 }), 1, { completes: anIdempotencyRecord() })),
        "written",
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("goes with the creation of a key", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.equal(
        await outcomeOf(store, { ...insertKeyCommit(anApiKey()), completes: anIdempotencyRecord() }),
        "written",
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("keeps a long response of any characters as it is", async (store) => {
      const response = `${"ab\u001f\\\"'%😀\n".repeat(5_000)}end`;
      await store.claimKey(aClaim(), NOW);
      await store.commit(insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord({ response }) }));
      const replay = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.deepEqual(replay, { kind: "completed", fingerprint: "fingerprint-1", response });
    });

    it("keeps an empty response", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.commit(insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord({ response: "" }) }));
      const replay = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.deepEqual(replay, { kind: "completed", fingerprint: "fingerprint-1", response: "" });
    });

    it("is written for one of 10 commits that carry the same one", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const outcomes = await allAtOnce(10, (index) =>
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: String(10 + index) }), {
            events: [anEvent({ id: String(90 + index) })],
            completes: anIdempotencyRecord(),
          }),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome === "written").length, 1);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 1);
      assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 1);
    });
  });
}

/** Ways in which a claim may no longer hold its key when the effect is committed. */
const LOSSES: readonly { readonly name: string; lose(store: Store): Promise<unknown> }[] = [
  {
    name: "whose claim was taken over",
    lose: async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.claimKey(aClaim({ claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS }), LAPSED);
    },
  },
  {
    name: "whose claim was completed already",
    lose: async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.commit({
        ...insertKeyCommit(anApiKey({ id: "999" })),
        completes: anIdempotencyRecord({ response: "earlier" }),
      });
    },
  },
  {
    name: "whose claim was released",
    lose: async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
    },
  },
  { name: "that was never claimed", lose: async () => undefined },
  {
    name: "whose key another business claimed",
    lose: (store) => store.claimKey(aClaim({ businessId: "2" }), NOW),
  },
  {
    name: "whose record was pruned",
    lose: async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.pruneClaims(EXPIRED, 10);
    },
  },
];

function lostReceiptCases({ describe, it }: Suite): void {
  describe("a receipt that is lost", () => {
    for (const { name, lose } of LOSSES) {
      it(`(${name}) leaves no budget and no event`, async (store) => {
        await lose(store);
        assert.equal(
          await outcomeOf(
            store,
            insertBudgetCommit(aBudget(), { events: [anEvent()], completes: anIdempotencyRecord() }),
          ),
          "claim-lost",
        );
        assert.equal(await store.findBudget(BUSINESS, "10"), null);
        assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 0);
        assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 0);
      });

      it(`(${name}) keeps no other budget from being added at the same time`, async (store) => {
        await lose(store);
        const outcomes = await allAtOnce(3, (index) =>
          outcomeOf(
            store,
            insertBudgetCommit(aBudget({ id: String(10 + index) }), {
              completes: index === 1 ? anIdempotencyRecord() : null,
            }),
          ),
        );
        assert.deepEqual(outcomes, ["written", "claim-lost", "written"]);
        assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 2);
      });

      it(`(${name}) leaves the stored budget as it was`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget()));
        await lose(store);
        const next = aBudget({ version: 2, status: "APPROVED" });
        assert.equal(
          await outcomeOf(
            store,
            replaceBudgetCommit(next, 1, { events: [anEvent()], completes: anIdempotencyRecord() }),
          ),
          "claim-lost",
        );
        assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget());
        assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery({ status: "APPROVED" }))).total, 0);
        assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 0);
      });

      it(`(${name}) leaves no key`, async (store) => {
        await lose(store);
        assert.equal(
          await outcomeOf(store, { ...insertKeyCommit(anApiKey()), completes: anIdempotencyRecord() }),
          "claim-lost",
        );
        assert.equal(await store.findKey(BUSINESS, "20"), null);
        assert.equal(await store.findKeyByHash(anApiKey().keyHash), null);
      });
    }

    it("leaves the newer claim to its holder", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.claimKey(aClaim({ claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS }), LAPSED);
      await store.commit(insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord() }));
      assert.equal(
        await outcomeOf(
          store,
          insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord({ claimId: "claim-2" }) }),
        ),
        "written",
      );
    });

    it("leaves the response of the first commit in place", async (store) => {
      await complete(store);
      await store.commit(
        insertBudgetCommit(aBudget({ id: "11" }), { completes: anIdempotencyRecord({ response: "another" }) }),
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });
  });
}
