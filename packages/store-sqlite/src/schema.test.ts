import { commitOf, insertBudgetCommit, insertEndpointCommit, recordCommit } from "@budgetkit/core/store";
import { DELIVERY_BYTES } from "@budgetkit/store-kit";
import {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aCatalogQuery,
  aClaim,
  aCustomer,
  aDelivery,
  aDeliveryQuery,
  anApiKey,
  anAttachment,
  anAttempt,
  anAuditEntry,
  anEndpoint,
  anEvent,
  anEventQuery,
  anIntegration,
  aPackage,
  aPayment,
  aProduct,
  aSession,
  aUsageRow,
  aUser,
  aVariant,
  FIXTURE_TIME as NOW,
  outcomeOf,
} from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { checksumOf, countPending, migrate } from "./engine/migrations.js";
import { openSqliteSource, sqliteStore } from "./index.js";
import { LIMIT_MIGRATIONS, MIGRATIONS } from "./schema.js";
import { temporaryFolder } from "./testing/temporary-folder.js";
import { tablesOf, unreleasedDatabase, unreleasedLimits } from "./testing/unreleased-database.js";

const FROZEN = "a released step never changes: write a new one, and note its checksum here";

it.each([
  [
    "the store",
    MIGRATIONS,
    [
      "4190acd9859d82caa6a949d8bf457ab55176c5c7b7e8d1858f9c123f89401bee",
      "70d9f788eb0b7a97dc193d4e9e059a1778ef259b9575ff551d2c06d949adc948",
      "f822415ac0b05a8a8b6524d473b4919902f220142cab73a48f702f39620f500d",
      "dc16cc405e9c0de693f685c214f547c979c037dcaad13d0f7c374d7cce66baa0",
      "dc8931b2963b12df0d2b443dc10630c2c1b26d5f732ada8e02eeab79a8f30e7f",
      "663cdcdea38eae0ec4206a9347a3357fb0a02c9c9b6af0cbf75d1a63b7ba72ad",
      "a8fe5d548e3413fd40ca4c7b8bfd0d79f57701b698bb7790d0f8ed8864dc51ae",
      "2c79fbae87ae0a7b44bf12c9b8aeb2a61489b30dad4a5322b26f02b688edf20d",
      "8998d7af349d0735a0088e82a988f435e4b79f41487e288386fca4ae132a8bff",
      "2ced8a81429083f00bd09c9cf501fc7a3006f28f2e69bf6266e031ce61761914",
      "4abcd3f024f556e038db2fc79f853f18a6dc759af2662b3d37975b1469d65863",
      "2f75e6028c19a828ca8628bea9ffd888c02b14122e2281634c501f7d553120e3",
      "1ce5a53da653d4ccad98e16fb316c27d0c81e8d896fa66af89376f618a583fcb",
      "851cd67613d9a28bf66a7b42996d744da08eb1d5a6be8bf0fa9e18957402e366",
      "96e45a34055593da300e9e30371c727ce60a7d09bdd5da9afd66d57556a7b279",
      "3f03d56049a235218e16f2f1c7c05afd374b6d8f3365a4fe571ecfe36a4c57cb",
      "d49de2c789fd7d7160fcfd9ddd5a3c9aa9bd7838b9c841a7a8854368871c5a47",
      "2080c7fa2c218d6e00627bfb4535d3f5234a897dde7be722d2d6eb2bb0b70489",
      "62f4dad031803cec7ecc497d88d65150cba590512970f52a1b06b53a6b4ee6a4",
      "11729398d10d36a17f3deaa23013f2d67fcbaa5e05524028e47d92d54269d2d1",
      "fc737871fb581775847b6fe068f437cf90c4749091206ccfd8edd48b9fa523db",
      "e5bf4cd6ad9283424b23d8470c873cb0564977268e3e9d50fe76960a6284667d",
      "8052617712af0bf71105266e38e5e5e9fa50185c6bc26f317c1cab19c9fc5801",
      "cc8452b519814de777ec11d43dd26040c757afd0a546a0831109c1b851b7056e",
      "b8bfbb32072938d0bc7035676e6cf254b88d410a13d1441529121b7640e72581",
      "47b8bf730753fd4dbea240fb2398d0f59d7bd7f24a4ea7deb09e64996b12a403",
      "04b3bf50b5267fa106147bcc44ba14fc6d6033388eac368ed3f7bebbb3a94719",
      "d571735e27c739e8ff5748081dc95dccaa966b0b382e90338a275bae59ba686d",
      "d13a9d90e72d0802c8bc69a4df0fc6e910976516a1932655276bda385aeea2f1",
      "8d3d7daf59882b2f565e731f73f136a2e62566a996a598014917a4721b0b28b7",
    ],
  ],
  [
    "the rate limiter",
    LIMIT_MIGRATIONS,
    [
      "f40a99b705c60d744d8e7529d649068c9e6cbfc412b8a64bf268f1d9315169ce",
      "0629300c17bb8d274c454e0eea8d0384351442701160840f1c4663e59fe02526",
      "6915a8ee3c7367fab483ff86c1cdea42e0e8308f10553a4f19817adfa04e373a",
    ],
  ],
])("the schema freezes every step of %s", (_, migrations, checksums) => {
  const versions = migrations.map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  expect(migrations.map(checksumOf), FROZEN).toEqual(checksums);
});

