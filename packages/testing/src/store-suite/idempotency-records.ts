import assert from "node:assert/strict";
import { HOUR_MS, insertBudgetCommit, MINUTE_MS } from "@budgetkit/core/store";
import {
  aBudget,
  aBudgetQuery,
  aClaim,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { COMPLETED, complete, EXPIRED, LAPSED, LOSSES } from "./claim-samples.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";

export function idempotencyRecordCases(suite: Suite): void {
  keptCases(suite);
  lostCases(suite);
}

function keptCases({ describe, it }: Suite): void {
  describe("an idempotency record that is committed", () => {
    it("an idempotency record answers the same request with the same response", async (store) => {
      await complete(store);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("an idempotency record reports to another request that the key belongs to the first", async (store) => {
      await complete(store);
      const other = aClaim({ claimId: "claim-2", fingerprint: "fingerprint-2" });
      assert.deepEqual(await store.claimKey(other, NOW), COMPLETED);
    });

    it("an idempotency record still answers after the lease", async (store) => {
      await complete(store);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), LAPSED), COMPLETED);
    });

    it("an idempotency record answers until it expires", async (store) => {
      await complete(store);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), EXPIRED - 2), COMPLETED);
    });

    it("an expired idempotency record counts as absent", async (store) => {
      await complete(store);
      const later = aClaim({ claimId: "claim-2", leaseUntil: EXPIRED + MINUTE_MS, expiresAt: EXPIRED + HOUR_MS });
      assert.deepEqual(await store.claimKey(later, EXPIRED), { kind: "claimed" });
      assert.deepEqual(await store.claimKey(later, EXPIRED), { kind: "in-flight" });
    });

    it("completes a claim whose lease has lapsed, unless another claim took it over", async (store) => {
      await store.claimKey(aClaim({ leaseUntil: NOW - 1 }), NOW - MINUTE_MS);
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord() })),
        "written",
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("an idempotency record keeps a long response of any characters unchanged", async (store) => {
      const response = `${"ab\u001f\\\"'%😀\n".repeat(5_000)}end`;
      await store.claimKey(aClaim(), NOW);
      await store.commit(insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord({ response }) }));
      const replay = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.deepEqual(replay, { kind: "completed", fingerprint: "fingerprint-1", response });
    });

    it("an idempotency record keeps an empty response", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.commit(insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord({ response: "" }) }));
      const replay = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.deepEqual(replay, { kind: "completed", fingerprint: "fingerprint-1", response: "" });
    });

    it("writes an idempotency record for one of 10 commits with the same one", async (store) => {
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

function lostCases({ describe, it }: Suite): void {
  describe("an idempotency record whose claim is lost", () => {
    for (const { name, lose } of LOSSES) {
      it(`a lost claim (${name}) keeps no other concurrent budget from being added`, async (store) => {
        await lose(store, "client-key");
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
    }

    it("a lost claim leaves the newer claim to its holder", async (store) => {
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

    it("a lost claim leaves the response of the first commit in place", async (store) => {
      await complete(store);
      await store.commit(
        insertBudgetCommit(aBudget({ id: "11" }), { completes: anIdempotencyRecord({ response: "another" }) }),
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });
  });
}
