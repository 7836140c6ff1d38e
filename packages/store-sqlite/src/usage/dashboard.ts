import type { DashboardStore, KeyStatus } from "@budgetkit/core/store";
import { asInteger, idToFind } from "@budgetkit/store-kit";
import { sqliteBudgetSums } from "../budgets/budget-sums.js";
import type { Connection } from "../engine/connection.js";

export function sqliteDashboard(connection: Connection): DashboardStore {
  const countKeys = connection.value(
    `SELECT count(*) FROM budgetkit_keys INDEXED BY budgetkit_keys_by_status
     WHERE business_id = ? AND document ->> 'status' = ?`,
  );
  const countExpiring = connection.value(
    `SELECT count(*) FROM budgetkit_keys INDEXED BY budgetkit_keys_by_status
     WHERE business_id = ? AND document ->> 'status' = 'ACTIVE'
       AND document ->> 'expiresAt' > ? AND document ->> 'expiresAt' <= ?`,
  );
  const countWaiting = connection.row(
    `SELECT count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'retrying')
     FROM budgetkit_delivery_queue WHERE business_id = ? AND created_at >= ?`,
  );
  const countFinished = connection.row(
    `SELECT count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'failed'),
       count(*) FILTER (WHERE status = 'cancelled')
     FROM budgetkit_delivery_log WHERE business_id = ? AND created_at >= ?`,
  );

  return {
    ...sqliteBudgetSums(connection),

    countKeys: (businessId, after, until) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const countOf = (status: KeyStatus) => asInteger(countKeys(business, status));
        const byStatus = { ACTIVE: countOf("ACTIVE"), SUSPENDED: countOf("SUSPENDED"), REVOKED: countOf("REVOKED") };
        return { byStatus, expiring: asInteger(countExpiring(business, after, until)) };
      }),

    countDeliveries: (businessId, since) =>
      connection.snapshot(() => {
        const key = [idToFind(businessId), since] as const;
        const [pending = 0, retrying = 0] = (countWaiting(...key) ?? []).map(asInteger);
        const [delivered = 0, failed = 0, cancelled = 0] = (countFinished(...key) ?? []).map(asInteger);
        return { pending, retrying, delivered, failed, cancelled };
      }),
  };
}
