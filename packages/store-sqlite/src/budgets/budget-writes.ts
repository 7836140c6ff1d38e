import { type Budget, fromMinor, type Sold, searchTextOf, soldOf } from "@budgetkit/core/store";
import { asInteger, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers, WriteOf } from "../commit/handlers.js";
import type { Connection, SqlValue } from "../engine/connection.js";
import { rowWriter } from "../engine/row-writer.js";
import { asSold, budgetSums, SOLD_COLUMNS } from "./budget-sums.js";
import { revisionKeeper } from "./revisions.js";

/** In the order of {@link columnValuesOf}. */
const COLUMNS = [
  "version",
  "status",
  "customer_id",
  "currency",
  "total",
  "created_at",
  "valid_until",
  "public_token_hash",
  "search_text",
  "document",
];

/** What a replacement reads of the stored budget. */
interface Stored extends Sold {
  readonly version: number;
  readonly bytes: number; // of its document
  readonly revision: number;
}

export function budgetWrites(connection: Connection): Pick<WriteHandlers, "budget"> {
  const { insert, update } = rowWriter(connection, "budgetkit_budgets", COLUMNS, "OR FAIL");
  const findStored = storedFinder(connection);
  const keepRevision = revisionKeeper(connection);
  const sums = budgetSums(connection);

  return {
    budget: ({ budget, expected }: WriteOf<"budget">) => {
      const document = JSON.stringify(budget);
      const bytes = Buffer.byteLength(document);
      const asKey = expected === "absent" ? idToWrite : idToFind;
      const key = [asKey(budget.businessId), asKey(budget.id)] as const;
      const row = [...columnValuesOf(budget, document), ...key];
      if (expected === "absent") {
        const apply = () => {
          insert(...row);
          sums.add(key[0], soldOf(budget));
        };
        return () => ({ added: { budgets: 1, documentBytes: bytes }, apply });
      }
      return () => {
        const stored = findStored(...key);
        if (stored?.version !== expected) return "stale";
        const isRevision = budget.revision > stored.revision;
        const apply = () => {
          if (isRevision) keepRevision(...key);
          update(...row);
          sums.move(key[0], stored, soldOf(budget));
        };
        return { added: { documentBytes: bytes - (isRevision ? 0 : stored.bytes) }, apply };
      };
    },
  };
}

function storedFinder(connection: Connection): (business: number, id: number) => Stored | null {
  const find = connection.row(
    `SELECT version, octet_length(document), document ->> 'revision', ${SOLD_COLUMNS}
     FROM budgetkit_budgets WHERE business_id = ? AND id = ?`,
  );
  return (business, id) => {
    const row = find(business, id);
    if (row === null) return null;
    const [version, bytes, revision, ...sold] = row;
    return {
      version: asInteger(version),
      bytes: asInteger(bytes),
      revision: asInteger(revision),
      ...asSold(sold),
    };
  };
}

export function budgetConditions(connection: Connection): Pick<ConditionHandlers, "budget-version"> {
  const isAtVersion = connection.exists(
    "SELECT 1 FROM budgetkit_budgets WHERE business_id = ? AND id = ? AND version = ?",
  );
  return {
    "budget-version": ({ budgetId, is }, businessId) =>
      isAtVersion(idToFind(businessId), idToFind(budgetId), is) ? null : "stale",
  };
}

function columnValuesOf(budget: Budget, document: string): SqlValue[] {
  return [
    budget.version,
    budget.status,
    budget.customerId,
    budget.currency,
    fromMinor(budget.total, budget.currency),
    budget.createdAt,
    budget.validUntil,
    budget.publicTokenHash,
    searchTextOf(budget),
    document,
  ];
}
