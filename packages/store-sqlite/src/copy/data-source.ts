import { type Customer, cuitHeldBy, type Product, skusHeldBy } from "@budgetkit/core/store";
import {
  asDocument,
  asList,
  asText,
  CopyRefused,
  columnsOf,
  type DataRow,
  type DataSource,
  type DataTable,
  type DataTableName,
  type DataValue,
} from "@budgetkit/store-kit";
import { sqliteDriver } from "../driver/choose-driver.js";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { isLocked, storeFailure } from "../engine/failures.js";
import { isCurrent } from "../engine/migrations.js";
import { MIGRATIONS } from "../schema.js";
import { DELIVERIES } from "../webhooks/delivery-rows.js";

/** How to read a column of the copy that differs from the column of the same name here. */
interface Origin {
  readonly sql?: string; // default: the column of the same name
  readonly read?: (value: unknown) => DataValue; // default: the value itself
}

const OF_DOCUMENT = (field: string): Origin => ({ sql: `document ->> '$.${field}'` });

const HELD_BY = (held: (document: unknown) => readonly string[]): Origin => ({ sql: "document", read: held });

const TOTAL_OF_PARTS: Origin = { sql: "total_high || ' ' || total_low", read: sumOfParts };

const ORIGINS: Partial<Record<DataTableName, Readonly<Record<string, Origin>>>> = {
  users: { email_verified: { read: (value) => value === 1 } },
  keys: {
    status: OF_DOCUMENT("status"),
    expires_at: OF_DOCUMENT("expiresAt"),
    webhook_url: OF_DOCUMENT("webhookUrl"),
    previous_webhook_secret_until: OF_DOCUMENT("previousWebhookSecretUntil"),
  },
  customers: { held: HELD_BY((text) => [cuitHeldBy(asDocument<Customer>(text))].filter((cuit) => cuit !== null)) },
  products: { held: HELD_BY((text) => skusHeldBy(asDocument<Product>(text))) },
  packages: { held: HELD_BY(() => []) },
  budgets: { revision: OF_DOCUMENT("revision"), total_minor: OF_DOCUMENT("total") },
  budget_sums: { total: TOTAL_OF_PARTS },
  sales_sums: { total: TOTAL_OF_PARTS },
  endpoints: { previous_secret_until: OF_DOCUMENT("previousSecretUntil") },
};

/** Tables of the copy that are not tables here. */
const RELATIONS: Partial<Record<DataTableName, string>> = {
  counters: `(
    SELECT 'ids' AS name, next AS value FROM budgetkit_ids
    UNION ALL
    SELECT 'id_ranges', next_range FROM budgetkit_ids
    UNION ALL
    SELECT 'event_positions', coalesce((SELECT max(position) FROM budgetkit_undispatched_events), 0)
  )`,
  deliveries: `(SELECT *, min(id) OVER (PARTITION BY payload_id) AS body_id FROM ${DELIVERIES})`,
  delivery_bodies: `(
    SELECT business_id, min(deliveries.id) AS id, head, tail, origin, count(*) AS deliveries
    FROM ${DELIVERIES} AS deliveries JOIN budgetkit_payloads AS payloads ON payloads.id = payload_id
    GROUP BY payload_id
  )`,
  attempts: `(
    SELECT business_id, deliveries.id AS delivery_id, value ->> 0 AS number, value ->> 1 AS started_at, value ->> 2 AS duration_ms,
      value ->> 3 AS response_code, value ->> 4 AS error, value ->> 5 AS response_body
    FROM ${DELIVERIES} AS deliveries, json_each(trail)
  )`,
  held_values: `(
    SELECT business_id, 'sku' AS field, sku AS value FROM budgetkit_skus
    UNION
    SELECT business_id, 'cuit', cuit FROM budgetkit_customers WHERE cuit IS NOT NULL AND deleted_at IS NULL
  )`,
};

/** A total is stored in two parts, whose sums stay exact. */
function sumOfParts(value: unknown): string {
  const [high = "", low = ""] = asText(value).split(" ");
  return String((BigInt(high) << 26n) + BigInt(low));
}

/**
 * All data of a SQLite file, for `copyData` of core, without the rate limiter's windows and the attached files. No other
 * connection can use the file until the source is closed.
 * Rejects with CopyRefused when the file does not exist, is in use, or has another schema than this release.
 */
export async function openSqliteSource(path: string): Promise<DataSource> {
  const database = open(path);
  try {
    lockFile(database);
    if (!isCurrent(database, MIGRATIONS)) {
      throw new CopyRefused(
        `${path} has no data of the present schema: let this release serve from it once, then stop it and copy`,
      );
    }
  } catch (error) {
    database.close();
    throw storeFailure(error);
  }

  return {
    rows: async function* (table, after) {
      const origins = columnsOf(table).map((column) => originOf(table, column));
      const values = after ?? [];
      const statement = database
        .prepare(selectOf(table, after !== null))
        .safeIntegers(false)
        .raw();
      for (const row of statement.iterate(...values)) yield dataRow(origins, asList(row));
    },

    close: async () => {
      if (database.inTransaction) database.exec("ROLLBACK");
      database.close();
    },
  };
}

function open(path: string): SqliteDatabase {
  try {
    return sqliteDriver().open(path, { fileMustExist: true, timeout: 0 });
  } catch (error) {
    throw new CopyRefused(`${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Locks the file for this connection alone. Throws CopyRefused while another connection has it open. */
function lockFile(database: SqliteDatabase): void {
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new CopyRefused(`${database.name} is in use: stop the service that uses it, then copy`);
  }
}

function originOf(table: DataTable, column: string): Origin {
  return ORIGINS[table.name]?.[column] ?? {};
}

function selectOf(table: DataTable, isBehindKey: boolean): string {
  const columns = columnsOf(table).map((column) => originOf(table, column).sql ?? column);
  const key = table.key.join(", ");
  const where = isBehindKey ? `WHERE (${key}) > (${table.key.map(() => "?").join(", ")})` : "";
  const relation = RELATIONS[table.name] ?? `budgetkit_${table.name}`;
  return `SELECT ${columns.join(", ")} FROM ${relation} ${where} ORDER BY ${key}`;
}

function dataRow(origins: readonly Origin[], row: readonly unknown[]): DataRow {
  return row.map((value, index) => (origins[index]?.read ?? dataValue)(value));
}

function dataValue(value: unknown): DataValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`the database holds ${typeof value}, which no column of the schema does`);
}
