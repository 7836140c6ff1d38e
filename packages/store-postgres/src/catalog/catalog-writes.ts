import {
  type CatalogKind,
  type CatalogRecords,
  type Expected,
  type Product,
  recordKeyOf,
  summariesOf,
  type Taken,
  uncounted,
} from "@budgetkit/core/store";
import { asInteger, asList, asText, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, Inspect, WriteHandlers } from "../commit/handlers.js";
import { textToFind } from "../engine/arguments.js";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";
import { RECORD_KINDS, type RecordKind } from "./record-kinds.js";

const COLUMNS = ["version", "name_key", "created_at", "deleted_at", "held", "search_text", "document"];

export function catalogWrites(statements: Statements): Pick<WriteHandlers, CatalogKind> {
  const keepSummaries = summaryKeeper(statements);
  return {
    customer: recordWriter(statements, RECORD_KINDS.customer),
    product: recordWriter(statements, RECORD_KINDS.product, keepSummaries),
    package: recordWriter(statements, RECORD_KINDS.package),
  };
}

/** The customers with the email `$2` that are not deleted, along their index. */
export const CUSTOMER_WITH_EMAIL =
  "business_id = $1 AND lower(email) = $2 AND email IS NOT NULL AND deleted_at IS NULL";

export function catalogConditions(statements: Statements): Pick<ConditionHandlers, "customer-email-free"> {
  const isHeld = statements.exists(`SELECT FROM @customers WHERE ${CUSTOMER_WITH_EMAIL} LIMIT 1`);
  return {
    "customer-email-free":
      ({ emailKey }) =>
      async (open) =>
        (await isHeld(open, textToFind(emailKey))) ? { taken: "email", value: emailKey } : null,
  };
}

/** Prepares the writes of one kind of record. `alsoWrite` writes the other rows of a record. */
function recordWriter<R extends CatalogRecords[CatalogKind]>(
  statements: Statements,
  kind: RecordKind<R>,
  alsoWrite: (transaction: Transaction, record: R) => void = () => {},
): (write: { readonly record: R; readonly expected: Expected }) => Inspect {
  const columns = [...COLUMNS, ...kind.ownColumns];
  const places = columns.map((_, index) => `$${index + 3}`);
  const insert = statements.write(
    `INSERT INTO @${kind.table} (business_id, id, ${columns.join(", ")}) VALUES ($1, $2, ${places.join(", ")})`,
  );
  const update = statements.write(
    `UPDATE @${kind.table} SET ${columns.map((column, index) => `${column} = ${places[index]}`).join(", ")}
     WHERE business_id = $1 AND id = $2`,
  );
  const find = statements.row(
    `SELECT version, to_json(held), search_text = $3 FROM @${kind.table} WHERE business_id = $1 AND id = $2`,
  );
  const values = heldValues(statements, kind.unique);
  const mark = statements.write(MARK_CATALOG);

  return ({ record, expected }) => {
    const { businessId, id } = record;
    if (expected === "absent") idToWrite(businessId);
    const key = expected === "absent" ? id : textToFind(id);
    const held = kind.heldBy(record);
    const searchText = kind.searchText(record);
    const row = valuesOf(kind, record, held, searchText);
    const write = expected === "absent" ? insert : update;

    return async (open) => {
      const [stored, present] = await Promise.all([find(open, key, searchText), values.findPresent(open, held)]);
      if (expected === "absent" && stored !== null) return { taken: "id", value: id };
      if (expected !== "absent" && (stored === null || asInteger(stored[0]) !== expected)) return "stale";
      const former = stored === null ? [] : asList(stored[1]).map(asText);
      const value = held.find((each) => present.has(each) && !former.includes(each));
      if (kind.unique !== null && value !== undefined) return { taken: kind.unique, value };
      return uncounted(() => {
        write(open, key, ...row);
        if (stored?.[2] !== true) open.texts.note(kind.table, id, stored !== null);
        values.replace(open, former, held);
        alsoWrite(open, record);
        if (kind.isNamedInBudgets) mark(open);
      });
    };
  };
}

