import type { BudgetEntry, CursorPage, ListBudgetsQuery } from "@budgetkit/client";
import type { BudgetsPlan } from "../budgets-plan.js";

/** Where a page begins: in which list of the plan, and after which entry of it. */
export interface PageStart {
  readonly list: number;
  readonly cursor: string | null; // null = at the beginning of the list
}

export const FIRST: PageStart = { list: 0, cursor: null };

export interface LoadedPage<T> {
  readonly budgets: readonly T[];
  readonly next: PageStart | null; // null = there is no more
  /** All of the first list, as it was counted; without what is picked out here. */
  readonly total: number;
  readonly totalIsLowerBound: boolean;
}

export type ReadList = (query: ListBudgetsQuery) => PromiseLike<CursorPage<BudgetEntry>>;

const ENOUGH = 40;
const MOST_READS = 5;

/** Reads on until there is enough to show, but at most five pages: what is picked out may be rare. */
export async function loadPage<T>(
  read: ReadList,
  { queries, keeps }: BudgetsPlan,
  start: PageStart,
  summarize: (budget: BudgetEntry) => T,
): Promise<LoadedPage<T>> {
  const budgets: T[] = [];
  let at: PageStart | null = start;
  let total = 0;
  let totalIsLowerBound = false;
  for (let reads = 0; at !== null && reads < MOST_READS && budgets.length < ENOUGH; reads += 1) {
    const { data, pagination }: CursorPage<BudgetEntry> = await read({
      ...queries[at.list],
      ...(at.cursor === null ? {} : { cursor: at.cursor }),
    });
    for (const budget of data) if (keeps === null || keeps(budget)) budgets.push(summarize(budget));
    if (reads === 0) {
      total = pagination.total;
      totalIsLowerBound = pagination.totalIsLowerBound === true;
    }
    at = nextStart(at, pagination.nextCursor, queries.length);
  }
  return { budgets, next: at, total, totalIsLowerBound };
}

function nextStart({ list }: PageStart, cursor: string | null, lists: number): PageStart | null {
  if (cursor !== null) return { list, cursor };
  return list + 1 < lists ? { list: list + 1, cursor: null } : null;
}
