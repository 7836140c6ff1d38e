import { type Change, type Condition, isRefusal, type Refusal, type Write } from "@budgetkit/core/store";
import type { OpenBusiness } from "./open-business.js";

/** The write of a kind. */
export type WriteOf<K extends Write["kind"]> = Extract<Write, { readonly kind: K }>;

/** The condition of a kind. */
export type ConditionOf<K extends Condition["kind"]> = Extract<Condition, { readonly kind: K }>;

/** Finds in the transaction what a write changes, or why it is refused. Writes nothing. */
export type Inspect = (open: OpenBusiness) => Promise<Change | Refusal>;

/** The same, with what `next` makes of the change. */
export function andThen(
  inspect: Inspect,
  next: (change: Change, open: OpenBusiness) => Change | Refusal | Promise<Change | Refusal>,
): Inspect {
  return async (open) => {
    const found = await inspect(open);
    return isRefusal(found) ? found : next(found, open);
  };
}

/** Prepares the writes of each kind outside of the transaction, which keeps the transaction short: it encodes them. */
export type WriteHandlers = { readonly [K in Write["kind"]]: (write: WriteOf<K>, businessId: string) => Inspect };

/** Checks a condition in the transaction; null = it holds. */
export type Check = (open: OpenBusiness) => Promise<Refusal | null>;

export type ConditionHandlers = {
  readonly [K in Condition["kind"]]: (condition: ConditionOf<K>, businessId: string) => Check;
};

export function prepareWrite<K extends Write["kind"]>(
  handlers: WriteHandlers,
  write: WriteOf<K> & { readonly kind: K },
  businessId: string,
): Inspect {
  return handlers[write.kind](write, businessId);
}

export function prepareCondition<K extends Condition["kind"]>(
  handlers: ConditionHandlers,
  condition: ConditionOf<K> & { readonly kind: K },
  businessId: string,
): Check {
  return handlers[condition.kind](condition, businessId);
}
