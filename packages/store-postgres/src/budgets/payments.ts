import type { PaymentStore } from "@budgetkit/core/store";
import { asInteger, asPayment, idToFind } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";

const COLUMNS = [
  "business_id",
  "budget_id",
  "reference",
  "id",
  "amount",
  "currency",
  "paid_at",
  "created_at",
  "created_by",
];
const OF_BUDGET = "FROM @payments WHERE business_id = $1 AND budget_id = $2";

export function postgresPayments(connection: Connection): PaymentStore {
  const find = connection.row(`SELECT ${COLUMNS.join(", ")} ${OF_BUDGET} AND reference = $3`);
  const count = connection.value(`SELECT count(*) ${OF_BUDGET}`);

  return {
    findPayment: async (businessId, budgetId, reference) => {
      const row = await find(idToFind(businessId), idToFind(budgetId), textToFind(reference));
      return row === null ? null : asPayment(row);
    },

    countPayments: async (businessId, budgetId) => asInteger(await count(idToFind(businessId), idToFind(budgetId))),

    listPayments: async (businessId, budgetId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n ${OF_BUDGET}`,
        page: `SELECT ${COLUMNS.join(", ")} ${OF_BUDGET} ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: COLUMNS,
        values: [idToFind(businessId), idToFind(budgetId)],
        limit,
        offset,
      });
      return { entries: rows.map(asPayment), total, nextCursor: null };
    },
  };
}
