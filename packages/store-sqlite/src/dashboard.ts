import {
  type DashboardStore,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  KEY_STATUSES,
  type KeyStatus,
} from "@budgetkit/core/store";
import { sqliteBudgetSums } from "./budget-sums.js";
import type { Connection } from "./connection.js";
import { idToFind } from "./ids.js";
import { asInteger, asOneOf } from "./rows.js";

export function sqliteDashboard(connection: Connection): DashboardStore {
  const countByStatus = connection.rows(
    `SELECT document ->> 'status', count(*) FROM budgetkit_keys INDEXED BY budgetkit_keys_by_status
     WHERE business_id = ? GROUP BY document ->> 'status'`,
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
        const byStatus: Record<KeyStatus, number> = { ACTIVE: 0, SUSPENDED: 0, REVOKED: 0 };
        for (const [status, count] of countByStatus(business))
          byStatus[asOneOf(KEY_STATUSES, status)] = asInteger(count);
        return { byStatus, expiring: asInteger(countExpiring(business, after, until)) };
      }),

    countDeliveries: (businessId, since) =>
      connection.snapshot(() => {
        const counts: Record<DeliveryStatus, number> = {
          pending: 0,
          retrying: 0,
          delivered: 0,
          failed: 0,
          cancelled: 0,
        };
        for (const status of DELIVERY_STATUSES) {
          counts[status] = asInteger(countDeliveries(idToFind(businessId), status, since));
        }
        return counts;
      }),
  };
}
