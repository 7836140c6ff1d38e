import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import { insertBudgetCommit } from "@budgetkit/core/store";
import { aCatalogQuery } from "../catalog-fixtures.js";
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
import { aUsageRow } from "../usage-fixtures.js";
import { aDeliveryQuery } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { aDueClaim, aSettlement } from "./webhook-samples.js";

/** A call of each port, named by what it does. */
const CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "counting what to migrate": (store) => store.pendingMigrations(),
  "reserving ids": (store) => store.reserveIds("1", 1),
  "reserving the id of a business": (store) => store.reserveBusinessId(),
  "reading a budget": (store) => store.findBudget("1", "10"),
  "listing budgets": (store) => store.listBudgets("1", aBudgetQuery()),
  "listing payments": (store) => store.listPayments("1", "10", 10, 0),
  "listing messages": (store) => store.listMessages("1", "10", 10, 0),
  "listing views": (store) => store.listLinkViews("1", "10"),
  "listing kept views": (store) => store.listViewings("1", "10", 10, 0),
  "summing views": (store) => store.sumViews("1", ["10"]),
  "looking for overdue budgets": (store) => store.findAllOverdueBudgets(NOW, 10),
  "listing events": (store) => store.listEvents("1", anEventQuery()),
  "asking about events": (store) => store.placesOfEvents([anEvent()]),
  "claiming a key": (store) => store.claimKey(aClaim(), NOW),
  "looking for what a key has left": (store) => store.findCompletedClaim("1", "client-key", NOW),
  "pruning claims": (store) => store.pruneClaims(NOW, 10),
  "pruning sessions": (store) => store.pruneSessions(NOW, 10),
  "looking an API key up": (store) => store.findKeyByHash("hash"),
  "listing packages": (store) => store.listRecords("package", "1", aCatalogQuery()),
  "finding what budgets show of products": (store) =>
    store.findProductSummaries("1", [{ productId: "700", variantId: null }]),
  "finding products": (store) => store.findRecords("product", "1", ["700"]),
  "asking for admission": (store) => store.consume("key:1:20", [{ lengthMs: 1_000, limit: 1 }], NOW),
  "listing integrations": (store) => store.listIntegrations("1", 10, 0),
  "looking for subscribers": (store) => store.findSubscribers("1"),
  "looking for events to fan out": (store) => store.findUndispatchedEvents(10),
  "claiming deliveries": (store) => store.claimDue(aDueClaim()),
  "settling a delivery": (store) => store.settle(aSettlement()),
  "asking what is due": (store) => store.nextDueAt(),
  "listing deliveries": (store) => store.listDeliveries("1", aDeliveryQuery()),
  "reading the bounds of a ledger": (store) => store.findLedgerBounds("1"),
  "looking for aged ledgers": (store) => store.findAgedLedgers(NOW, 10, []),
  "looking for unsigned beginnings": (store) => store.findUnsignedBeginnings(10),
  "signing a beginning": (store) => store.signBeginning("1", 1, "signed", null),
  "pruning deliveries": (store) => store.pruneDeliveries(NOW, 10),
  "asking what a window counts": (store) => store.countConsumed("key:1:20", 1_000, NOW),
  "clearing secrets": (store) => store.clearReplacedSecrets(NOW, 10),
  "adding usage": (store) => store.addUsage([aUsageRow()]),
  "reading usage": (store) => store.sumUsage("1", "20", [{ grain: "day", from: 0, until: NOW }]),
  "pruning usage": (store) => store.pruneUsage({ minute: 1, hour: 1, day: 1, "hour-total": 1 }, 10),
  "summing budgets": (store) => store.sumBudgets("1", NOW),
  "counting keys": (store) => store.countKeys("1", NOW, NOW),
  "counting deliveries": (store) => store.countDeliveries("1", NOW),
  "pruning windows": (store) => store.pruneWindows(NOW, 10),
};

export function lifecycleCases(suite: Suite): void {
  migrateCases(suite);
  closeCases(suite);
  durabilityCases(suite);
}

function migrateCases({ describe, it }: Suite): void {
  describe("migrating a store", () => {
    it("migrating a second time changes nothing", async (store) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
      await store.migrate();
      assert.deepEqual(await store.findBudget("1", "10"), aBudget());
      assert.equal((await store.listEvents("1", anEventQuery())).total, 1);
    });

    it("migrating several times at once is harmless", async (store) => {
      await allAtOnce(8, () => store.migrate());
      assert.equal(await outcomeOf(store, insertBudgetCommit(aBudget())), "written");
    });

    it("a migrated store is ready and empty, with no step to apply", async (store) => {
      assert.equal(await store.pendingMigrations(), 0);
      assert.equal(await store.findOutage(), null);
      assert.equal(await store.hasUsers(), false);
      assert.deepEqual(await store.findAllOverdueBudgets(NOW, 10), []);
    });
  });
}

function closeCases({ describe, it, itAlone, itDurably }: Suite): void {
  describe("a store that is closed", () => {
    itAlone("a closed store is not ready, and returns why without throwing", async (store) => {
      await store.close();
      assert.match(String(await store.findOutage()), /closed/);
    });

    itAlone("closes a store twice", async (store) => {
      await store.close();
      await store.close();
      assert.match(String(await store.findOutage()), /closed/);
    });

    for (const [name, call] of Object.entries(CALLS)) {
      it(`a closed store rejects ${name}`, async (store) => {
        await store.close();
        await assert.rejects(async () => call(store));
      });
    }

    itAlone("closing a store finishes the commits under way", async (store) => {
      const commits = allAtOnce(50, (index) =>
        outcomeOf(store, insertBudgetCommit(aBudget({ id: String(100 + index) }))),
      );
      await store.close();
      assert.equal(countOf(await commits, "written"), 50);
    });

    itDurably("a closed store has kept the commits that were under way", async (store, reopen) => {
      const commits = allAtOnce(50, (index) =>
        outcomeOf(store, insertBudgetCommit(aBudget({ id: String(100 + index) }))),
      );
      const again = await reopen();
      await commits;
      assert.equal((await again.listBudgets("1", aBudgetQuery())).total, 50);
    });
  });
}

function durabilityCases({ describe, itDurably, persists }: Suite): void {
  if (!persists) return;
  describe("what was acknowledged is there after the store was reopened", () => {
    itDurably("the sequence of events ascends after the store was reopened", async (store, reopen) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "10" }), { events: [anEvent({ id: "90" })] }));
      const again = await reopen();
      await again.commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "91" })] }));
      const [newer, older] = (await again.listEvents("1", anEventQuery())).entries;
      assert.deepEqual([newer?.id, older?.id], ["91", "90"]);
      assert.ok((newer?.sequence ?? 0) > (older?.sequence ?? 0));
    });

    itDurably("claims and recorded responses are there after the store was reopened", async (store, reopen) => {
      await store.claimKey(aClaim({ key: "open" }), NOW);
      await store.claimKey(aClaim(), NOW);
      await store.commit(insertBudgetCommit(aBudget(), { completes: anIdempotencyRecord() }));
      const again = await reopen();
      assert.deepEqual(await again.claimKey(aClaim({ key: "open", claimId: "claim-2" }), NOW), { kind: "in-flight" });
      assert.deepEqual(await again.claimKey(aClaim({ claimId: "claim-2" }), NOW), {
        kind: "completed",
        fingerprint: "fingerprint-1",
        response: "sealed-response",
      });
    });
  });
}
