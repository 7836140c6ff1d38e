import assert from "node:assert/strict";
import { insertBudgetCommit, MINUTE_MS } from "@budgetkit/core/store";
import { aBudget, aClaim, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { COMPLETED, complete, EXPIRED, LAPSED } from "./claim-samples.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";

export function idempotencyCases(suite: Suite): void {
  claimCases(suite);
  lookUpCases(suite);
  releaseCases(suite);
  pruneCases(suite);
}

function claimCases({ describe, it }: Suite): void {
  describe("claiming an idempotency key", () => {
    it("succeeds for a key that is new", async (store) => {
      assert.deepEqual(await store.claimKey(aClaim(), NOW), { kind: "claimed" });
    });

    it("is in flight while another request holds the key", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "in-flight" });
    });

    it("is in flight for another request body too, while the first is under way", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const other = aClaim({ claimId: "claim-2", fingerprint: "fingerprint-2" });
      assert.deepEqual(await store.claimKey(other, NOW), { kind: "in-flight" });
    });

    it("is in flight until the lease ends", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW + MINUTE_MS - 1), {
        kind: "in-flight",
      });
    });

    it("takes a key over whose lease has lapsed", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const second = aClaim({ claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS });
      assert.deepEqual(await store.claimKey(second, LAPSED), { kind: "claimed" });
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-3" }), LAPSED), { kind: "in-flight" });
    });

    it("succeeds for exactly one of 20 callers at once", async (store) => {
      const outcomes = await allAtOnce(20, (index) => store.claimKey(aClaim({ claimId: `claim-${index}` }), NOW));
      assert.equal(outcomes.filter(({ kind }) => kind === "claimed").length, 1);
      assert.equal(outcomes.filter(({ kind }) => kind === "in-flight").length, 19);
    });

    it("lets exactly one of 20 callers take a lapsed key over", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const outcomes = await allAtOnce(20, (index) =>
        store.claimKey(aClaim({ claimId: `late-${index}`, leaseUntil: LAPSED + MINUTE_MS }), LAPSED),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === "claimed").length, 1);
    });

    it("gives the winner of a race a claim that its receipt completes", async (store) => {
      const outcomes = await allAtOnce(10, (index) => store.claimKey(aClaim({ claimId: `claim-${index}` }), NOW));
      const winner = outcomes.findIndex(({ kind }) => kind === "claimed");
      const receipts = await allAtOnce(10, (index) =>
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: String(10 + index) }), {
            completes: anIdempotencyRecord({ claimId: `claim-${index}` }),
          }),
        ),
      );
      assert.deepEqual(
        receipts.map((outcome, index) => (outcome === "written" ? index : -1)).filter((index) => index >= 0),
        [winner],
      );
    });

    it("keeps keys apart", async (store) => {
      await store.claimKey(aClaim(), NOW);
      for (const key of ["client-key-2", "CLIENT-KEY", "client-ke", "client%", ""]) {
        assert.deepEqual(await store.claimKey(aClaim({ key, claimId: "claim-2" }), NOW), { kind: "claimed" }, key);
      }
    });

    it("keeps businesses apart", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.deepEqual(await store.claimKey(aClaim({ businessId: "2" }), NOW), { kind: "claimed" });
    });
  });
}

function lookUpCases({ describe, it }: Suite): void {
  describe("looking for what a claim has left", () => {
    it("finds it once it was completed, until it expires", async (store) => {
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", NOW), null);
      await complete(store);
      const { kind: _, ...left } = COMPLETED;
      assert.deepEqual(await store.findCompletedClaim(BUSINESS, "client-key", NOW), left);
      assert.deepEqual(await store.findCompletedClaim(BUSINESS, "client-key", aClaim().expiresAt - 1), left);
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", aClaim().expiresAt), null);
    });

    it("finds nothing while it is under way, and claims nothing", async (store) => {
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", NOW), null);
      assert.deepEqual(await store.claimKey(aClaim(), NOW), { kind: "claimed" });
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", NOW), null);
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord() })),
        "written",
      );
    });

    it("keeps to the business and to the key", async (store) => {
      await complete(store);
      for (const businessId of ["2", "01", ""]) {
        assert.equal(await store.findCompletedClaim(businessId, "client-key", NOW), null);
      }
      for (const key of ["CLIENT-KEY", "client%", "", "\0"]) {
        assert.equal(await store.findCompletedClaim(BUSINESS, key, NOW), null);
      }
    });
  });
}

function releaseCases({ describe, it }: Suite): void {
  describe("releasing a claim", () => {
    it("frees the key for the next request", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "claimed" });
    });

    it("does nothing to a claim that was taken over", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.claimKey(aClaim({ claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS }), LAPSED);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-3" }), LAPSED), { kind: "in-flight" });
    });

    it("does nothing to a claim that was completed", async (store) => {
      await complete(store);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("does nothing to another business's claim", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.releaseClaim("2", "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "in-flight" });
    });

    it("does nothing when there is no claim", async (store) => {
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim(), NOW), { kind: "claimed" });
    });
  });
}

function pruneCases({ describe, it }: Suite): void {
  describe("pruning claims", () => {
    it("removes at most as many as asked for and says how many", async (store) => {
      for (const key of ["a", "b", "c", "d", "e"]) await store.claimKey(aClaim({ key }), NOW);
      const counts = [];
      for (let round = 0; round < 4; round += 1) counts.push(await store.pruneClaims(EXPIRED, 2));
      assert.deepEqual(counts, [2, 2, 1, 0]);
    });

    it("keeps what has not expired", async (store) => {
      await complete(store);
      assert.equal(await store.pruneClaims(EXPIRED - 2, 10), 0);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("keeps a claim whose lease alone has lapsed", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.equal(await store.pruneClaims(LAPSED, 10), 0);
    });

    it("removes completed records that have expired", async (store) => {
      await complete(store);
      assert.equal(await store.pruneClaims(EXPIRED, 10), 1);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "claimed" });
    });

    it("looks at all businesses", async (store) => {
      await store.claimKey(aClaim({ businessId: "1" }), NOW);
      await store.claimKey(aClaim({ businessId: "2" }), NOW);
      assert.equal(await store.pruneClaims(EXPIRED, 10), 2);
    });

    it("leaves the budgets that the receipts went with", async (store) => {
      await complete(store);
      await store.pruneClaims(EXPIRED, 10);
      assert.notEqual(await store.findBudget(BUSINESS, "10"), null);
    });
  });
}
