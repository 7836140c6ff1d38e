import assert from "node:assert/strict";
import { HOUR_MS, MINUTE_MS } from "../../kernel/clock.js";
import type { Store } from "../../store.js";
import {
  aBudget,
  aBudgetQuery,
  aClaim,
  anApiKey,
  anEvent,
  anEventQuery,
  aReceipt,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";
const LAPSED = NOW + MINUTE_MS + 1;
const EXPIRED = NOW + 24 * HOUR_MS + 1;
const COMPLETED = { kind: "completed", fingerprint: "fingerprint-1", response: "sealed-response" };

export function idempotencyCases(suite: Suite): void {
  claimCases(suite);
  releaseCases(suite);
  receiptCases(suite);
  lostReceiptCases(suite);
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
        store.insertBudget(aBudget({ id: String(10 + index) }), [], aReceipt({ claimId: `claim-${index}` })),
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

function receiptCases({ describe, it }: Suite): void {
  describe("a receipt that is committed", () => {
    it("answers the same request with the same response", async (store) => {
      await complete(store);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("tells another request that the key stands for the first one", async (store) => {
      await complete(store);
      const other = aClaim({ claimId: "claim-2", fingerprint: "fingerprint-2" });
      assert.deepEqual(await store.claimKey(other, NOW), COMPLETED);
    });

    it("goes on answering after the lease", async (store) => {
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

    it("may complete a claim whose lease has lapsed while nobody has taken it over", async (store) => {
      await store.claimKey(aClaim({ leaseUntil: NOW - 1 }), NOW - MINUTE_MS);
      assert.equal(await store.insertBudget(aBudget(), [], aReceipt()), "written");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("goes with the replacement of a budget", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      await store.claimKey(aClaim(), NOW);
      assert.equal(await store.replaceBudget(aBudget({ version: 2 }), 1, [], aReceipt()), "written");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("goes with the creation of a key", async (store) => {
      await store.claimKey(aClaim(), NOW);
      assert.equal(await store.insertKey(anApiKey(), aReceipt()), "written");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    it("keeps a long response of any characters as it is", async (store) => {
      const response = `${"ab\u001f\\\"'%😀\n".repeat(5_000)}end`;
      await store.claimKey(aClaim(), NOW);
      await store.insertBudget(aBudget(), [], aReceipt({ response }));
      const replay = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.deepEqual(replay, { kind: "completed", fingerprint: "fingerprint-1", response });
    });

    it("keeps an empty response", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.insertBudget(aBudget(), [], aReceipt({ response: "" }));
      const replay = await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
      assert.deepEqual(replay, { kind: "completed", fingerprint: "fingerprint-1", response: "" });
    });

    it("is written for one of 10 commits that carry the same one", async (store) => {
      await store.claimKey(aClaim(), NOW);
      const outcomes = await allAtOnce(10, (index) =>
        store.insertBudget(aBudget({ id: String(10 + index) }), [anEvent({ id: String(90 + index) })], aReceipt()),
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
      await store.insertKey(anApiKey({ id: "999" }), aReceipt({ response: "earlier" }));
    },
  },
  {
    name: "whose claim was released",
    lose: async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.releaseClaim(BUSINESS, "client-key", "claim-1");
    },
  },
  { name: "that nobody claimed", lose: async () => undefined },
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
        assert.equal(await store.insertBudget(aBudget(), [anEvent()], aReceipt()), "receipt-lost");
        assert.equal(await store.findBudget(BUSINESS, "10"), null);
        assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 0);
        assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 0);
      });

      it(`(${name}) leaves the stored budget as it was`, async (store) => {
        await store.insertBudget(aBudget(), [], null);
        await lose(store);
        const next = aBudget({ version: 2, status: "APPROVED" });
        assert.equal(await store.replaceBudget(next, 1, [anEvent()], aReceipt()), "receipt-lost");
        assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget());
        assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery({ status: "APPROVED" }))).total, 0);
        assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 0);
      });

      it(`(${name}) leaves no key`, async (store) => {
        await lose(store);
        assert.equal(await store.insertKey(anApiKey(), aReceipt()), "receipt-lost");
        assert.equal(await store.findKey(BUSINESS, "20"), null);
        assert.equal(await store.findKeyByHash(anApiKey().keyHash), null);
      });
    }

    it("leaves the claim of whoever took over to be completed", async (store) => {
      await store.claimKey(aClaim(), NOW);
      await store.claimKey(aClaim({ claimId: "claim-2", leaseUntil: LAPSED + MINUTE_MS }), LAPSED);
      await store.insertBudget(aBudget(), [], aReceipt());
      assert.equal(await store.insertBudget(aBudget(), [], aReceipt({ claimId: "claim-2" })), "written");
    });

    it("leaves the response of the first commit in place", async (store) => {
      await complete(store);
      await store.insertBudget(aBudget({ id: "11" }), [], aReceipt({ response: "another" }));
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
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

/** Claims the key and completes it with the creation of a budget. */
async function complete(store: Store): Promise<void> {
  await store.claimKey(aClaim(), NOW);
  assert.equal(await store.insertBudget(aBudget(), [], aReceipt()), "written");
}
