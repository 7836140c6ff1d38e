import assert from "node:assert/strict";
import type { AuditEntry, Redelivery, Store } from "@budgetkit/core/store";
import {
  endSessionCommit,
  insertBudgetCommit,
  insertBusinessCommit,
  insertEndpointCommit,
  insertIntegrationCommit,
  insertKeyCommit,
  insertUserCommit,
  NO_KEY_LIMITS,
  openSessionCommit,
  queueMailCommit,
  recordCommit,
  reminderOptOutCommit,
  removeEndpointCommit,
  removeIntegrationCommit,
  replaceBusinessCommit,
  replaceEndpointCommit,
  replaceIntegrationCommit,
  replaceKeyCommit,
  setTierCommit,
} from "@budgetkit/core/store";
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
import { isWritten, outcomeOf } from "../outcome.js";
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
    prepare: (store) => outcomeOf(store, insertKeyCommit(anApiKey({ id: "21", keyHash: "other", ...CALLBACKS }))),
    write: (store, audit) => outcomeOf(store, insertKeyCommit(anApiKey(), NO_KEY_LIMITS, audit)),
    written: "written",
    refused: [
      (store, audit) => outcomeOf(store, insertKeyCommit(anApiKey(), { ...NO_KEY_LIMITS, keys: 1 }, audit)),
      (store, audit) =>
        outcomeOf(store, insertKeyCommit(anApiKey(CALLBACKS), { ...NO_KEY_LIMITS, withWebhook: 1 }, audit)),
      (store, audit) => outcomeOf(store, { ...insertKeyCommit(anApiKey(), NO_KEY_LIMITS, audit), completes: LOST }),
      (store, audit) => outcomeOf(store, insertKeyCommit(anApiKey({ id: "21" }), NO_KEY_LIMITS, audit)),
    ],
  },
  {
    name: "a changed key",
    prepare: async (store) => {
      await store.commit(insertKeyCommit(anApiKey({ webhookUrl: null })));
      await store.commit(insertKeyCommit(anApiKey({ id: "21", keyHash: "other", ...CALLBACKS })));
    },
    write: (store, audit) =>
      outcomeOf(
        store,
        replaceKeyCommit(anApiKey({ version: 2, webhookUrl: null }), 1, NO_KEY_LIMITS.withWebhook, audit),
      ),
    written: "written",
    refused: [
      (store, audit) =>
        outcomeOf(store, replaceKeyCommit(anApiKey({ version: 3 }), 2, NO_KEY_LIMITS.withWebhook, audit)),
      (store, audit) => outcomeOf(store, replaceKeyCommit(anApiKey({ version: 2, ...CALLBACKS }), 1, 1, audit)),
    ],
  },
  {
    name: "a new endpoint",
    prepare: (store) => outcomeOf(store, insertEndpointCommit(anEndpoint({ id: "61" }))),
    write: (store, audit) => outcomeOf(store, insertEndpointCommit(anEndpoint(), Number.POSITIVE_INFINITY, [audit])),
    written: "written",
    refused: [
      (store, audit) => outcomeOf(store, insertEndpointCommit(anEndpoint(), 1, [audit])),
      (store, audit) =>
        outcomeOf(store, insertEndpointCommit(anEndpoint({ id: "61" }), Number.POSITIVE_INFINITY, [audit])),
    ],
  },
  {
    name: "a changed endpoint",
    prepare: (store) => outcomeOf(store, insertEndpointCommit(anEndpoint())),
    write: (store, audit) => outcomeOf(store, replaceEndpointCommit(anEndpoint({ version: 2 }), 1, [audit])),
    written: "written",
    refused: [(store, audit) => outcomeOf(store, replaceEndpointCommit(anEndpoint({ version: 3 }), 2, [audit]))],
  },
  {
    name: "a deleted endpoint",
    prepare: (store) => outcomeOf(store, insertEndpointCommit(anEndpoint())),
    write: (store, audit) => isWritten(store, removeEndpointCommit("1", "60", [audit])),
    written: true,
    refused: [(store, audit) => isWritten(store, removeEndpointCommit("1", "61", [audit]))],
  },
  {
    name: "a changed business",
    prepare: (store) => outcomeOf(store, insertBusinessCommit(aBusiness())),
    write: (store, audit) => outcomeOf(store, replaceBusinessCommit(aBusiness({ version: 2 }), 1, audit)),
    written: "written",
    refused: [(store, audit) => outcomeOf(store, replaceBusinessCommit(aBusiness({ version: 3 }), 2, audit))],
  },
  {
    name: "another tier",
    prepare: (store) => outcomeOf(store, insertBusinessCommit(aBusiness())),
    write: (store, audit) => isWritten(store, setTierCommit("1", "PREMIUM", audit)),
    written: true,
    refused: [(store, audit) => isWritten(store, setTierCommit("2", "PREMIUM", audit))],
  },
  {
    name: "an ended session",
    prepare: async (store) => {
      await store.commit(insertUserCommit(aUser()));
      await store.commit(openSessionCommit(aSession(), aUser().passwordHash));
      await store.commit(openSessionCommit(aSession({ id: "41", endedAt: NOW }), aUser().passwordHash));
    },
    write: (store, audit) => isWritten(store, endSessionCommit("1", "40", NOW, audit)),
    written: true,
    refused: [
      (store, audit) => isWritten(store, endSessionCommit("1", "41", NOW, audit)),
      (store, audit) => isWritten(store, endSessionCommit("1", "42", NOW, audit)),
    ],
  },
  {
    name: "a new business",
    prepare: (store) => outcomeOf(store, insertBusinessCommit(aBusiness({ id: "2" }))),
    write: (store, audit) => outcomeOf(store, insertBusinessCommit(aBusiness(), audit)),
    written: "written",
    refused: [(store, audit) => outcomeOf(store, insertBusinessCommit(aBusiness({ id: "2" }), audit))],
  },
  {
    name: "a new session",
    prepare: (store) => outcomeOf(store, insertUserCommit(aUser())),
    write: (store, audit) => outcomeOf(store, openSessionCommit(aSession(), aUser().passwordHash, audit)),
    written: "written",
    refused: [
      (store, audit) => outcomeOf(store, openSessionCommit(aSession(), "another hash", audit)),
      (store, audit) => outcomeOf(store, openSessionCommit(aSession({ userId: "31" }), aUser().passwordHash, audit)),
    ],
  },
  {
    name: "a new integration",
    prepare: (store) => outcomeOf(store, insertIntegrationCommit(anIntegration({ id: "81" }))),
    write: (store, audit) =>
      outcomeOf(store, insertIntegrationCommit(anIntegration(), Number.POSITIVE_INFINITY, [audit])),
    written: "written",
    refused: [
      (store, audit) => outcomeOf(store, insertIntegrationCommit(anIntegration(), 1, [audit])),
      (store, audit) =>
        outcomeOf(store, insertIntegrationCommit(anIntegration({ id: "81" }), Number.POSITIVE_INFINITY, [audit])),
    ],
  },
  {
    name: "a changed integration",
    prepare: (store) => outcomeOf(store, insertIntegrationCommit(anIntegration())),
    write: (store, audit) => outcomeOf(store, replaceIntegrationCommit(anIntegration({ version: 2 }), 1, [audit])),
    written: "written",
    refused: [(store, audit) => outcomeOf(store, replaceIntegrationCommit(anIntegration({ version: 3 }), 2, [audit]))],
  },
  {
    name: "a deleted integration",
    prepare: (store) => outcomeOf(store, insertIntegrationCommit(anIntegration())),
    write: (store, audit) => isWritten(store, removeIntegrationCommit("1", anIntegration().id, [audit])),
    written: true,
    refused: [(store, audit) => isWritten(store, removeIntegrationCommit("1", "999", [audit]))],
  },
  {
    name: "a new package",
    prepare: (store) => outcomeOf(store, recordCommit("package", aPackage({ id: "801" }), "absent")),
    write: (store, audit) => outcomeOf(store, recordCommit("package", aPackage(), "absent", { audit: [audit] })),
    written: "written",
    refused: [
      (store, audit) =>
        outcomeOf(store, recordCommit("package", aPackage({ id: "801" }), "absent", { audit: [audit] })),
      (store, audit) =>
        outcomeOf(store, recordCommit("package", aPackage(), "absent", { completes: LOST, audit: [audit] })),
    ],
  },
  {
    name: "a changed package",
    prepare: (store) => outcomeOf(store, recordCommit("package", aPackage(), "absent")),
    write: (store, audit) => outcomeOf(store, recordCommit("package", aPackage({ version: 2 }), 1, { audit: [audit] })),
    written: "written",
    refused: [
      (store, audit) => outcomeOf(store, recordCommit("package", aPackage({ version: 3 }), 2, { audit: [audit] })),
      (store, audit) =>
        outcomeOf(store, recordCommit("package", aPackage({ version: 2 }), 1, { completes: LOST, audit: [audit] })),
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
    prepare: (store) => outcomeOf(store, reminderOptOutCommit("1", { customerId: "other", recipient: "", since: NOW })),
    write: (store, audit) =>
      outcomeOf(store, reminderOptOutCommit("1", { customerId: "ana", recipient: "", since: NOW }, [audit])),
    written: "written",
    refused: [
      (store, audit) =>
        outcomeOf(store, reminderOptOutCommit("1", { customerId: "other", recipient: "", since: NOW }, [audit])),
    ],
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
      it("is committed with it, and waits for no fan-out", async (store) => {
        await subscribe(store, "1");
        await prepare(store);
        assert.equal(await write(store, anAuditEntry()), written);
        const { entries } = await store.listEvents("1", anEventQuery());
        assert.deepEqual(entries, [{ ...anAuditEntry(), sequence: entries[0]?.sequence, revision: 1 }]);
        assert.deepEqual(await store.findUndispatchedEvents(10), []);
        const { documentBytes } = await store.measureStorage("1");
        assert.equal(documentBytes, Buffer.byteLength(JSON.stringify(anAuditEntry())));
      });

      it("is not written when the write is refused", async (store) => {
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
    it("is committed with the queued mail, counts for the quota, and is not written when that is refused", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const queue = (version: number, bytes: number | null) =>
        outcomeOf(
          store,
          queueMailCommit(aMail(), aBudget(), version, { quota: { budgets: null, bytes }, audit: [anAuditEntry()] }),
        );
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

    it("is committed with a reminder, by the last claim only", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await store.commit(queueMailCommit(aMail(), aBudget(), 1));
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
