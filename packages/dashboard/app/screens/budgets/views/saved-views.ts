import { type BudgetsSearch, readBudgetsSearch } from "../budgets-search.js";

export interface SavedView {
  readonly name: string;
  readonly search: BudgetsSearch;
}

export const BUILT_IN_VIEWS = [
  { name: "all", search: {} },
  { name: "drafts", search: { status: "DRAFT" } },
  { name: "waiting", search: { status: "PENDING" } },
  { name: "expiring", search: { view: "expiring" } },
  { name: "collect", search: { view: "collect" } },
] as const satisfies readonly { readonly name: string; readonly search: BudgetsSearch }[];

export type BuiltInView = (typeof BUILT_IN_VIEWS)[number]["name"];

const KEPT = "budgetkit budget views";
const MOST_VIEWS = 20;
const LONGEST_NAME = 40;

/** The person's own views. What another version or another hand wrote is left out where it makes no sense. */
export function readViews(storage: Pick<Storage, "getItem"> = localStorage): readonly SavedView[] {
  const kept: unknown = parse(storage.getItem(KEPT) ?? "[]");
  if (!Array.isArray(kept)) return [];
  return kept.filter(isNamed).map(({ name, search }) => ({ name, search: readBudgetsSearch({ ...search }) }));
}

export function keepViews(views: readonly SavedView[], storage: Pick<Storage, "setItem"> = localStorage): void {
  storage.setItem(KEPT, JSON.stringify(views));
}

/** A view of the same name is replaced; at most twenty stay. */
export function addView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const name = view.name.trim().slice(0, LONGEST_NAME);
  return [...views.filter((each) => each.name !== name), { ...view, name }].slice(-MOST_VIEWS);
}

function isNamed(value: unknown): value is { readonly name: string; readonly search: object } {
  if (typeof value !== "object" || value === null || !("name" in value) || !("search" in value)) return false;
  return typeof value.name === "string" && typeof value.search === "object" && value.search !== null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}
