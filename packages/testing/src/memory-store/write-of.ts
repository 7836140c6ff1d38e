import type { Condition, Write } from "@budgetkit/core/store";

/** The write of a kind. */
export type WriteOf<K extends Write["kind"]> = Extract<Write, { readonly kind: K }>;

/** The condition of a kind. */
export type ConditionOf<K extends Condition["kind"]> = Extract<Condition, { readonly kind: K }>;
