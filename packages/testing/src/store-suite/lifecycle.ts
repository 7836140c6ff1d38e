import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
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
  "adding a budget": (store) => store.insertBudget(aBudget(), [], null),
  "replacing a budget": (store) => store.replaceBudget(aBudget({ version: 2 }), 1, [], null),
  "reading a budget": (store) => store.findBudget("1", "10"),
  "listing budgets": (store) => store.listBudgets("1", aBudgetQuery()),
  "recording a payment": (store) => store.recordPayment(aPayment(), aBudget({ version: 2 }), 1, [], null),
  "listing payments": (store) => store.listPayments("1", "10", 10, 0),
  "counting a view": (store) => store.countView({ businessId: "1", budgetId: "10", channel: "link", at: NOW }, 1, []),
  "listing views": (store) => store.listLinkViews("1", "10"),
  "looking for overdue budgets": (store) => store.findAllOverdueBudgets(NOW, 10),
  "listing events": (store) => store.listEvents("1", anEventQuery()),
  "asking about events": (store) => store.placesOfEvents([anEvent()]),
  "claiming a key": (store) => store.claimKey(aClaim(), NOW),
  "looking for what a key has left": (store) => store.findCompletedClaim("1", "client-key", NOW),
  "pruning claims": (store) => store.pruneClaims(NOW, 10),
  "adding a business": (store) => store.insertBusiness(aBusiness()),
  "adding a user": (store) => store.insertUser(aUser()),
  "adding a session": (store) => store.insertSession(aSession(), aUser().passwordHash),
  "pruning sessions": (store) => store.pruneSessions(NOW, 10),
  "looking an API key up": (store) => store.findKeyByHash("hash"),
  "adding an API key": (store) => store.insertKey(anApiKey(), null),
  "adding a customer": (store) => store.insertCustomer(aCustomer(), [], null),
  "replacing a product": (store) => store.replaceProduct(aProduct({ version: 2 }), 1, [], null),
  "listing packages": (store) => store.listPackages("1", aCatalogQuery()),
  "finding what budgets show of products": (store) =>
    store.findProductSummaries("1", [{ productId: "700", variantId: null }]),
  "finding products": (store) => store.findProducts("1", ["700"]),
  "asking for admission": (store) => store.consume("key:1:20", [{ lengthMs: 1_000, limit: 1 }], NOW),
  "adding a webhook endpoint": (store) => store.insertEndpoint(anEndpoint()),
  "adding an integration": (store) => store.insertIntegration(anIntegration()),
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
  "adding an audit entry": (store) => store.appendAudit(anAuditEntry()),
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
      await store.insertBudget(aBudget(), [anEvent()], null);
      await store.migrate();
      assert.deepEqual(await store.findBudget("1", "10"), aBudget());
      assert.equal((await store.listEvents("1", anEventQuery())).total, 1);
    });

    it("migrating several times at once is harmless", async (store) => {
      await allAtOnce(8, () => store.migrate());
      assert.equal(await store.insertBudget(aBudget(), [], null), "written");
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
      const commits = allAtOnce(50, (index) => store.insertBudget(aBudget({ id: String(100 + index) }), [], null));
      await store.close();
      assert.equal(countOf(await commits, "written"), 50);
    });

    itDurably("a closed store has kept the commits that were under way", async (store, reopen) => {
      const commits = allAtOnce(50, (index) => store.insertBudget(aBudget({ id: String(100 + index) }), [], null));
      const again = await reopen();
      await commits;
      assert.equal((await again.listBudgets("1", aBudgetQuery())).total, 50);
    });
  });
}

