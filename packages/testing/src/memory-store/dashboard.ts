import { asOf, type BudgetSum, type DashboardStore, type DeliveryStatus, type KeyStatus } from "@budgetkit/core/store";
import type { OpenTables } from "./tables.js";

export function memoryDashboard(open: OpenTables): DashboardStore {
  return {
    sumBudgets: async (businessId, now) => {
      const sums = new Map<string, BudgetSum>();
      for (const budget of open().budgets.of(businessId)) {
        const { status, currency, total } = asOf(budget, now);
        const sum = sums.get(status + currency) ?? { status, currency, budgets: 0, total: 0n };
        sums.set(status + currency, { ...sum, budgets: sum.budgets + 1, total: sum.total + BigInt(total) });
      }
      return [...sums.values()];
    },

    countKeys: async (businessId, after, until) => {
      const byStatus: Record<KeyStatus, number> = { ACTIVE: 0, SUSPENDED: 0, REVOKED: 0 };
      let expiring = 0;
      for (const { status, expiresAt } of open().keys.of(businessId)) {
        byStatus[status] += 1;
        if (status === "ACTIVE" && expiresAt !== null && expiresAt > after && expiresAt <= until) expiring += 1;
      }
      return { byStatus, expiring };
    },

    countDeliveries: async (businessId, since) => {
      const counts: Record<DeliveryStatus, number> = { pending: 0, retrying: 0, delivered: 0, failed: 0, cancelled: 0 };
      for (const { status, createdAt } of open().deliveries.of(businessId)) if (createdAt >= since) counts[status] += 1;
      return counts;
    },
  };
}
