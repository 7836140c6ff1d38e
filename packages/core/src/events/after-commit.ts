import type { BudgetStore } from "../budgets/budget-store.js";
import type { DomainEvent } from "./event.js";

/** What appends events to the outbox. */
type Appending = Pick<BudgetStore, "insertBudget" | "replaceBudget">;

/** The same store, which tells of every commit that carried events once it is written. */
export function tellingAfterCommit<S extends Appending>(
  store: S,
  announce: (events: readonly DomainEvent[]) => void,
): S {
  async function telling<Outcome>(events: readonly DomainEvent[], commit: Promise<Outcome>): Promise<Outcome> {
    const outcome = await commit;
    if (outcome === "written" && events.length > 0) announce(events);
    return outcome;
  }
  return {
    ...store,
    insertBudget: (budget, events, receipt) => telling(events, store.insertBudget(budget, events, receipt)),
    replaceBudget: (budget, expectedVersion, events, receipt) =>
      telling(events, store.replaceBudget(budget, expectedVersion, events, receipt)),
  } satisfies S;
}
