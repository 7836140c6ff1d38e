import assert from "node:assert/strict";
import type { AuditEntry, Redelivery, Store } from "@budgetkit/core/store";
import { aPackage } from "../catalog-fixtures.js";
import {
  aBudget,
  aBusiness,
  anApiKey,
  anAuditEntry,
  anEventQuery,
  aSession,
  aUser,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";
import { addFinished, endpoint, subscribe } from "./webhook-samples.js";

/** A write that commits with an audit entry: one that succeeds, and those that must leave no entry. */
interface AuditedWrite {
  readonly name: string;
  prepare(store: Store): Promise<unknown>;
  write(store: Store, audit: AuditEntry): Promise<unknown>;
  readonly written: unknown; // the outcome of a success
  /** Each returns another outcome than a success, or rejects. */
  readonly refused: readonly ((store: Store, audit: AuditEntry) => Promise<unknown>)[];
}

const CALLBACKS = { status: "ACTIVE", webhookUrl: "https://a.example/" } as const;
const LOST = { businessId: "1", key: "client-key", claimId: "claim-1", response: "sealed" };

const writes: readonly AuditedWrite[] = [
  {
    name: "a new key",
    prepare: (store) => store.insertKey(anApiKey({ id: "21", keyHash: "other", ...CALLBACKS }), null),
    write: (store, audit) => store.insertKey(anApiKey(), null, undefined, undefined, audit),
    written: "written",
    refused: [
      (store, audit) => store.insertKey(anApiKey(), null, undefined, 1, audit),
      (store, audit) => store.insertKey(anApiKey(CALLBACKS), null, 1, undefined, audit),
      (store, audit) => store.insertKey(anApiKey(), LOST, undefined, undefined, audit),
      (store, audit) => store.insertKey(anApiKey({ id: "21" }), null, undefined, undefined, audit),
    ],
  },
  {
    name: "a changed key",
    prepare: async (store) => {
      await store.insertKey(anApiKey({ webhookUrl: null }), null);
      await store.insertKey(anApiKey({ id: "21", keyHash: "other", ...CALLBACKS }), null);
    },
    write: (store, audit) => store.replaceKey(anApiKey({ version: 2, webhookUrl: null }), 1, undefined, audit),
    written: "written",
    refused: [
      (store, audit) => store.replaceKey(anApiKey({ version: 3 }), 2, undefined, audit),
      (store, audit) => store.replaceKey(anApiKey({ version: 2, ...CALLBACKS }), 1, 1, audit),
    ],
  },
  {
    name: "a new endpoint",
    prepare: (store) => store.insertEndpoint(anEndpoint({ id: "61" })),
    write: (store, audit) => store.insertEndpoint(anEndpoint(), undefined, audit),
    written: "written",
    refused: [
      (store, audit) => store.insertEndpoint(anEndpoint(), 1, audit),
      (store, audit) => store.insertEndpoint(anEndpoint({ id: "61" }), undefined, audit),
    ],
  },
  {
    name: "a changed endpoint",
    prepare: (store) => store.insertEndpoint(anEndpoint()),
    write: (store, audit) => store.replaceEndpoint(anEndpoint({ version: 2 }), 1, audit),
    written: "written",
    refused: [(store, audit) => store.replaceEndpoint(anEndpoint({ version: 3 }), 2, audit)],
  },
  {
    name: "a deleted endpoint",
    prepare: (store) => store.insertEndpoint(anEndpoint()),
    write: (store, audit) => store.deleteEndpoint("1", "60", audit),
    written: true,
    refused: [(store, audit) => store.deleteEndpoint("1", "61", audit)],
  },
  {
    name: "a changed business",
    prepare: (store) => store.insertBusiness(aBusiness()),
    write: (store, audit) => store.replaceBusiness(aBusiness({ version: 2 }), 1, audit),
    written: "written",
    refused: [(store, audit) => store.replaceBusiness(aBusiness({ version: 3 }), 2, audit)],
  },
  {
    name: "another tier",
    prepare: (store) => store.insertBusiness(aBusiness()),
    write: (store, audit) => store.setBusinessTier("1", "PREMIUM", audit),
    written: true,
    refused: [(store, audit) => store.setBusinessTier("2", "PREMIUM", audit)],
  },
  {
    name: "an ended session",
    prepare: async (store) => {
      await store.insertUser(aUser());
      await store.insertSession(aSession(), aUser().passwordHash);
      await store.insertSession(aSession({ id: "41", endedAt: NOW }), aUser().passwordHash);
    },
    write: (store, audit) => store.endSession("1", "40", NOW, audit),
    written: true,
    refused: [
      (store, audit) => store.endSession("1", "41", NOW, audit),
      (store, audit) => store.endSession("1", "42", NOW, audit),
    ],
  },
  {
    name: "a new business",
    prepare: (store) => store.insertBusiness(aBusiness({ id: "2" })),
    write: (store, audit) => store.insertBusiness(aBusiness(), audit),
    written: undefined,
    refused: [(store, audit) => store.insertBusiness(aBusiness({ id: "2" }), audit)],
  },
  {
    name: "a new session",
    prepare: (store) => store.insertUser(aUser()),
    write: (store, audit) => store.insertSession(aSession(), aUser().passwordHash, audit),
    written: "written",
    refused: [
      (store, audit) => store.insertSession(aSession(), "another hash", audit),
      (store, audit) => store.insertSession(aSession({ userId: "31" }), aUser().passwordHash, audit),
    ],
  },
  {
    name: "a new integration",
    prepare: (store) => store.insertIntegration(anIntegration({ id: "81" })),
    write: (store, audit) => store.insertIntegration(anIntegration(), undefined, audit),
    written: "written",
    refused: [
      (store, audit) => store.insertIntegration(anIntegration(), 1, audit),
      (store, audit) => store.insertIntegration(anIntegration({ id: "81" }), undefined, audit),
    ],
  },
  {
    name: "a changed integration",
    prepare: (store) => store.insertIntegration(anIntegration()),
    write: (store, audit) => store.replaceIntegration(anIntegration({ version: 2 }), 1, audit),
    written: "written",
    refused: [(store, audit) => store.replaceIntegration(anIntegration({ version: 3 }), 2, audit)],
  },
  {
    name: "a deleted integration",
    prepare: (store) => store.insertIntegration(anIntegration()),
    write: (store, audit) => store.deleteIntegration("1", anIntegration().id, audit),
    written: true,
    refused: [(store, audit) => store.deleteIntegration("1", "999", audit)],
  },
  {
    name: "a new package",
    prepare: (store) => store.insertPackage(aPackage({ id: "801" }), [], null),
    write: (store, audit) => store.insertPackage(aPackage(), [], null, audit),
    written: "written",
    refused: [
      (store, audit) => store.insertPackage(aPackage({ id: "801" }), [], null, audit),
      (store, audit) => store.insertPackage(aPackage(), [], LOST, audit),
    ],
  },
  {
    name: "a changed package",
    prepare: (store) => store.insertPackage(aPackage(), [], null),
    write: (store, audit) => store.replacePackage(aPackage({ version: 2 }), 1, [], null, audit),
    written: "written",
    refused: [
      (store, audit) => store.replacePackage(aPackage({ version: 3 }), 2, [], null, audit),
      (store, audit) => store.replacePackage(aPackage({ version: 2 }), 1, [], LOST, audit),
    ],
  },
  {
    name: "a delivery that is retried",
    prepare: (store) => addFinished(store, "failed", { id: "70" }),
    write: (store, audit) => store.redeliver("1", "70", NOW, NOW + 1, audit),
    written: true,
    refused: [(store, audit) => store.redeliver("1", "71", NOW, NOW + 1, audit)],
  },
  {
    name: "deliveries that are retried",
    prepare: (store) => addFinished(store, "failed", { id: "70", createdAt: NOW }),
    write: async (store, audit) => (await store.redeliverUndelivered("1", redelivery(NOW, audit))).length,
    written: 1,
    refused: [async (store, audit) => (await store.redeliverUndelivered("1", redelivery(NOW + 1, audit))).length],
  },
  {
    name: "a customer who wants no reminders",
    prepare: (store) => store.setReminderOptOut("1", "other", "", NOW),
    write: (store, audit) => store.setReminderOptOut("1", "ana", "", NOW, audit),
    written: undefined,
    refused: [async (store, audit) => (await store.setReminderOptOut("1", "other", "", NOW, audit)) ?? "as before"],
  },
];

function redelivery(createdAt: number, audit: AuditEntry): Redelivery {
  const after = { createdAt, id: "0" };
  return { subscriber: endpoint("60"), after, now: NOW, deadlineAt: NOW + 1, limit: 10, audit };
}

export function auditedWriteCases(suite: Suite): void {
  mailCases(suite);
  const { describe, it } = suite;
  for (const { name, prepare, write, written, refused } of writes) {
    describe(`the audit entry of ${name}`, () => {
      it(`commits the audit entry of ${name} with it, and without a fan-out`, async (store) => {
        await subscribe(store, "1");
        await prepare(store);
        assert.equal(await write(store, anAuditEntry()), written);
        const { entries } = await store.listEvents("1", anEventQuery());
        assert.deepEqual(entries, [{ ...anAuditEntry(), sequence: entries[0]?.sequence, revision: 1 }]);
        assert.deepEqual(await store.findUndispatchedEvents(10), []);
        const { documentBytes } = await store.measureStorage("1");
        assert.equal(documentBytes, Buffer.byteLength(JSON.stringify(anAuditEntry())));
      });

      it(`writes no audit entry of ${name} when the write is refused`, async (store) => {
        await prepare(store);
        for (const refuse of refused) {
          const outcome = await refuse(store, anAuditEntry()).catch(() => "rejected");
          assert.notEqual(outcome, written);
        }
        assert.equal(await countEntries(store), 0);
        assert.equal((await store.measureStorage("1")).documentBytes, 0);
      });
    });
  }
}

/** A budget counts bytes itself, so that these are no entries of the table above. */
function mailCases({ describe, it }: Suite): void {
  const LEASE_END = NOW + 1_000;
  describe("the audit entry of a mail", () => {
    it("commits the audit entry of a mail with it, counts it for the quota, and refuses both together", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const queue = (version: number, bytes: number | null) =>
        store.queueMail(aMail(), aBudget(), version, [], null, { budgets: null, bytes }, anAuditEntry());
      const { documentBytes } = await store.measureStorage("1");
      const ofMail = Buffer.byteLength(JSON.stringify(aMail()));
      const ofEntry = Buffer.byteLength(JSON.stringify(anAuditEntry()));
      assert.equal(await queue(2, null), "stale");
      assert.equal(await queue(1, documentBytes + ofMail + ofEntry - 1), "quota-exceeded");
      assert.equal(await countEntries(store), 0);
      assert.equal(await queue(1, documentBytes + ofMail + ofEntry), "written");
      assert.equal(await countEntries(store), 1);
      assert.equal((await store.measureStorage("1")).documentBytes, documentBytes + ofMail + ofEntry);
    });

    it("commits the audit entry of a reminder with it, by the last claim only", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      await store.queueMail(aMail(), aBudget(), 1, [], null);
      const [first] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      const [second] = await store.claimReminderChecks(LEASE_END, LEASE_END + 5, 10);
      assert.ok(first !== undefined && second !== undefined);
      const reminder = aMail({ id: "61", kind: "reminder" });
      assert.equal(await store.settleReminderCheck(first, "replace", reminder, anAuditEntry()), false);
      assert.equal(await countEntries(store), 0);
      assert.equal(await store.settleReminderCheck(second, "replace", reminder, anAuditEntry()), true);
      assert.equal(await countEntries(store), 1);
    });
  });
}

async function countEntries(store: Store): Promise<number> {
  return (await store.listEvents("1", anEventQuery())).total;
}
