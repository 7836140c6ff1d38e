import { type Change, type Condition, isRefusal, type Refusal, type Write } from "@budgetkit/core/store";

/** The write of a kind. */
export type WriteOf<K extends Write["kind"]> = Extract<Write, { readonly kind: K }>;

/** The condition of a kind. */
export type ConditionOf<K extends Condition["kind"]> = Extract<Condition, { readonly kind: K }>;

/** Finds in the transaction what a write changes, or why it is refused. Writes nothing. */
export type Inspect = () => Change | Refusal;

/** The same, with what `next` makes of the change. */
export function andThen(inspect: Inspect, next: (change: Change) => Change | Refusal): Inspect {
  return () => {
    const found = inspect();
    return isRefusal(found) ? found : next(found);
  };
}

/** Prepares the writes of each kind outside of the transaction, which keeps the transaction short: it encodes them. */
export type WriteHandlers = { readonly [K in Write["kind"]]: (write: WriteOf<K>, businessId: string) => Inspect };

/** Checks the conditions of each kind in the transaction; null = the condition holds. */
export type ConditionHandlers = {
  readonly [K in Condition["kind"]]: (condition: ConditionOf<K>, businessId: string) => Refusal | null;
};

export function prepareWrite<K extends Write["kind"]>(
  handlers: WriteHandlers,
  write: WriteOf<K> & { readonly kind: K },
  businessId: string,
): Inspect {
  return handlers[write.kind](write, businessId);
}

export function checkCondition<K extends Condition["kind"]>(
  handlers: ConditionHandlers,
  condition: ConditionOf<K> & { readonly kind: K },
  businessId: string,
): Refusal | null {
  return handlers[condition.kind](condition, businessId);
}
