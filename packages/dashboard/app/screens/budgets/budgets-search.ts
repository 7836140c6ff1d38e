/** What the address of the screen says, read from text that anybody may have typed. */
export type BudgetsSearch = Record<never, never>;

export function readBudgetsSearch(_search: Record<string, unknown>): BudgetsSearch {
  return {};
}
