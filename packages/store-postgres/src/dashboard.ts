import { BUDGET_STATUSES, type DashboardStore, DELIVERY_STATUSES } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind } from "./ids.js";
import { asInteger, asOneOf, asText, type Row } from "./rows.js";

export function postgresDashboard(connection: Connection): DashboardStore {
  const sumBudgets = connection.rows(
    "SELECT status, currency, budgets, total FROM @budget_sums WHERE business_id = $1 AND budgets > 0",
  );
  const countKeys = connection.rows(
    `SELECT status, count(*), count(*) FILTER (WHERE status = 'ACTIVE' AND expires_at > $2 AND expires_at <= $3)
     FROM @keys WHERE business_id = $1 GROUP BY status`,
  );
  const countDeliveries = connection.rows(
    `SELECT of_status, counted.n FROM unnest($3::text[]) AS of_status
     CROSS JOIN LATERAL (
       SELECT count(*) AS n FROM @deliveries WHERE business_id = $1 AND status = of_status AND created_at >= $2
     ) AS counted`,
  );

  return {
    sumBudgets: async (businessId) =>
      (await sumBudgets(idToFind(businessId))).map(([status, currency, budgets, total]) => ({
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
      const rows = await countDeliveries(idToFind(businessId), since, DELIVERY_STATUSES);
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

/** The count beside the status; 0 for one that has no row. */
function countOf(rows: readonly Row[], status: string): number {
  const row = rows.find(([of]) => of === status);
  return row === undefined ? 0 : asInteger(row[1]);
}
