import type { BudgetMessage, MessageStore } from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";

const OF_BUDGET = "FROM @messages WHERE business_id = $1 AND budget_id = $2";

export function postgresMessages(connection: Connection): MessageStore {
  return {
    listMessages: async (businessId, budgetId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n ${OF_BUDGET}`,
        page: `SELECT created_at, id, document ${OF_BUDGET} ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: ["document"],
        values: [idToFind(businessId), idToFind(budgetId)],
        limit,
        offset,
      });
      return { entries: rows.map(([document]) => asDocument<BudgetMessage>(document)), total, nextCursor: null };
    },
  };
}
