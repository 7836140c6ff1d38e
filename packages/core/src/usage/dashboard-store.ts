import type { KeyStatus } from "../access/api-key.js";
import type { BudgetStatus } from "../budgets/budget.js";
import type { Instant } from "../kernel/clock.js";
import type { DeliveryStatus } from "../webhooks/delivery.js";

/** What the dashboard needs of a store beside usage: counts that are quick however much there is to count. */
export interface DashboardStore {
  /**
   * The business's budgets by status and currency, those without any left out. A change of a budget and of these sums
   * become visible together: a store keeps them as it writes budgets, so that no reader has to go through those.
   */
  sumBudgets(businessId: string): Promise<readonly BudgetSum[]>;

  /** The business's keys by status, and how many ACTIVE ones expire later than `after` and not later than `until`. */
  countKeys(businessId: string, after: Instant, until: Instant): Promise<KeyCounts>;

  /** The business's deliveries that were created at `since` or later, by status. */
  countDeliveries(businessId: string, since: Instant): Promise<Readonly<Record<DeliveryStatus, number>>>;
}

export interface BudgetSum {
  readonly status: BudgetStatus;
  readonly currency: string;
  readonly budgets: number;
  readonly total: bigint; // minor units; many large budgets together go beyond the safe integers
}

export interface KeyCounts {
  readonly byStatus: Readonly<Record<KeyStatus, number>>;
  readonly expiring: number;
}
