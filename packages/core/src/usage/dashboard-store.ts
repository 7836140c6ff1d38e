import type { KeyStatus } from "../access/api-key.js";
import type { BudgetStatus } from "../budgets/budget.js";
import type { Instant } from "../kernel/clock.js";
import type { DeliveryStatus } from "../webhooks/delivery.js";

/** The store's port for the dashboard. Its counts must be fast for any number of records. */
export interface DashboardStore {
  /**
   * The business's budgets by status and currency, as of `now`: overdue ones count as EXPIRED. Empty groups are left out.
   * A store maintains these sums with each write of a budget, in the same transaction, so that a read scans only the
   * overdue budgets.
   */
  sumBudgets(businessId: string, now: Instant): Promise<readonly BudgetSum[]>;

  /** The business's keys by status, and the ACTIVE keys that expire after `after` and not after `until`. */
  countKeys(businessId: string, after: Instant, until: Instant): Promise<KeyCounts>;

  /** The business's deliveries created at `since` or later, by status. */
  countDeliveries(businessId: string, since: Instant): Promise<Readonly<Record<DeliveryStatus, number>>>;
}

export interface BudgetSum {
  readonly status: BudgetStatus;
  readonly currency: string;
  readonly budgets: number;
  readonly total: bigint; // minor units; the sum may exceed the safe integers
}

export interface KeyCounts {
  readonly byStatus: Readonly<Record<KeyStatus, number>>;
  readonly expiring: number;
}
