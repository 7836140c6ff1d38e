import { isDeepStrictEqual } from "node:util";
import { type FieldChange, fieldChange, isTooLarge } from "../events/event-changes.js";
import type { Actor } from "../kernel/actor.js";
import type { Budget } from "./budget.js";
import { budgetViewOf, type Summaries } from "./budget-view.js";
import { type ItemDifference, itemChanges } from "./item-changes.js";

/** One difference between two versions of a budget. */
type BudgetChange = FieldChange | ItemDifference;

/** Fields of the view that every write changes, that depend on the reader, that are internal or compared item by item. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "version",
  "updatedAt",
  "customer",
  "availableActions",
  "items",
  "cost",
  "margin",
]);

/** The differences between two versions of a budget, in an order in which they can be applied. */
function changesBetween(before: Budget, after: Budget, summaries: Summaries, actor: Actor): BudgetChange[] {
  const keepsItems = before.items === after.items; // most changes do: then no item needs to be looked at
  const viewOf = (budget: Budget) => budgetViewOf(keepsItems ? { ...budget, items: [] } : budget, summaries, actor);
  const [from, to] = [viewOf(before), viewOf(after)];
  const items = keepsItems ? [] : itemChanges(from.items, to.items);
  return [...fieldChanges({ ...from }, { ...to }), ...items];
}

type Fields = Readonly<Record<string, unknown>>;

function fieldChanges(before: Fields, after: Fields): BudgetChange[] {
  return Object.keys({ ...before, ...after })
    .filter((field) => !LEFT_OUT.has(field) && differ(before[field], after[field]))
    .map((field) => fieldChange(field, before[field], after[field]));
}

/** Most values are texts and numbers, for which a deep comparison takes long. */
function differ(one: unknown, other: unknown): boolean {
  return one !== other && !isDeepStrictEqual(one, other);
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
