import type { Store } from "./store.js";
import type { DeliveryPlanner } from "./webhooks/dispatch/plan-deliveries.js";

/**
 * The methods that commit events, with the position of the events among their arguments. The events of a method that is
 * missing here wait for their fan-out.
 */
const EVENTS_AT = {
  insertBudget: 1,
  replaceBudget: 2,
  recordPayment: 3,
  queueMail: 3,
  countView: 2,
  insertAttachment: 3,
  replaceAttachment: 2,
  removeAttachment: 4,
  insertCustomer: 1,
  replaceCustomer: 2,
  insertProduct: 1,
  replaceProduct: 2,
} as const satisfies Partial<Record<keyof Store, number>>;

/** The store, with the deliveries of events in the commits of the events. Transactions of the host are as before. */
export function plannedCommits(store: Store, commit: DeliveryPlanner["commit"]): Store {
  const planned: Store = Object.create(store);
  for (const [name, place] of Object.entries(EVENTS_AT)) {
    const method: unknown = Reflect.get(store, name);
    if (typeof method !== "function") throw new TypeError(`the store has no method ${name}`);
    const value = (...args: unknown[]): unknown => {
      const events = args[place];
      if (!Array.isArray(events)) throw new TypeError(`${name} takes events`);
      const others = [args.slice(0, place), args.slice(place + 1)] as const;
      return commit(events, (withPlans) => Reflect.apply(method, store, [...others[0], withPlans, ...others[1]]));
    };
    Object.defineProperty(planned, name, { value });
  }
  return planned;
}
