import assert from "node:assert/strict";
import { HOUR_MS, insertBudgetCommit, MINUTE_MS, type Store } from "@budgetkit/core/store";
import { aBudget, aClaim, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";

/** A moment at which the lease of `aClaim` has lapsed. */
export const LAPSED = NOW + MINUTE_MS + 1;

/** A moment at which the record of `aClaim` has expired. */
export const EXPIRED = NOW + 24 * HOUR_MS + 1;

/** What claims are answered once {@link complete} has been called. */
export const COMPLETED = { kind: "completed", fingerprint: "fingerprint-1", response: "sealed-response" };

/** Claims the key and completes it with the creation of a budget. */
export async function complete(store: Store): Promise<void> {
  await store.claimKey(aClaim(), NOW);
  assert.equal(await outcomeOf(store, insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord() })), "written");
}