/** The unreleased builds had the schema of these steps. */
const STEPS_OF_UNRELEASED = 2;

const HOURLY = { lengthMs: 3_600_000, limit: 1_000 };

describe("a database of an unreleased build", () => {
  function unreleased(): BetterSqlite3.Database {
    const database = unreleasedDatabase();
    onTestFinished(() => void database.close());
    return database;
  }

  it("the database of an unreleased build has rows in every table", () => {
    const database = unreleased();
    const isEmpty = (table: string) => database.prepare(`SELECT 1 FROM ${table}`).get() === undefined;
    expect(tablesOf(database).filter(isEmpty)).toEqual([]);
  });

  it("an upgraded database has the tables, columns and indexes of a new one", () => {
    const fresh = new BetterSqlite3(":memory:");
    onTestFinished(() => void fresh.close());
    migrate(fresh, MIGRATIONS);
    const upgraded = unreleased();
    migrate(upgraded, MIGRATIONS);
    expect(objectsOf(upgraded)).toEqual(objectsOf(fresh));
  });

  it("a database of an unreleased build accepts the steps of this release and the next one", async () => {
    const database = unreleased();
    expect(await sqliteStore(database).pendingMigrations()).toBe(MIGRATIONS.length - STEPS_OF_UNRELEASED);
    await sqliteStore(database).migrate();
    expect(await sqliteStore(database).findOutage()).toBeNull();
    const next = { version: (MIGRATIONS.at(-1)?.version ?? 0) + 1, sql: "CREATE TABLE budgetkit_next (x INTEGER)" };
    migrate(database, [...MIGRATIONS, next]);
    expect(tablesOf(database)).toContain("budgetkit_next");
    const versions = [...MIGRATIONS, next].map(({ version }) => version);
    expect(database.prepare("SELECT version FROM budgetkit_migrations").pluck().all()).toEqual(versions);
    expect(countPending(database, [...MIGRATIONS, next])).toBe(0);
  });

  it("refuses a database with only some of the steps of an unreleased build", () => {
    const database = unreleased();
    database.exec("DELETE FROM budgetkit_migrations WHERE version = 12");
    expect(() => migrate(database, MIGRATIONS)).toThrow("applied with other contents");
    expect(() => migrate(database, MIGRATIONS.slice(0, 10))).toThrow("newer than this release");
    database.exec("DELETE FROM budgetkit_migrations WHERE version > 2");
    expect(() => migrate(database, MIGRATIONS)).toThrow("applied with other contents");
  });

  it("an upgraded database is a source of a copy", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const database = unreleasedDatabase(folder.file("budgets.db"));
    migrate(database, MIGRATIONS);
    database.close();
    await (await openSqliteSource(folder.file("budgets.db"))).close();
  });

  it("an upgraded database keeps its rows", async () => {
    const store = sqliteStore(unreleased());
    await store.migrate();
    const user = aUser({ lastLoginAt: aSession().createdAt });
    expect(await store.reserveBusinessId()).toBe("1501");
    expect(await store.reserveIds("1", 1)).toBe(1_000_000_001);
    expect(await store.findBusiness("1")).toEqual(aBusiness());
    expect(await store.findUserByEmail(user.emailKey)).toEqual(user);
    expect(await store.findSession("1", "40")).toEqual(aSession());
    const key = anApiKey({ webhookUrl: "https://shop.example/?a=1&b=ñ" });
    expect(await store.findKey("1", "20")).toEqual(key);
    expect(await store.findSubscribers("1")).toEqual({ endpoints: [anEndpoint()], keys: [key] });
    expect(await store.findRecord("customer", "1", "500")).toEqual(aCustomer());
    const product = aProduct({ sku: "OAK", variants: [aVariant()] });
    expect(await store.findRecords("product", "1", ["700"])).toEqual([product]);
    expect(await outcomeOf(store, recordCommit("product", { ...product, id: "701" }, "absent"))).toEqual({
      taken: "sku",
      value: "OAK",
    });
    expect(await store.findProductSummaries("1", [{ productId: "700", variantId: "v-1" }])).toHaveLength(1);
    expect((await store.listRecords("package", "1", aCatalogQuery())).entries).toEqual([aPackage()]);
    expect(await store.findIntegration("1", "50")).toEqual(anIntegration());
    expect(await store.findAttachment("1", "10", "80")).toEqual(anAttachment());
    expect((await store.holdUpload("key:1:20", { id: "next", needed: 1, wanted: 1 }, HOURLY, NOW)).room).toBe(989);
    const usage = await store.sumUsage("1", "20", [{ grain: "minute", from: 0, until: NOW + 1 }]);
    expect(usage.moments.map(({ requests }) => requests)).toEqual([aUsageRow().requests]);
    const { key: claimed, fingerprint } = aClaim();
    expect(await store.claimKey({ ...aClaim(), claimId: "second", key: claimed, fingerprint }, NOW)).toEqual({
      kind: "in-flight",
    });
  });

  it("an upgraded database lets products keep a shared SKU, and refuses it to others", async () => {
    const database = unreleased();
    const store = sqliteStore(database);
    await store.migrate();
    const shared = aProduct({ id: "702", sku: "OAK" });
    await store.commit(recordCommit("product", { ...shared, sku: "PINE" }, "absent"));
    database.exec(
      `UPDATE budgetkit_skus SET sku = 'OAK' WHERE product_id = '702';
       UPDATE budgetkit_products SET document = json_set(document, '$.sku', 'OAK') WHERE id = '702'`,
    );
    for (const id of ["700", "702"]) {
      expect(await outcomeOf(store, recordCommit("product", { ...shared, id, version: 2 }, 1))).toBe("written");
    }
    expect(await outcomeOf(store, recordCommit("product", { ...shared, id: "703" }, "absent"))).toEqual({
      taken: "sku",
      value: "OAK",
    });
  });

  it("an upgraded database keeps its budgets, with revisions, payments and sums", async () => {
    const store = sqliteStore(unreleased());
    await store.migrate();
    const first = aBudget({
      notes: 'ñ "quoted" 🪑 \\ \u2028 </b>',
      metadata: { "": [null, true, 1e21, -0.1, {}] },
    });
    const current = { ...first, version: 3, revision: 2, notes: "changed", paid: 5_000 };
    expect(await store.findBudget("1", "10")).toEqual(current);
    expect((await store.listBudgets("1", aBudgetQuery())).entries).toEqual([current]);
    expect(await store.findRevision("1", "10", 1)).toEqual(first);
    expect(await store.findPayment("1", "10", "transfer 1")).toEqual(aPayment());
    expect(await store.sumBudgets("1", 0)).toEqual([
      { status: "PENDING", currency: "USD", budgets: 1, total: 12_100n },
    ]);
  });

  it("an upgraded database counts what it stores", async () => {
    const database = unreleased();
    const store = sqliteStore(database);
    await store.migrate();
    const bytesIn = (table: string) =>
      Number(database.prepare(`SELECT coalesce(sum(octet_length(document)), 0) FROM ${table}`).pluck().get());
    const tables = ["budgetkit_budgets", "budgetkit_budget_revisions", "budgetkit_events"];
    expect(await store.measureStorage("1")).toEqual({
      budgets: 1,
      documentBytes: tables.reduce((sum, table) => sum + bytesIn(table), 0),
      attachmentBytes: anAttachment().size,
      deliveryBytes: DELIVERY_BYTES + aDelivery().body.length,
    });
  });

  it("an upgraded database keeps its events and deliveries", async () => {
    const store = sqliteStore(unreleased());
    await store.migrate();
    const { entries } = await store.listEvents("1", anEventQuery());
    expect(entries).toEqual([
      { ...anAuditEntry(), sequence: 2, revision: 1 },
      { ...anEvent(), sequence: 1, revision: 1 },
    ]);
    expect(await store.findUndispatchedEvents(5)).toEqual([{ ...anEvent(), sequence: 1, revision: 1 }]);
    const settled = { status: "retrying", attempts: 1, attemptsSinceRestart: 1, responseCode: 200 } as const;
    const times = { nextAttemptAt: NOW + 60_000, updatedAt: NOW + 20_000 };
    expect(await store.findDelivery("1", "70")).toEqual(aDelivery({ ...settled, ...times }));
    expect(await store.listAttempts("1", "70")).toEqual([anAttempt()]);
    expect(await store.nextDueAt()).toBe(NOW + 60_000);
  });

  it("the ledger chains of an upgraded database begin after its earlier entries", async () => {
    const database = unreleased();
    database.exec("DELETE FROM budgetkit_undispatched_events; DELETE FROM budgetkit_events WHERE sequence = 1");
    const store = sqliteStore(database);
    await store.migrate();
    const former = (await store.listEvents("1", anEventQuery())).total;
    const beginning = { sequence: former + 1, missing: [], statement: null };
    expect((await store.findLedgerBounds("1")).beginning).toEqual(beginning);
    await store.commit(commitOf("1", [], { audit: [anAuditEntry({ id: "92" })] }));
    const hashes = (await store.readLedger("1", { after: 0, limit: 9 })).map(({ hash }) => hash === null);
    expect(hashes).toEqual([...Array.from({ length: former }, () => true), false]);
    expect(await store.findUnsignedBeginnings(9)).toContain("1");
    expect(await store.signBeginning("1", former, "of another entry", null)).toBe(false);
    expect(await store.signBeginning("1", former + 1, "signed", null)).toBe(true);
    expect(await store.signBeginning("1", former + 1, "signed again", null)).toBe(false);
    expect(await store.signBeginning("1", former + 1, "signed by another key", "signed")).toBe(true);
    expect(await store.signBeginning("1", former + 1, "signed", "signed by another key")).toBe(true);
    expect((await store.findLedgerBounds("1")).beginning).toEqual({ ...beginning, statement: "signed" });
    expect(await store.findUnsignedBeginnings(9)).not.toContain("1");
  });

  it("an upgrade moves finished deliveries to the log, with their last hundred attempts", async () => {
    const database = unreleased();
    database.exec(
      `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 105)
       INSERT INTO budgetkit_attempts SELECT 1, 70, n, n, 1, NULL, 'error ' || n, NULL FROM numbers;
       UPDATE budgetkit_deliveries SET status = 'failed', next_attempt_at = NULL, attempts = 105;
       DELETE FROM budgetkit_delivery_queues`,
    );
    const store = sqliteStore(database);
    await store.migrate();
    const numbers = (await store.listAttempts("1", "70")).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 6));
    expect(await store.nextDueAt()).toBeNull();
    const query = aDeliveryQuery({ status: "failed" });
    expect((await store.listDeliveries("1", query)).entries).toEqual([await store.findDelivery("1", "70")]);
    expect(await store.findDelivery("1", "70")).toMatchObject({ attempts: 105, body: aDelivery().body });
    expect(await store.redeliver("1", "70", NOW, NOW)).toBe(true);
    expect(await store.nextDueAt()).toBe(NOW);
    expect(await store.listAttempts("1", "70")).toHaveLength(100);
  });

  it("an upgrade numbers the events of each business from 1, in order, and continues after them", async () => {
    const database = unreleased();
    database.exec("DELETE FROM budgetkit_undispatched_events; DELETE FROM budgetkit_events");
    const insert = database.prepare(
      `INSERT INTO budgetkit_events (sequence, business_id, id, type, occurred_at, subject_id, document)
       VALUES (?, ?, ?, 'budget.created', ?, '10', ?)`,
    );
    const wait = database.prepare("INSERT INTO budgetkit_undispatched_events (sequence, business_id) VALUES (?, ?)");
    for (const [position, business] of [
      [7, 1],
      [9, 2],
      [12, 2],
      [13, 1],
      [40, 1],
    ] as const) {
      const event = anEvent({ businessId: String(business), id: String(position) });
      insert.run(position, business, event.id, event.occurredAt, JSON.stringify(event));
      if (position > 9) wait.run(position, business);
    }
    const store = sqliteStore(database);
    await store.migrate();
    await store.commit(insertEndpointCommit(anEndpoint({ businessId: "2" })));
    await store.commit(
      insertBudgetCommit(aBudget({ id: "11", businessId: "2" }), {
        events: [anEvent({ businessId: "2", id: "91", type: "budget.updated" })],
      }),
    );
    await store.commit(commitOf("1", [], { audit: [anAuditEntry({ id: "92" })] }));
    const numbered = async (business: string) => {
      const { entries } = await store.listEvents(business, anEventQuery());
      return entries.map(({ id, sequence, revision }) => [id, sequence, revision]);
    };
    expect(await numbered("1")).toEqual([
      ["92", 4, 1],
      ["40", 3, 3],
      ["13", 2, 2],
      ["7", 1, 1],
    ]);
    expect(await numbered("2")).toEqual([
      ["91", 3, 3],
      ["12", 2, 2],
      ["9", 1, 1],
    ]);
    const waiting = await store.findUndispatchedEvents(10);
    expect(waiting.map(({ id }) => id)).toEqual(["12", "13", "40", "91"]);
    for (const event of waiting) expect(await store.fanOut(event, [])).toBe("written");
    expect(await store.findUndispatchedEvents(10)).toEqual([]);
  });

  it("an upgrade begins id ranges above the ids that were given", async () => {
    const database = unreleased();
    database.exec("UPDATE budgetkit_ids SET next = 4000000017");
    const store = sqliteStore(database);
    await store.migrate();
    expect(await store.reserveBusinessId()).toBe("4000000017");
    expect(await store.reserveIds("1", 1)).toBe(5_000_000_001);
  });

  it("an upgraded database keeps the windows of its rate limiter", async () => {
    const folder = temporaryFolder();
    const path = folder.file("budgets.db");
    unreleasedDatabase(path).close();
    unreleasedLimits(`${path}-limits`).close();
    const store = sqliteStore(path);
    onTestFinished(async () => {
      await store.close();
      folder.remove();
    });
    await store.migrate();
    expect(await store.countConsumed("key:1:20", HOURLY.lengthMs, NOW + 1)).toBe(2);
  });
});

/** Each table with its columns and indexes, as SQLite describes them. */
function objectsOf(database: BetterSqlite3.Database): unknown {
  const columnsOf = database.prepare(
    `SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid`,
  );
  const indexesOf = database.prepare(
    `SELECT list.name, list."unique", list.origin, list.partial, info.seqno, info.cid, info.name AS of, info."desc"
     FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS info ORDER BY list.name, info.seqno`,
  );
  const indexText = database.prepare<[string], string>(
    "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY name",
  );
  const kindOf = database.prepare("SELECT strict, wr FROM pragma_table_list(?)");
  return tablesOf(database).map((table) => ({
    table,
    kind: kindOf.get(table),
    columns: columnsOf.all(table),
    indexes: indexesOf.all(table),
    texts: indexText
      .pluck()
      .all(table)
      .map((sql) => sql.replace(/\s+/g, " ")),
  }));
}
