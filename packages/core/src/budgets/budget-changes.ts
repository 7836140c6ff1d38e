import { isDeepStrictEqual } from "node:util";
import { fieldChange, isTooLarge } from "../events/event-changes.js";
import type { Actor } from "../kernel/actor.js";
import type { Budget } from "./budget.js";
import type { BudgetChange } from "./budget-change.js";
import { budgetViewOf, type Summaries } from "./budget-view.js";
import { itemChanges } from "./item-changes.js";

/** Fields of the view that every write changes, that depend on the reader, or that are compared item by item. */
const LEFT_OUT: ReadonlySet<string> = new Set(["version", "updatedAt", "customer", "availableActions", "items"]);

/** The differences between two versions of a budget, in an order in which they can be applied. */
export function changesBetween(before: Budget, after: Budget, summaries: Summaries, actor: Actor): BudgetChange[] {
  const keepsItems = before.items === after.items; // most changes do: then no item needs to be looked at
  const viewOf = (budget: Budget) => budgetViewOf(keepsItems ? { ...budget, items: [] } : budget, summaries, actor);
  const [from, to] = [viewOf(before), viewOf(after)];
  const former = new Map<string, unknown>(Object.entries(from));
  const present = new Map<string, unknown>(Object.entries(to));
  const fields = [...new Set([...former.keys(), ...present.keys()])].filter(
    (field) => !LEFT_OUT.has(field) && !isDeepStrictEqual(former.get(field), present.get(field)),
  );
  return [
    ...fields.map((field) => fieldChange(field, former.get(field), present.get(field))),
    ...itemChanges(from.items, to.items),
  ];
}

/** The part of an event's data that says what changed. */
export interface ChangesData {
  readonly [field: string]: unknown;
  readonly changes?: readonly BudgetChange[]; // absent = too large
  readonly truncated?: true;
}

/** The changes from one version to another, for the data of each event of the write. */
export function describeChanges(before: Budget, after: Budget, summaries: Summaries, actor: Actor): ChangesData {
  const changes = changesBetween(before, after, summaries, actor);
  return isTooLarge(changes) ? { truncated: true } : { changes };
}
