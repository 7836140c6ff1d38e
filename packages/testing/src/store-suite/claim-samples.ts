import assert from "node:assert/strict";
import { HOUR_MS, insertBudgetCommit, insertKeyCommit, MINUTE_MS, type Store } from "@budgetkit/core/store";
import { aBudget, aClaim, anApiKey, anIdempotencyRecord, FIXTURE_TIME as NOW } from "../fixtures.js";
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

/** Ways in which `claim-1` may no longer hold a key when its commit comes. */
export const LOSSES: readonly { readonly name: string; lose(store: Store, key: string): Promise<unknown> }[] = [
  {
    name: "whose claim was taken over",
    lose: async (store, key) => {
      await store.claimKey(aClaim({ key }), NOW);
      await store.claimKey(aClaim({ key, claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS }), LAPSED);
    },
  },
  {
    name: "whose claim was completed already",
    lose: async (store, key) => {
      await store.claimKey(aClaim({ key }), NOW);
      const completes = anIdempotencyRecord({ key, response: "earlier" });
      assert.equal(await outcomeOf(store, { ...insertKeyCommit(anApiKey({ id: "999" })), completes }), "written");
    },
  },
  {
    name: "whose claim was released",
    lose: async (store, key) => {
      await store.claimKey(aClaim({ key }), NOW);
      await store.releaseClaim("1", key, "claim-1");
    },
  },
  { name: "that was never claimed", lose: async () => undefined },
  {
    name: "whose key another business claimed",
    lose: (store, key) => store.claimKey(aClaim({ businessId: "2", key }), NOW),
  },
  {
    name: "whose record was pruned",
    lose: async (store, key) => {
      await store.claimKey(aClaim({ key, leaseUntil: NOW - 9, expiresAt: NOW - 8 }), NOW - 10);
      assert.equal(await store.pruneClaims(NOW, 10), 1);
    },
  },
];
