import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import {
  auditCommit,
  countViewCommit,
  endSessionCommit,
  insertBudgetCommit,
  insertBusinessCommit,
  insertEndpointCommit,
  insertIntegrationCommit,
  insertKeyCommit,
  insertUserCommit,
  openSessionCommit,
  recordCommit,
  recordPaymentCommit,
  replaceBudgetCommit,
  replaceKeyCommit,
  setTierCommit,
} from "@budgetkit/core/store";
import { aCatalogQuery, aCustomer, aPackage, aProduct } from "../catalog-fixtures.js";
import {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aClaim,
  anApiKey,
  anAuditEntry,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  aSession,
  aUser,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { aPayment } from "../payment-fixtures.js";
import { aUsageRow } from "../usage-fixtures.js";
import { aDeliveryQuery, anEndpoint } from "../webhook-fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { aDueClaim, aSettlement } from "./webhook-samples.js";

/** A call of each port, named by what it does. */
const CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "counting what to migrate": (store) => store.pendingMigrations(),
  "reserving ids": (store) => store.reserveIds("1", 1),
  "reserving the id of a business": (store) => store.reserveBusinessId(),
  "adding a budget": (store) => outcomeOf(store, insertBudgetCommit(aBudget())),
  "replacing a budget": (store) => outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2 }), 1)),
  "reading a budget": (store) => store.findBudget("1", "10"),
  "listing budgets": (store) => store.listBudgets("1", aBudgetQuery()),
  "recording a payment": (store) => outcomeOf(store, recordPaymentCommit(aPayment(), aBudget({ version: 2 }), 1)),
  "listing payments": (store) => store.listPayments("1", "10", 10, 0),
  "counting a view": (store) =>
    store.commit(countViewCommit({ businessId: "1", budgetId: "10", channel: "link", at: NOW }, 1, true)),
  "listing views": (store) => store.listLinkViews("1", "10"),
  "looking for overdue budgets": (store) => store.findAllOverdueBudgets(NOW, 10),
  "listing events": (store) => store.listEvents("1", anEventQuery()),
  "asking about events": (store) => store.placesOfEvents([anEvent()]),
  "claiming a key": (store) => store.claimKey(aClaim(), NOW),
  "looking for what a key has left": (store) => store.findCompletedClaim("1", "client-key", NOW),
  "pruning claims": (store) => store.pruneClaims(NOW, 10),
  "adding a business": (store) => outcomeOf(store, insertBusinessCommit(aBusiness())),
  "adding a user": (store) => outcomeOf(store, insertUserCommit(aUser())),
  "adding a session": (store) => outcomeOf(store, openSessionCommit(aSession(), aUser().passwordHash)),
  "pruning sessions": (store) => store.pruneSessions(NOW, 10),
  "looking an API key up": (store) => store.findKeyByHash("hash"),
  "adding an API key": (store) => outcomeOf(store, insertKeyCommit(anApiKey())),
  "adding a customer": (store) => outcomeOf(store, recordCommit("customer", aCustomer(), "absent")),
  "replacing a product": (store) => outcomeOf(store, recordCommit("product", aProduct({ version: 2 }), 1)),
  "listing packages": (store) => store.listRecords("package", "1", aCatalogQuery()),
  "finding what budgets show of products": (store) =>
    store.findProductSummaries("1", [{ productId: "700", variantId: null }]),
  "finding products": (store) => store.findRecords("product", "1", ["700"]),
  "asking for admission": (store) => store.consume("key:1:20", [{ lengthMs: 1_000, limit: 1 }], NOW),
  "adding a webhook endpoint": (store) => outcomeOf(store, insertEndpointCommit(anEndpoint())),
  "adding an integration": (store) => outcomeOf(store, insertIntegrationCommit(anIntegration())),
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
  "adding an audit entry": (store) => outcomeOf(store, auditCommit(anAuditEntry())),
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
    it("a second time changes nothing", async (store) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
      await store.migrate();
      assert.deepEqual(await store.findBudget("1", "10"), aBudget());
      assert.equal((await store.listEvents("1", anEventQuery())).total, 1);
    });

    it("several times at once is harmless", async (store) => {
      await allAtOnce(8, () => store.migrate());
      assert.equal(await outcomeOf(store, insertBudgetCommit(aBudget())), "written");
    });

    it("leaves it ready and empty, with no step to apply", async (store) => {
      assert.equal(await store.pendingMigrations(), 0);
      assert.equal(await store.findOutage(), null);
      assert.equal(await store.hasUsers(), false);
      assert.deepEqual(await store.findAllOverdueBudgets(NOW, 10), []);
    });
  });
}

