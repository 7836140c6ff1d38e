import type { AccessStore } from "../access/access-store.js";
import type { BudgetContext } from "../budgets/budget-context.js";
import type { Clock } from "../kernel/clock.js";
import type { RateLimitStore } from "../limits/rate-limit-store.js";
import type { DashboardStore } from "./dashboard-store.js";
import type { UsageRecorder } from "./recorder.js";
import type { UsageStore } from "./usage-store.js";

/** What statistics work with. */
export interface UsageContext {
  readonly store: UsageStore & DashboardStore & Pick<AccessStore, "findKey">;
  readonly recorder: UsageRecorder;
  /** Where the windows of keys are kept; it need not be the store. */
  readonly limits: RateLimitStore;
  /** Expires what is overdue before budgets are counted. */
  readonly budgets: BudgetContext;
  readonly clock: Clock;
}