function durabilityCases({ describe, itDurably, persists }: Suite): void {
  if (!persists) return;
  describe("what was acknowledged is there after the store was reopened", () => {
    itDurably("budgets and their events are there after the store was reopened", async (store, reopen) => {
      await store.insertBudget(aBudget(), [anEvent({ id: "90" })], null);
      await store.replaceBudget(aBudget({ version: 2, notes: "kept" }), 1, [anEvent({ id: "91" })], null);
      const before = await store.listEvents("1", anEventQuery());
      const again = await reopen();
      assert.deepEqual(await again.findBudget("1", "10"), aBudget({ version: 2, notes: "kept" }));
      assert.deepEqual(await again.listEvents("1", anEventQuery()), before);
      assert.equal(await again.replaceBudget(aBudget({ version: 2 }), 1, [], null), "stale");
    });

    itDurably("the sequence of events ascends after the store was reopened", async (store, reopen) => {
      await store.insertBudget(aBudget({ id: "10" }), [anEvent({ id: "90" })], null);
      const again = await reopen();
      await again.insertBudget(aBudget({ id: "11" }), [anEvent({ id: "91" })], null);
      const [newer, older] = (await again.listEvents("1", anEventQuery())).entries;
      assert.deepEqual([newer?.id, older?.id], ["91", "90"]);
      assert.ok((newer?.sequence ?? 0) > (older?.sequence ?? 0));
    });

    itDurably("claims and recorded responses are there after the store was reopened", async (store, reopen) => {
      await store.claimKey(aClaim({ key: "open" }), NOW);
      await store.claimKey(aClaim(), NOW);
      await store.insertBudget(aBudget(), [], anIdempotencyRecord());
      const again = await reopen();
      assert.deepEqual(await again.claimKey(aClaim({ key: "open", claimId: "claim-2" }), NOW), { kind: "in-flight" });
      assert.deepEqual(await again.claimKey(aClaim({ claimId: "claim-2" }), NOW), {
        kind: "completed",
        fingerprint: "fingerprint-1",
        response: "sealed-response",
      });
    });

    itDurably("a revocation is there after the store was reopened", async (store, reopen) => {
      await store.insertBusiness(aBusiness());
      await store.insertKey(anApiKey(), null);
      await store.replaceKey(anApiKey({ version: 2, status: "REVOKED", revokedAt: NOW }), 1);
      const again = await reopen();
      assert.equal((await again.findKeyByHash(anApiKey().keyHash))?.status, "REVOKED");
    });

    itDurably("businesses, users and sessions are there after the store was reopened", async (store, reopen) => {
      await store.insertBusiness(aBusiness());
      await store.setBusinessTier("1", "PREMIUM");
      await store.insertUser(aUser());
      await store.insertSession(aSession(), aUser().passwordHash);
      await store.endSession("1", "40", NOW);
      const again = await reopen();
      assert.equal((await again.findBusiness("1"))?.tier, "PREMIUM");
      assert.deepEqual(await again.findUserByEmail("ana@example.com"), aUser());
      assert.equal(await again.insertUser(aUser({ id: "31" })), "taken");
      assert.deepEqual(await again.findSession("1", "40"), aSession({ endedAt: NOW }));
    });

    itDurably("the catalog is there after the store was reopened", async (store, reopen) => {
      await store.insertCustomer(aCustomer(), [], null);
      await store.insertProduct(aProduct({ sku: "OAK-1" }), [], null);
      await store.insertPackage(aPackage(), [], null);
      await store.replaceCustomer(aCustomer({ version: 2, name: "Bruno Díaz" }), 1, [], null);
      const again = await reopen();
      assert.deepEqual(await again.findCustomer("1", "500"), aCustomer({ version: 2, name: "Bruno Díaz" }));
      assert.deepEqual(await again.findProducts("1", ["700"]), [aProduct({ sku: "OAK-1" })]);
      assert.deepEqual(await again.findPackages("1", ["800"]), [aPackage()]);
      const rival = aProduct({ id: "701", sku: "OAK-1" });
      assert.deepEqual(await again.insertProduct(rival, [], null), { taken: "sku", value: "OAK-1" });
    });
  });
}