function closeCases({ describe, it, itAlone, itDurably }: Suite): void {
  describe("a store that is closed", () => {
    itAlone("is not ready, and says so without throwing", async (store) => {
      await store.close();
      assert.match(String(await store.findOutage()), /closed/);
    });

    itAlone("may be closed again", async (store) => {
      await store.close();
      await store.close();
      assert.match(String(await store.findOutage()), /closed/);
    });

    for (const [name, call] of Object.entries(CALLS)) {
      it(`rejects ${name}`, async (store) => {
        await store.close();
        await assert.rejects(async () => call(store));
      });
    }

    itAlone("has finished the commits that were under way", async (store) => {
      const commits = allAtOnce(50, (index) =>
        outcomeOf(store, insertBudgetCommit(aBudget({ id: String(100 + index) }))),
      );
      await store.close();
      assert.equal(countOf(await commits, "written"), 50);
    });

    itDurably("has kept the commits that were under way", async (store, reopen) => {
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
    itDurably("budgets and their events", async (store, reopen) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ id: "90" })] }));
      await store.commit(
        replaceBudgetCommit(aBudget({ version: 2, notes: "kept" }), 1, { events: [anEvent({ id: "91" })] }),
      );
      const before = await store.listEvents("1", anEventQuery());
      const again = await reopen();
      assert.deepEqual(await again.findBudget("1", "10"), aBudget({ version: 2, notes: "kept" }));
      assert.deepEqual(await again.listEvents("1", anEventQuery()), before);
      assert.equal(await outcomeOf(again, replaceBudgetCommit(aBudget({ version: 2 }), 1)), "stale");
    });

    itDurably("the sequence of events, which continues to ascend", async (store, reopen) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "10" }), { events: [anEvent({ id: "90" })] }));
      const again = await reopen();
      await again.commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "91" })] }));
      const [newer, older] = (await again.listEvents("1", anEventQuery())).entries;
      assert.deepEqual([newer?.id, older?.id], ["91", "90"]);
      assert.ok((newer?.sequence ?? 0) > (older?.sequence ?? 0));
    });

    itDurably("claims under way and responses to replay", async (store, reopen) => {
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

    itDurably("a revocation", async (store, reopen) => {
      await store.commit(insertBusinessCommit(aBusiness()));
      await store.commit(insertKeyCommit(anApiKey()));
      await store.commit(replaceKeyCommit(anApiKey({ version: 2, status: "REVOKED", revokedAt: NOW }), 1));
      const again = await reopen();
      assert.equal((await again.findKeyByHash(anApiKey().keyHash))?.status, "REVOKED");
    });

    itDurably("businesses, users and sessions", async (store, reopen) => {
      await store.commit(insertBusinessCommit(aBusiness()));
      await store.commit(setTierCommit("1", "PREMIUM"));
      await store.commit(insertUserCommit(aUser()));
      await store.commit(openSessionCommit(aSession(), aUser().passwordHash));
      await store.commit(endSessionCommit("1", "40", NOW));
      const again = await reopen();
      assert.equal((await again.findBusiness("1"))?.tier, "PREMIUM");
      assert.deepEqual(await again.findUserByEmail("ana@example.com"), aUser());
      assert.deepEqual(await outcomeOf(again, insertUserCommit(aUser({ id: "31" }))), {
        taken: "email",
        value: "ana@example.com",
      });
      assert.deepEqual(await again.findSession("1", "40"), aSession({ endedAt: NOW }));
    });

    itDurably("the catalog", async (store, reopen) => {
      await store.commit(recordCommit("customer", aCustomer(), "absent"));
      await store.commit(recordCommit("product", aProduct({ sku: "OAK-1" }), "absent"));
      await store.commit(recordCommit("package", aPackage(), "absent"));
      await store.commit(recordCommit("customer", aCustomer({ version: 2, name: "Bruno Díaz" }), 1));
      const again = await reopen();
      assert.deepEqual(await again.findRecord("customer", "1", "500"), aCustomer({ version: 2, name: "Bruno Díaz" }));
      assert.deepEqual(await again.findRecords("product", "1", ["700"]), [aProduct({ sku: "OAK-1" })]);
      assert.deepEqual(await again.findRecords("package", "1", ["800"]), [aPackage()]);
      const rival = aProduct({ id: "701", sku: "OAK-1" });
      assert.deepEqual(await outcomeOf(again, recordCommit("product", rival, "absent")), {
        taken: "sku",
        value: "OAK-1",
      });
    });
  });
}
