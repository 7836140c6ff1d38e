import type { Budget, BudgetStore, RevisionEntry } from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";

const PRESENT = "SELECT revision, document FROM @budgets WHERE business_id = $1 AND id = $2";
const FORMER = "SELECT revision, document FROM @budget_revisions WHERE business_id = $1 AND budget_id = $2";

export function postgresRevisions(connection: Connection): Pick<BudgetStore, "findRevision" | "listRevisions"> {
  const find = connection.value(
    `SELECT document FROM (${PRESENT} AND revision = $3 UNION ALL ${FORMER} AND revision = $3) AS found`,
  );

  return {
    findRevision: async (businessId, id, revision) => {
      if (!Number.isSafeInteger(revision)) return null;
      const document = await find(idToFind(businessId), idToFind(id), revision);
      return document === undefined ? null : asDocument<Budget>(document);
    },

    listRevisions: async (businessId, id, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT coalesce((SELECT revision FROM (${PRESENT}) AS present), 0) AS n`,
        // Without the fields that a list omits, which are most of a document.
        page: `SELECT revision, (document::jsonb - '{items,notes,metadata}'::text[])::text AS entry
               FROM (${PRESENT} UNION ALL ${FORMER}) AS all_revisions ORDER BY revision DESC`,
        order: "page.revision DESC",
        columns: ["entry"],
        values: [idToFind(businessId), idToFind(id)],
        limit,
        offset,
      });
      return { entries: rows.map(([entry]) => asDocument<RevisionEntry>(entry)), total, nextCursor: null };
    },
  };
}
