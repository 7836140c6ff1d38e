import {
  asDocument,
  type Budget,
  type BudgetStore,
  fromMinor,
  type IdempotencyRecord,
  idToFind,
  idToWrite,
  type Numbering,
  searchTextOf,
} from "@budgetkit/core/store";
import type { Connection, StoreClock } from "../engine/connection.js";
import { textsOf } from "../engine/text-rows.js";
import { EVENT_TYPES, type EventRow, type ReceiptRow } from "../events/event-functions.js";
import { eventRows, reportedPlans } from "../events/events.js";
import { receiptArgument } from "../events/idempotency.js";
import { OVERDUE } from "./budget-filters.js";
import { BUDGET_BULK_COMMITS, BUDGET_COMMITS, type Replacement } from "./budget-functions.js";
import { postgresBudgetList } from "./budget-list.js";
import { BUDGET_TYPES, QUOTA_TYPES } from "./budget-rows.js";
import { postgresNamedBudgets } from "./named-budgets.js";
import { numberingField, withSearchBlank } from "./number-functions.js";
import { postgresRevisions } from "./revisions.js";

export function replacementArgument(
  connection: Connection,
  ...[budget, expectedVersion, events, receipt, quota, numbering]: Parameters<BudgetStore["replaceBudget"]>
): Replacement {
  const replacing = budgetRow(budget, idToFind(budget.id), numbering);
  const rows = eventRows(connection, events);
  return {
    budget: replacing,
    events: rows,
    receipt: receiptArgument(receipt),
    bytes: bytesOf(replacing.document, rows),
    quota: quota ?? null,
    ...numberingField(numbering),
    expectedVersion,
  };
}

function bytesOf(document: string, events: readonly EventRow[]): number {
  return events.reduce((sum, event) => sum + Buffer.byteLength(event.document), Buffer.byteLength(document));
}

function receiptField(record: IdempotencyRecord | null): { readonly receipt?: ReceiptRow } {
  const receipt = receiptArgument(record);
  return receipt === null ? {} : { receipt };
}

export function postgresBudgets(connection: Connection, clock: StoreClock = "caller"): BudgetStore {
  const commit = connection.commits(BUDGET_COMMITS);
  const insert = connection.commits(BUDGET_BULK_COMMITS);
  const findDocuments = connection.lookUp({
    key: { business: "bigint", id: "bigint" },
    row: "SELECT document FROM @budgets WHERE business_id = key.business AND id = key.id",
  });
  const findByToken = connection.value("SELECT document FROM @budgets WHERE public_token_hash = $1");
  const findAllOverdue = connection.values(
    `SELECT document FROM @budgets
     WHERE ${OVERDUE} <= $1 AND business_id <> ALL ($3::bigint[]) ORDER BY valid_until LIMIT $2`,
  );

  return {
    insertBudget: async (budget, events, receipt, quota, numbering) => {
      const business = idToWrite(budget.businessId);
      const inserted = budgetRow(budget, idToWrite(budget.id), numbering);
      const rows = eventRows(connection, events);
      const bytes = bytesOf(inserted.document, rows);
      const quotas = { bytes, budget_quota: quota?.budgets ?? null, byte_quota: quota?.bytes ?? null };
      const texts = [...textsOf(BUDGET_TYPES, inserted), ...textsOf(QUOTA_TYPES, quotas)];
      for (const row of rows) texts.push(...textsOf(EVENT_TYPES, row));
      const argument = {
        events: rows.map(({ plan }) => plan ?? null),
        ...receiptField(receipt),
        ...numberingField(numbering),
      };
      return insert("insert_budgets", business, argument, { texts, planned: reportedPlans(events) });
    },

    findBudget: async (businessId, id) => {
      const [row] = await findDocuments([[idToFind(businessId), idToFind(id)]]);
      return asBudgetOrNull(row?.[0]);
    },

    findNamedBudget: postgresNamedBudgets(connection),

    replaceBudget: async (budget, expectedVersion, events, ...rest) => {
      const argument = { ...replacementArgument(connection, budget, expectedVersion, events, ...rest), clock };
      return commit("replace_budget", idToFind(budget.businessId), argument, { planned: reportedPlans(events) });
    },

    ...postgresRevisions(connection),

    listBudgets: postgresBudgetList(connection),

    findBudgetByPublicToken: async (tokenHash) => asBudgetOrNull(await findByToken(tokenHash)),

    findAllOverdueBudgets: async (now, limit, without = []) =>
      (await findAllOverdue(now, limit, without.map(idToFind))).map(asBudget),
  };
}

/** Without spreading, which V8 does slowly. */
function budgetRow(budget: Budget, id: number, numbering: Numbering | undefined) {
  return {
    business_id: idToFind(budget.businessId),
    id,
    version: budget.version,
    revision: budget.revision,
    status: budget.status,
    customer_id: budget.customerId,
    currency: budget.currency,
    total: fromMinor(budget.total, budget.currency),
    total_minor: budget.total,
    created_at: budget.createdAt,
    valid_until: budget.validUntil,
    public_token_hash: budget.publicTokenHash,
    search_text: withSearchBlank(searchTextOf(budget), numbering),
    document: JSON.stringify(budget),
  };
}

function asBudget(document: unknown): Budget {
  return asDocument<Budget>(document);
}

function asBudgetOrNull(document: unknown): Budget | null {
  return document === undefined ? null : asBudget(document);
}
