/** What the address of the screen says, read from text that anybody may have typed. */
export type BudgetSearch = Record<never, never>;

export function readBudgetSearch(_search: Record<string, unknown>): BudgetSearch {
  return {};
}
