import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertBudgetCommit, insertEndpointCommit, insertUserCommit, recordCommit } from "@budgetkit/core/store";
import { asList, CopyRefused, columnsOf, DATA_TABLES, type DataRow, type DataTableName } from "@budgetkit/store-kit";
import {
  aBudget,
  aCustomer,
  aDelivery,
  anAttempt,
  anEndpoint,
  anEvent,
  aProduct,
  aUser,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { migrate } from "../engine/migrations.js";
import { openSqliteSource, sqliteStore } from "../index.js";
import { MIGRATIONS } from "../schema.js";

const folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function rowsOf(path: string, name: DataTableName, after: DataRow | null = null): Promise<readonly DataRow[]> {
  const table = DATA_TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  const source = await openSqliteSource(path);
  const rows: DataRow[] = [];
  for await (const row of source.rows(table, after)) rows.push(row);
  await source.close();
  return rows;
}

function databaseAt(path: string, migrations: typeof MIGRATIONS): void {
  const database = new BetterSqlite3(path);
  migrate(database, migrations);
  database.close();
}

describe("a SQLite file as the source of a copy", () => {
  it("a SQLite source reads rows in the order of their keys, from a given one on", async () => {
    const path = join(folder, "order.db");
    const store = sqliteStore(path, { limiter: "memory" });
    await store.migrate();
    for (const id of ["é", "Z", "a", "10", "9"])
      await store.commit(recordCommit("customer", aCustomer({ id, cuit: null }), "absent"));
    await store.close();
    const idsOf = (rows: readonly DataRow[]) => rows.map(([, id]) => id);
    expect(idsOf(await rowsOf(path, "customers"))).toEqual(["10", "9", "Z", "a", "é"]);
    expect(idsOf(await rowsOf(path, "customers", [1, "Z"]))).toEqual(["a", "é"]);
  });

  it("a SQLite source converts what SQLite keeps in another form", async () => {
    const path = join(folder, "forms.db");
    const store = sqliteStore(path, { limiter: "memory" });
    await store.migrate();
    const total = Number.MAX_SAFE_INTEGER;
    for (const id of ["10", "11"]) await store.commit(insertBudgetCommit(aBudget({ id, total, status: "PENDING" })));
    await store.commit(insertUserCommit(aUser({ emailVerified: true })));
    await store.commit(recordCommit("product", aProduct({ sku: "B-1" }), "absent"));
    await store.commit(recordCommit("customer", aCustomer({ cuit: "20301234563" }), "absent"));
    await store.close();
    expect(await rowsOf(path, "budget_sums")).toEqual([
      [1, "PENDING", aBudget().currency, 2, String(2n * BigInt(total))],
    ]);
    expect((await rowsOf(path, "users"))[0]).toContain(true);
    expect(await rowsOf(path, "held_values")).toEqual([
      [1, "cuit", "20301234563"],
      [1, "sku", "B-1"],
    ]);
    expect((await rowsOf(path, "products"))[0]).toContainEqual(["B-1"]);
  });

  it("a SQLite source reads waiting and finished deliveries, with their bodies and attempts", async () => {
    const path = join(folder, "deliveries.db");
    const store = sqliteStore(path, { limiter: "memory" });
    await store.migrate();
    const body = (id: string) => `{"metadata":{"delivery_id":"${id}"}}`;
    await store.commit(insertEndpointCommit(anEndpoint()));
    await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
    const [event] = await store.findUndispatchedEvents(1);
    if (event === undefined) throw new Error("no event waits");
    await store.fanOut(
      event,
      ["70", "71"].map((id) => aDelivery({ id, body: body(id), origin: { requestId: "r-1", trace: null } })),
    );
    const lease = { token: "lease-1", until: NOW + 60_000 };
    await store.claimDue({ lease, now: NOW, limit: 2, perBusiness: 1, perSubscriber: 1, inFlight: [] });
    const end = {
      fencingToken: lease.token,
      refundedAttempts: 0,
      status: "failed",
      nextAttemptAt: null,
      now: NOW,
    } as const;
    await store.settle({ businessId: "1", deliveryId: "70", ...end, attempt: anAttempt({ error: "ñ" }) });
    await store.close();
    const statusOf = async () => (await rowsOf(path, "deliveries")).map((row) => [row[1], row[6], row[9]]);
    expect(await statusOf()).toEqual([
      [70, "failed", null],
      [71, "pending", NOW],
    ]);
    const origin = '{"requestId":"r-1","trace":null}';
    expect(await rowsOf(path, "delivery_bodies")).toEqual([[1, 70, '{"metadata":{"delivery_id":"', '"}}', origin, 2]]);
    expect(await rowsOf(path, "attempts")).toEqual([[1, 70, 1, NOW, 120, 200, "ñ", "ok"]]);
    expect(await rowsOf(path, "attempts", [1, 70, 1])).toEqual([]);
  });

  it("a SQLite source leaves out no table and no column, except derived ones", () => {
    const database = new BetterSqlite3(":memory:");
    migrate(database, MIGRATIONS);
    const columns = database
      .prepare(
        `SELECT substr(tables.name, 11), columns.name
         FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
         WHERE tables.type = 'table' AND tables.name LIKE 'budgetkit!_%' ESCAPE '!'`,
      )
      .raw()
      .all();
    database.close();
    const given = new Set(DATA_TABLES.flatMap((table) => columnsOf(table).map((column) => `${table.name}.${column}`)));
    const filledByTriggers = /^(?:search_\w+|upload_sums)\./;
    const ofDeliveries = (column: string) => column.replace(/^(?:delivery_queue|delivery_log)\./, "deliveries.");
    const leftOut = columns
      .map((row) => asList(row).join("."))
      .filter((column) => !given.has(ofDeliveries(column)) && !filledByTriggers.test(column));
    expect(leftOut.sort()).toEqual([
      "budget_sums.total_high",
      "budget_sums.total_low",
      "customers.cuit",
      "delivery_log.payload_id",
      "delivery_log.trail",
      "delivery_queue.due_at",
      "delivery_queue.payload_id",
      "delivery_queue.trail",
      "delivery_turns.business_id",
      "delivery_turns.ordered_subject",
      "delivery_turns.position",
      "delivery_turns.subscriber_id",
      "delivery_turns.subscriber_kind",
      "events.position",
      "ids.next",
      "ids.next_range",
      "ids.only_row",
      "migrations.checksum",
      "migrations.version",
      "payloads.deliveries",
      "payloads.head",
      "payloads.id",
      "payloads.origin",
      "payloads.tail",
      "sales_sums.total_high",
      "sales_sums.total_low",
      "skus.business_id",
      "skus.product_id",
      "skus.sku",
    ]);
  });

  it("a SQLite source reads what was committed before a crash", async () => {
    const store = sqliteStore(join(folder, "living.db"), { limiter: "memory" });
    await store.migrate();
    await store.commit(insertBudgetCommit(aBudget()));
    for (const suffix of ["", "-wal"])
      copyFileSync(join(folder, `living.db${suffix}`), join(folder, `dead.db${suffix}`));
    await store.close();
    expect(await rowsOf(join(folder, "dead.db"), "budgets")).toHaveLength(1);
  });

  it("a SQLite source locks the file until it is closed", async () => {
    const path = join(folder, "alone.db");
    const store = sqliteStore(path, { limiter: "memory" });
    await store.migrate();
    await expect(openSqliteSource(path)).rejects.toThrow(`${path} is in use`);
    await store.close();
    const source = await openSqliteSource(path);
    expect(() => new BetterSqlite3(path, { timeout: 0 }).prepare("SELECT * FROM budgetkit_ids").get()).toThrow(
      "locked",
    );
    await source.close();
    await (await openSqliteSource(path)).close();
  });

  it.each([
    [
      "an older schema",
      (path: string) => databaseAt(path, MIGRATIONS.slice(0, -1)),
      "let this release serve from it once",
    ],
    [
      "other data",
      (path: string) => new BetterSqlite3(path).exec("CREATE TABLE notes (text)").close(),
      "let this release",
    ],
    [
      "a newer schema",
      (path: string) => databaseAt(path, [...MIGRATIONS, { version: 99, sql: "" }]),
      "newer than this release",
    ],
    ["something else", (path: string) => writeFileSync(path, "x".repeat(5_000)), "not a database"],
  ])("refuses to copy %s", async (name, make, message) => {
    const path = join(folder, `${name}.db`);
    make(path);
    await expect(openSqliteSource(path)).rejects.toThrow(message);
  });

  it("refuses a SQLite source that does not exist, and creates none (CopyRefused)", async () => {
    const path = join(folder, "none.db");
    await expect(openSqliteSource(path)).rejects.toThrow(CopyRefused);
    await expect(openSqliteSource(path)).rejects.toThrow("cannot be opened");
  });
});
