import { setImmediate as nextTurn } from "node:timers/promises";
import type { Budget, BudgetStore, RevisionEntry } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/** Without what a list leaves out, which is most of a document. */
const ENTRY = "json_remove(document, '$.items', '$.notes', '$.metadata')";

/** Documents of a hundred kilobytes that one turn of the event loop reads. */
const READ_AT_ONCE = 20;

/** Keeps the stored budget as a revision, as a part of the transaction that puts another in its place. */
export function revisionKeeper(connection: Connection): (business: number, id: number) => void {
  const keep = connection.command(
    `INSERT INTO budgetkit_budget_revisions (business_id, budget_id, revision, document)
     SELECT business_id, id, document ->> '$.revision', document FROM budgetkit_budgets WHERE business_id = ? AND id = ?`,
  );
  return (business, id) => void keep(business, id);
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

    listRevisions: async (businessId, id, limit, offset) => {
      const key = [idToFind(businessId), idToFind(id)] as const;
      const [present, first] = await connection.snapshot(() => [
        presentRevision(...key),
        offset === 0 ? presentEntry(...key) : [],
      ]);
      if (present === undefined) return { entries: [], total: 0, nextCursor: null };
      const total = asInteger(present);
      const documents = [...first];
      // Former revisions never change, so later reads agree with the snapshot. SQLite parses each document to cut it.
      for (let next = total - offset - first.length; next >= 0 && documents.length < limit; next -= READ_AT_ONCE) {
        if (documents.length > first.length) await nextTurn();
        const size = Math.min(READ_AT_ONCE, limit - documents.length);
        documents.push(...(await connection.read(() => formerEntries(...key, next, size))));
      }
      return { entries: documents.map((document) => asDocument<RevisionEntry>(document)), total, nextCursor: null };
    },
  };
}
