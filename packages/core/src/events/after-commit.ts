import type { BudgetStore } from "../budgets/budget-store.js";
import type { DomainEvent } from "./event.js";

/** What appends events to the outbox. */
type Appending = Pick<BudgetStore, "insertBudget" | "replaceBudget">;

/**
 * The same store, which tells of every commit that carried events once it is written. It stands before the store
 * rather than being a copy of it: a host's store may be an instance of a class.
 */
export function tellingAfterCommit<S extends Appending>(
  store: S,
  announce: (events: readonly DomainEvent[]) => void,
): S {
  async function telling<Outcome>(events: readonly DomainEvent[], commit: Promise<Outcome>): Promise<Outcome> {
    const outcome = await commit;
    if (outcome === "written" && events.length > 0) announce(events);
    return outcome;
  }
  const told: Appending = {
    insertBudget: (budget, events, receipt) => telling(events, store.insertBudget(budget, events, receipt)),
    replaceBudget: (budget, expectedVersion, events, receipt) =>
      telling(events, store.replaceBudget(budget, expectedVersion, events, receipt)),
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (Object.hasOwn(told, name)) return Reflect.get(told, name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
