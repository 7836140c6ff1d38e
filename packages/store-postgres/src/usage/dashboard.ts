import { BUDGET_STATUSES, type DashboardStore } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind, type Row } from "@budgetkit/store-kit";
import { OVERDUE } from "../budgets/budget-filters.js";
import type { Connection } from "../commit/connection.js";

export function postgresDashboard(connection: Connection): DashboardStore {
  const sumBudgets = connection.rows(
    `WITH overdue AS MATERIALIZED (
       SELECT currency, count(*) AS budgets, sum(total_minor) AS total FROM @budgets
       WHERE business_id = $1 AND ${OVERDUE} <= $2 GROUP BY currency
     )
     SELECT status, currency, sum(budgets)::bigint, sum(total) FROM (
       SELECT status, currency, budgets, total FROM @budget_sums WHERE business_id = $1
       UNION ALL SELECT 'PENDING', currency, -budgets, -total FROM overdue
       UNION ALL SELECT 'EXPIRED', currency, budgets, total FROM overdue
     ) AS shown GROUP BY status, currency HAVING sum(budgets) > 0`,
  );
  const countKeys = connection.rows(
    `SELECT status, count(*), count(*) FILTER (WHERE status = 'ACTIVE' AND expires_at > $2 AND expires_at <= $3)
     FROM @keys WHERE business_id = $1 GROUP BY status`,
  );
  const countDeliveries = connection.rows(
    "SELECT status, count(*) FROM @deliveries WHERE business_id = $1 AND created_at >= $2 GROUP BY status",
  );

  return {
    sumBudgets: async (businessId, now) =>
      (await sumBudgets(idToFind(businessId), now)).map(([status, currency, budgets, total]) => ({
        status: asOneOf(BUDGET_STATUSES, status),
        currency: asText(currency),
        budgets: asInteger(budgets),
        total: BigInt(asText(total)),
      })),

    countKeys: async (businessId, after, until) => {
      const rows = await countKeys(idToFind(businessId), after, until);
      return {
        byStatus: {
          ACTIVE: countOf(rows, "ACTIVE"),
          SUSPENDED: countOf(rows, "SUSPENDED"),
          REVOKED: countOf(rows, "REVOKED"),
        },
        expiring: rows.reduce((sum, [, , expiring]) => sum + asInteger(expiring), 0),
      };
    },

    countDeliveries: async (businessId, since) => {
      const rows = await countDeliveries(idToFind(businessId), since);
      return {
        pending: countOf(rows, "pending"),
        retrying: countOf(rows, "retrying"),
        delivered: countOf(rows, "delivered"),
        failed: countOf(rows, "failed"),
        cancelled: countOf(rows, "cancelled"),
      };
    },
  };
}

/** The count of a status; 0 = no row. */
function countOf(rows: readonly Row[], status: string): number {
  const row = rows.find(([of]) => of === status);
  return row === undefined ? 0 : asInteger(row[1]);
}
