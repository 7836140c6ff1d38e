import { join } from "node:path";
import type { Store } from "@budgetkit/core";
import {
  auditCommit,
  countViewCommit,
  insertAttachmentCommit,
  insertBudgetCommit,
  insertBusinessCommit,
  insertEndpointCommit,
  insertIntegrationCommit,
  insertKeyCommit,
  insertUserCommit,
  openSessionCommit,
  queueMailCommit,
  recordCommit,
  recordPaymentCommit,
  reminderOptOutCommit,
  replaceBudgetCommit,
  sendMessageCommit,
  testDeliveryCommit,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { DATA_TABLES, type DataRow, type DataSource, type DataTarget } from "@budgetkit/store-kit";
import { openPostgresTarget } from "@budgetkit/store-postgres";
import { openSqliteSource, sqliteStore } from "@budgetkit/store-sqlite";
import {
  aBudget,
  aBusiness,
  aClaim,
  aCustomer,
  aDelivery,
  aMail,
  aMessage,
  anApiKey,
  anAttachment,
  anAttempt,
  anAuditEntry,
  anEndpoint,
  anEvent,
  anIdempotencyRecord,
  anIntegration,
  aPackage,
  aPayment,
  aProduct,
  aReplay,
  aSession,
  aUsageRow,
  aUser,
  aVariant,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import { expect, it } from "vitest";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { openDatabase } from "../../packages/store-sqlite/src/engine/database.js";
import { temporaryFolder } from "../programs/running-program.js";

const schema = testSchema();
const ODD_TEXT = `'"\\%_;--<b>&amp;</b> ñ é e\u0301 日本 🪑 \u202e \t\r\n {"a":1}`;
const LARGEST = Number.MAX_SAFE_INTEGER;

const ACCOUNT = {
  disabledAt: NOW + 2,
  oneTimeToken: { purpose: "password-reset", hash: "hash-of-token", expiresAt: NOW + 3 },
  secondFactor: { sealedSecret: "v1.sealed", confirmedAt: NOW, lastStep: 58_000_000, recoveryHashes: ["a", "b"] },
} as const;

/** Something in every table, and every column with a value and, where it may be, without. */
async function writeEverything(store: Store): Promise<void> {
  await store.reserveIds("1", 8_999);
  await store.reserveBusinessId();
  await store.commit(insertBusinessCommit(aBusiness({ name: ODD_TEXT })));
  await store.commit(insertUserCommit(aUser({ avatarUrl: "https://example.com/a.png", emailVerified: true })));
  await store.commit(
    insertUserCommit(aUser({ id: "31", emailKey: "b@example.com", emailVerified: false, ...ACCOUNT })),
  );
  await store.commit(openSessionCommit(aSession(), aUser().passwordHash));
  await store.commit(openSessionCommit(aSession({ id: "41", endedAt: NOW + 1 }), aUser().passwordHash));

  await store.claimKey(aClaim({ key: "open" }), NOW);
  await store.claimKey(aClaim(), NOW);
  await store.commit({ ...insertKeyCommit(anApiKey()), completes: anIdempotencyRecord() });
  await store.commit(
    insertKeyCommit(
      anApiKey({
        id: "21",
        version: 4,
        status: "SUSPENDED",
        keyHash: "other",
        previousKeyHash: "former",
        expiresAt: NOW + 5,
        webhookUrl: "https://example.com/hook",
        previousWebhookSecretUntil: NOW + 6,
      }),
    ),
  );
  await store.commit(touchKeyCommit("1", "20", NOW + 7));

  await store.commit(recordCommit("customer", aCustomer({ cuit: "20301234563", name: ODD_TEXT }), "absent"));
  await store.commit(
    recordCommit("customer", aCustomer({ id: "501", cuit: "20301234571", email: null, phone: null }), "absent"),
  );
  await store.commit(
    recordCommit("customer", aCustomer({ id: "501", version: 2, cuit: "20301234571", deletedAt: NOW }), 1),
  );
  const variants = [aVariant({ id: "v-2", sku: "A-2", unitPrice: 0.1 }), aVariant({ id: "v-1", sku: "B-1" })];
  await store.commit(recordCommit("product", aProduct({ sku: "Z-1", unitPrice: null, variants }), "absent"));
  await store.commit(recordCommit("product", aProduct({ id: "701", sku: "Y-1" }), "absent"));
  await store.commit(recordCommit("product", aProduct({ id: "701", version: 2, sku: "Y-1", deletedAt: NOW }), 1));
  await store.commit(insertEndpointCommit(anEndpoint()));
  await store.writeReplay(aReplay(), 0, []);
  await store.commit(insertEndpointCommit(anEndpoint({ id: "61", version: 3, previousSecretUntil: NOW + 9 })));
  await store.commit(recordCommit("package", aPackage(), "absent", { events: [anEvent({ id: "89" })] }));

  const largest = aBudget({ total: LARGEST, currency: "JPY", notes: ODD_TEXT, publicTokenHash: "hash" });
  await store.commit(insertBudgetCommit(largest, { events: [anEvent()] }));
  await store.commit(insertBudgetCommit({ ...largest, id: "11", publicTokenHash: null, validUntil: NOW + 8 }));
  await store.commit(insertBudgetCommit(aBudget({ id: "12", total: 1_005 })));
  for (const [version, revision] of [
    [2, 1],
    [3, 1],
    [4, 2],
  ] as const) {
    const next = aBudget({ id: "12", version, revision, total: 1_005 + revision, status: "APPROVED" });
    await store.commit(replaceBudgetCommit(next, version - 1, { events: [anEvent({ id: String(100 + version) })] }));
  }
  await store.commit(recordPaymentCommit(aPayment(), { ...largest, version: 2, paid: 5_000 }, 1));
  await store.commit(insertAttachmentCommit(anAttachment(), 2, 10));
  await store.commit(sendMessageCommit(aMessage({ message: ODD_TEXT }), 10));
  await store.commit(auditCommit(anAuditEntry()));
  const window = { lengthMs: 3_600_000, limit: 1_000 };
  await store.holdUpload("key:1:20", { id: "a", needed: 10, wanted: 20 }, window, NOW);
  await store.holdUpload("key:1:20", { id: "b", needed: 10, wanted: 20 }, window, NOW);
  await store.settleUpload("key:1:20", "b", 5, window, NOW);
  await store.commit(insertIntegrationCommit(anIntegration()));
  await store.addUsage([aUsageRow(), aUsageRow({ keyId: null, grain: "day" })]);

  const [event] = await store.findUndispatchedEvents(1);
  if (event === undefined) throw new Error("no event waits");
  await store.fanOut(event, [aDelivery(), aDelivery({ id: "71", subscriber: { kind: "key", id: "20" } })]);
  await store.commit(testDeliveryCommit(aDelivery({ id: "72", eventId: null, nextAttemptAt: NOW + 10 })));
  const lease = { token: "lease-1", until: NOW + 60_000 };
  await store.claimDue({ lease, now: NOW, limit: 2, perBusiness: 9, perSubscriber: 9, inFlight: [] });
  await store.settle({
    businessId: "1",
    deliveryId: "70",
    fencingToken: lease.token,
    attempt: anAttempt({ error: ODD_TEXT, responseBody: null, responseCode: 503 }),
    refundedAttempts: 0,
    status: "retrying",
    nextAttemptAt: NOW + 30_000,
    now: NOW + 1_000,
  });
  await store.nextDueAt();

  const series = { key: "Q-{seq}", before: "Q-", after: "", digits: 1 };
  const numbering = { kind: "draw", series, blank: "{blank}" } as const;
  await store.commit(insertBudgetCommit(aBudget({ id: "13", number: "{blank}" }), { numbering }));
  const mailed = aBudget({ id: "13", number: "Q-1", validUntil: NOW + 9 * 86_400_000 });
  await store.commit(queueMailCommit(aMail({ budgetId: "13" }), mailed, mailed.version));
  await store.commit(reminderOptOutCommit("1", { customerId: "500", recipient: "", since: NOW }));
  await store.commit(
    countViewCommit({ businessId: "1", budgetId: "13", channel: "link", device: "phone", at: NOW }, 1, true),
  );
  const key = { number: 1, kid: "k1", publicKey: "public", sealedPrivateKey: "v1.sealed", createdAt: NOW };
  await store.insertSigningKey(key);
  await store.commit(auditCommit(anAuditEntry({ businessId: "2", id: "90", occurredAt: NOW - 2 })));
  await store.pruneLedger("2", { sequence: 1, hash: "hash", checkpoint: "signed" }, 0); // leaves the last revision
}

async function contentsOf(data: DataSource | DataTarget): Promise<Record<string, readonly DataRow[]>> {
  const contents: Record<string, readonly DataRow[]> = {};
  for (const table of DATA_TABLES) {
    const rows: DataRow[] = [];
    for await (const row of data.rows(table, null)) rows.push(row);
    contents[table.name] = rows;
  }
  await data.close();
  return contents;
}

it("both stores copy the same rows of every table after the same writes", async () => {
  const path = join(temporaryFolder(), "b.db");
  const sqlite = sqliteStore(path, { limiter: "memory" });
  await sqlite.migrate();
  const postgres = await schema.freshStore();
  for (const store of [sqlite, postgres]) {
    await writeEverything(store);
    await store.close();
  }
  // Only an upgrade writes these.
  const beginning = "ledger_beginnings (business_id, sequence, missing, statement) VALUES (2, 8, '[[1,2]]', 'signed')";
  const database = openDatabase(path);
  database.exec(`INSERT INTO budgetkit_${beginning}`);
  database.close();
  await schema.query(`INSERT INTO @${beginning}`);
  const given = await contentsOf(await openSqliteSource(path));
  expect(Object.keys(given).filter((table) => given[table]?.length === 0)).toEqual([]);
  expect(await contentsOf(await openPostgresTarget(schema.url, { schema: schema.schema }))).toEqual(given);
});
