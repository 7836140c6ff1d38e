import type { Actor, BudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";

/** The business that an import fills. */
export interface ImportTarget {
  readonly service: BudgetService;
  readonly store: Store;
  readonly actor: Actor;
}
