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
    it("claims a new idempotency key", async (store) => {
      assert.deepEqual(await store.claimKey(aClaim(), NOW), { kind: "claimed" });
    });

    it("an idempotency key is in-flight while another request holds it", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "in-flight" });
    });

    it("an idempotency key in-flight refuses another request body too", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const other = aClaim({ claimId: "claim-2", fingerprint: "fingerprint-2" });
      assert.deepEqual(await store.claimKey(other, NOW), { kind: "in-flight" });
    });

    it("an idempotency key is in-flight until its lease ends", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW + MINUTE_MS - 1), {
        kind: "in-flight",
      });
    });

    it("takes over an idempotency key whose lease has lapsed", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const second = aClaim({ claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS });
      assert.deepEqual(await store.claimKey(second, LAPSED), { kind: "claimed" });
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-3" }), LAPSED), { kind: "in-flight" });
    });

    it("one of 20 concurrent callers claims an idempotency key", async (store) => {
      const outcomes = await allAtOnce(20, (index) => store.claimKey(aClaim({ claimId: `claim-${index}` }), NOW));
      assert.equal(outcomes.filter(({ kind }) => kind === "claimed").length, 1);
      assert.equal(outcomes.filter(({ kind }) => kind === "in-flight").length, 19);
    });

    it("one of 20 concurrent callers takes over a lapsed idempotency key", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const outcomes = await allAtOnce(20, (index) =>
        store.claimKey(aClaim({ claimId: `late-${index}`, leaseUntil: LAPSED + MINUTE_MS }), LAPSED),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === "claimed").length, 1);
    });

    it("the winner of a race for a claim completes it by its idempotency record", async (store) => {
      const outcomes = await allAtOnce(10, (index) => store.claimKey(aClaim({ claimId: `claim-${index}` }), NOW));
      const winner = outcomes.findIndex(({ kind }) => kind === "claimed");
      const completions = await allAtOnce(10, (index) =>
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: String(10 + index) }), {
            completes: anIdempotencyRecord({ claimId: `claim-${index}` }),
          }),
        ),
      );
      assert.deepEqual(
        completions.map((outcome, index) => (outcome === "written" ? index : -1)).filter((index) => index >= 0),
        [winner],
      );
    });

    it("claims of different idempotency keys are independent", async (store) => {
      await store.claimKey(aClaim(), NOW);
      for (const key of ["client-key-2", "CLIENT-KEY", "client-ke", "client%", ""]) {
        assert.deepEqual(await store.claimKey(aClaim({ key, claimId: "claim-2" }), NOW), { kind: "claimed" }, key);
      }
    });

    it("claims of different businesses are independent", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.deepEqual(await store.claimKey(aClaim({ businessId: "2" }), NOW), { kind: "claimed" });
    });
  });
}

function lookUpCases({ describe, it }: Suite): void {
  describe("looking for what a claim has left", () => {
    it("finds a completed idempotency record until it expires", async (store) => {
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", NOW), null);
      await complete(store);
      const { kind: _, ...left } = COMPLETED;
      assert.deepEqual(await store.findCompletedClaim(BUSINESS, "client-key", NOW), left);
      assert.deepEqual(await store.findCompletedClaim(BUSINESS, "client-key", aClaim().expiresAt - 1), left);
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", aClaim().expiresAt), null);
    });

    it("finds nothing while a claim is under way, and claims nothing", async (store) => {
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", NOW), null);
      assert.deepEqual(await store.claimKey(aClaim(), NOW), { kind: "claimed" });
      assert.equal(await store.findCompletedClaim(BUSINESS, "client-key", NOW), null);
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord() })),
        "written",
      );
    });

    it("finds idempotency records of the business and the key alone", async (store) => {
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
    it("releasing a claim frees the idempotency key for the next request", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "claimed" });
    });

    it("releases no claim that was taken over", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.claimKey(aClaim({ claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS }), LAPSED);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-3" }), LAPSED), { kind: "in-flight" });
    });

    it("releases no claim that was completed", async (store) => {
      await complete(store);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("releases no claim of another business", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.releaseClaim("2", "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "in-flight" });
    });

    it("releasing an unknown claim does nothing", async (store) => {
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
      assert.deepEqual(await store.claimKey(aClaim(), NOW), { kind: "claimed" });
    });
  });
}

function pruneCases({ describe, it }: Suite): void {
  describe("pruning claims", () => {
    it("prunes at most as many claims as requested and returns how many", async (store) => {
      for (const key of ["a", "b", "c", "d", "e"]) await store.claimKey(aClaim({ key }), NOW);
      const counts = [];
      for (let round = 0; round < 4; round += 1) counts.push(await store.pruneClaims(EXPIRED, 2));
      assert.deepEqual(counts, [2, 2, 1, 0]);
    });

    it("prunes no claim that has not expired", async (store) => {
      await complete(store);
      assert.equal(await store.pruneClaims(EXPIRED - 2, 10), 0);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("prunes no claim whose lease alone has lapsed", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.equal(await store.pruneClaims(LAPSED, 10), 0);
    });

    it("prunes completed idempotency records that have expired", async (store) => {
      await complete(store);
      assert.equal(await store.pruneClaims(EXPIRED, 10), 1);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "claimed" });
    });

    it("prunes the claims of all businesses", async (store) => {
      await store.claimKey(aClaim({ businessId: "1" }), NOW);
      await store.claimKey(aClaim({ businessId: "2" }), NOW);
      assert.equal(await store.pruneClaims(EXPIRED, 10), 2);
    });

    it("pruning claims leaves the budgets that were written with them", async (store) => {
      await complete(store);
      await store.pruneClaims(EXPIRED, 10);
      assert.notEqual(await store.findBudget(BUSINESS, "10"), null);
    });
  });
}
