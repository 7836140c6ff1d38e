import assert from "node:assert/strict";
import type { AuditEntry, Store } from "@budgetkit/core/store";
import { aBusiness, anApiKey, anAuditEntry, anEventQuery, aSession, aUser, FIXTURE_TIME as NOW } from "../fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

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
];

export function auditedWriteCases({ describe, it }: Suite): void {
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

async function countEntries(store: Store): Promise<number> {
  return (await store.listEvents("1", anEventQuery())).total;
}