/** Cached lists of budgets show names of customers and products until the mark of the business is another one. */
const MARK_CATALOG = `INSERT INTO @catalog_marks (business_id, mark) VALUES ($1, gen_random_uuid())
  ON CONFLICT (business_id) DO UPDATE SET mark = excluded.mark`;

function valuesOf<R extends CatalogRecords[CatalogKind]>(
  kind: RecordKind<R>,
  record: R,
  held: readonly string[],
  searchText: string,
): SqlValue[] {
  const { version, createdAt, deletedAt } = record;
  const nameKey = asText(recordKeyOf(record, "name").value);
  const values = [version, nameKey, createdAt, deletedAt, held, searchText, JSON.stringify(record)];
  return [...values, ...kind.ownValuesOf(record)];
}

/**
 * The values of one field that no two records of a business may hold. Null = this kind of record has none. Each is looked
 * for by itself: a plan for a list that was made while the table was empty reads all values of the business.
 */
function heldValues(statements: Statements, field: Taken["taken"] | null) {
  const find = statements.rows(
    `SELECT value FROM unnest($3::text[]) AS given (value) CROSS JOIN LATERAL (
       SELECT FROM @held_values WHERE business_id = $1 AND field = $2 AND value = given.value LIMIT 1
     ) AS stored`,
  );
  const release = statements.write("DELETE FROM @held_values WHERE business_id = $1 AND field = $2 AND value = $3");
  const hold = statements.insert("@held_values", { field: "text", value: "text" });

  return {
    findPresent: async (transaction: Transaction, values: readonly string[]): Promise<ReadonlySet<string>> => {
      if (field === null || values.length === 0) return new Set();
      return new Set((await find(transaction, field, values)).map(([value]) => asText(value)));
    },

    replace: (transaction: Transaction, former: readonly string[], held: readonly string[]): void => {
      if (field === null) return;
      for (const value of former) if (!held.includes(value)) release(transaction, field, value);
      for (const value of held) if (!former.includes(value)) hold(transaction, field, value);
    },
  };
}

/** The variant id in the row of the product itself. */
const ITSELF = "";

/** Writes the summaries of a product that have changed. */
function summaryKeeper(statements: Statements): (transaction: Transaction, product: Product) => void {
  const removeOthers = statements.write(
    "DELETE FROM @product_summaries WHERE business_id = $1 AND product_id = $2 AND variant_id <> ALL ($3::text[])",
  );
  const write = statements.insert(
    "@product_summaries",
    {
      product_id: "text",
      variant_id: "text",
      name: "text",
      sku: "text",
      unit_price: "double precision",
      currency: "text",
      deleted_at: "bigint",
      line_defaults: "text",
    },
    `ON CONFLICT (business_id, product_id, variant_id) DO UPDATE SET
       name = excluded.name, sku = excluded.sku, unit_price = excluded.unit_price, currency = excluded.currency,
       deleted_at = excluded.deleted_at, line_defaults = excluded.line_defaults
     WHERE (stored.name, stored.sku, stored.unit_price, stored.currency, stored.deleted_at, stored.line_defaults)
       IS DISTINCT FROM (excluded.name, excluded.sku, excluded.unit_price, excluded.currency, excluded.deleted_at,
         excluded.line_defaults)`,
  );
  return (transaction, product) => {
    const summaries = summariesOf(product);
    removeOthers(
      transaction,
      product.id,
      summaries.map(({ variantId }) => variantId ?? ITSELF),
    );
    for (const { productId, variantId, name, sku, unitPrice, currency, deletedAt, defaults } of summaries) {
      const lineDefaults = defaults === undefined ? null : JSON.stringify(defaults);
      write(transaction, productId, variantId ?? ITSELF, name, sku, unitPrice, currency, deletedAt, lineDefaults);
    }
  };
}
