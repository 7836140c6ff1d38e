import { asInteger, type DashboardStore, type DeliveryStatus, idToFind, type KeyStatus } from "@budgetkit/core/store";
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
  const countDeliveries = connection.value(
    "SELECT count(*) FROM budgetkit_deliveries WHERE business_id = ? AND status = ? AND created_at >= ?",
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
        const countOf = (status: DeliveryStatus) => asInteger(countDeliveries(idToFind(businessId), status, since));
        return {
          pending: countOf("pending"),
          retrying: countOf("retrying"),
          delivered: countOf("delivered"),
          failed: countOf("failed"),
          cancelled: countOf("cancelled"),
        };
      }),
  };
}
