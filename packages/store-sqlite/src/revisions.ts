import type { Budget, BudgetStore, RevisionEntry } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind } from "./ids.js";
import { asDocument, asInteger } from "./rows.js";

/** Without what a list leaves out, which is most of a document. */
const ENTRY = "json_remove(document, '$.items', '$.notes', '$.metadata')";

/**
 * Keeps the stored budget as a revision if `revision` is greater than its own, as a part of the transaction that puts
 * another in its place.
 */
export function revisionKeeper(connection: Connection): (business: number, id: number, revision: number) => void {
  const keep = connection.command(
    `INSERT INTO budgetkit_budget_revisions (business_id, budget_id, revision, document)
     SELECT business_id, id, document ->> '$.revision', document FROM budgetkit_budgets
     WHERE business_id = ? AND id = ? AND document ->> '$.revision' < ?`,
  );
  return (business, id, revision) => {
    if (revision > 1) keep(business, id, revision);
  };
}

export function sqliteRevisions(connection: Connection): Pick<BudgetStore, "findRevision" | "listRevisions"> {
  const presentRevision = connection.value(
    "SELECT document ->> '$.revision' FROM budgetkit_budgets WHERE business_id = ? AND id = ?",
  );
  const findPresent = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const findFormer = connection.value(
    "SELECT document FROM budgetkit_budget_revisions WHERE business_id = ? AND budget_id = ? AND revision = ?",
  );
  const presentEntry = connection.values(`SELECT ${ENTRY} FROM budgetkit_budgets WHERE business_id = ? AND id = ?`);
  const formerEntries = connection.values(
    `SELECT ${ENTRY} FROM budgetkit_budget_revisions
     WHERE business_id = ? AND budget_id = ? AND revision <= ? ORDER BY revision DESC LIMIT ?`,
  );

  return {
    findRevision: (businessId, id, revision) =>
      connection.snapshot(() => {
        const key = [idToFind(businessId), idToFind(id)] as const;
        const isPresent = presentRevision(...key) === revision;
        const document = isPresent ? findPresent(...key) : findFormer(...key, revision);
        return document === undefined ? null : asDocument<Budget>(document);
      }),

    listRevisions: (businessId, id, limit, offset) =>
      connection.snapshot(() => {
        const key = [idToFind(businessId), idToFind(id)] as const;
        const present = presentRevision(...key);
        if (present === undefined) return { entries: [], total: 0, nextCursor: null };
        const total = asInteger(present);
        const first = offset === 0 ? presentEntry(...key) : [];
        const others = formerEntries(...key, total - offset, limit - first.length);
        const entries = [...first, ...others].map((document) => asDocument<RevisionEntry>(document));
        return { entries, total, nextCursor: null };
      }),
  };
}
