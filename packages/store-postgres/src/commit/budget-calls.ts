import { type Budget, fromMinor, type Numbering, type Payment, searchTextOf } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { BUDGET_BULK_COMMITS, BUDGET_COMMITS, type Replacement } from "../budgets/budget-functions.js";
import { BUDGET_TYPES, QUOTA_TYPES } from "../budgets/budget-rows.js";
import { LINK_VIEW_COMMITS } from "../budgets/link-view-functions.js";
import { numberingField, withSearchBlank } from "../budgets/number-functions.js";
import type { Connection } from "../engine/connection.js";
import { textsOf } from "../engine/text-rows.js";
import { EVENT_TYPES } from "../events/event-functions.js";
import { idempotencyRow } from "../events/idempotency.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";
import { bytesOf, documentsOf, plannedIn, takeEvents } from "./event-calls.js";

export function budgetCalls(connection: Connection) {
  const insert = connection.commits(BUDGET_BULK_COMMITS);
  const call = connection.commits(BUDGET_COMMITS);
  const view = connection.commits(LINK_VIEW_COMMITS);

  return {
    insertion(parts: CommitParts, { budget }: WriteOf<"budget">): SendCommit {
      const business = idToWrite(budget.businessId);
      const numbering = parts.take("numbering");
      const inserted = budgetRow(budget, idToWrite(budget.id), numbering);
      const rows = takeEvents(parts, connection);
      const quota = parts.take("quota");
      const bytes = bytesOf(inserted.document, ...documentsOf(rows));
      const quotas = { bytes, budget_quota: quota?.budgets ?? null, byte_quota: quota?.bytes ?? null };
      const texts = [...textsOf(BUDGET_TYPES, inserted), ...textsOf(QUOTA_TYPES, quotas)];
      for (const row of rows) texts.push(...textsOf(EVENT_TYPES, row));
      const completes = idempotencyRow(parts.take("completes"));
      const argument = {
        events: rows.map(({ plan }) => plan ?? null),
        ...(completes === null ? {} : { completes }),
        ...numberingField(numbering),
      };
      return () => insert("insert_budgets", business, argument, { texts, ...plannedIn(parts) });
    },

    replacement(parts: CommitParts, write: WriteOf<"budget">): SendCommit {
      const business = idToFind(write.budget.businessId);
      const argument = replacementArgument(connection, parts, write, parts.take("numbering"));
      return () => call("replace_budget", business, argument, plannedIn(parts));
    },

    payment(parts: CommitParts, { payment }: WriteOf<"payment">): SendCommit {
      const row = paymentRow(payment);
      const write = parts.takeWrite("budget") ?? parts.refuse("a payment changes its budget");
      const argument = { ...replacementArgument(connection, parts, write), payment: row };
      return () => call("record_payment", row.business_id, argument, plannedIn(parts));
    },

    linkView(parts: CommitParts, { view: viewed, isFirst }: WriteOf<"link-view">): SendCommit {
      const { businessId, budgetId, channel, at } = viewed;
      const unviewed = parts.takeCondition("not-viewed-since");
      if (unviewed?.budgetId !== budgetId)
        return parts.refuse("a view requires that its budget was not viewed just before");
      const key = { business_id: idToWrite(businessId), budget_id: idToFind(budgetId) };
      const argument = {
        view: { ...key, channel, views: 1, first_at: at, last_at: at },
        since: unviewed.since,
        isFirst,
        events: takeEvents(parts, connection),
      };
      return () => view("count_view", key.business_id, argument, plannedIn(parts));
    },
  };
}

/** The budget of a commit that replaces it, with its events. Other documents of the commit count for the quota, too. */
export function replacementArgument(
  connection: Connection,
  parts: CommitParts,
  { budget, expected }: WriteOf<"budget">,
  numbering: Numbering | null = null,
  others: readonly string[] = [],
): Replacement {
  if (expected === "absent") return parts.refuse("only a stored budget is changed");
  if (numbering?.kind === "keep") return parts.refuse("only a new budget keeps a given number");
  const row = budgetRow(budget, idToFind(budget.id), numbering);
  const events = takeEvents(parts, connection);
  return {
    budget: row,
    events,
    completes: idempotencyRow(parts.take("completes")),
    bytes: bytesOf(row.document, ...documentsOf(events), ...others),
    quota: parts.take("quota"),
    ...numberingField(numbering),
    expectedVersion: expected,
    clock: connection.clock,
  };
}

/** Without spreading, which V8 does slowly. */
function budgetRow(budget: Budget, id: number, numbering: Numbering | null) {
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

function paymentRow({ businessId, budgetId, id, reference, amount, currency, paidAt, createdAt, createdBy }: Payment) {
  return {
    business_id: idToFind(businessId),
    budget_id: idToFind(budgetId),
    reference,
    id: idToWrite(id),
    amount,
    currency,
    paid_at: paidAt,
    created_at: createdAt,
    created_by: createdBy,
  };
}
