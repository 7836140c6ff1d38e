import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { api } from "../../../start/api.js";
import { planOf } from "../budgets-plan.js";
import type { BudgetsSearch } from "../budgets-search.js";
import { type BudgetSummary, summaryOf } from "./budget-summary.js";
import { type LoadedPage, loadPage } from "./load-page.js";
import { EMPTY_BOOK, isComplete, note, type PageBook, pagesFor, placeOf, rowsOf } from "./page-book.js";

const ROWS_AHEAD = 60;
const KEPT_MS = 60_000;
const MINUTE_MS = 60_000;

export interface BudgetPages {
  readonly rows: number;
  readonly isComplete: boolean;
  /** The last pages held nothing of what is picked out: it goes on only when asked to. */
  readonly isPaused: boolean;
  readonly lookFurther: () => void;
  /** Undefined = not in memory now. */
  readonly rowAt: (row: number) => BudgetSummary | undefined;
  /** Reads the rows from one to another, also those that are not in memory. */
  readonly readRows: (from: number, to: number) => Promise<readonly BudgetSummary[]>;
  /** All rows that are in memory. */
  readonly loaded: readonly BudgetSummary[];
  /** Undefined = not counted yet. */
  readonly first: LoadedPage<BudgetSummary> | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The pages that the visible rows need. What is out of sight is forgotten after a minute, and read again when needed. */
export function useBudgetPages(search: BudgetsSearch, firstRow: number, lastRow: number): BudgetPages {
  const queryClient = useQueryClient();
  const name = JSON.stringify(search);
  const bookKey = useMemo(() => ["budgets", "book", name], [name]);
  const [book, setBook] = useState(() => queryClient.getQueryData<PageBook>(bookKey) ?? EMPTY_BOOK);
  const [furtherTo, setFurtherTo] = useState(0);
  const plan = useMemo(() => planOf(search, Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS), [search]);

  const pageQuery = useCallback(
    (page: number) => {
      const start = book.starts[page];
      return {
        queryKey: ["budgets", "list", name, start?.list, start?.cursor],
        gcTime: KEPT_MS,
        queryFn: ({ signal }: { signal: AbortSignal }) => {
          if (start === undefined) throw new RangeError(`no page ${page}`);
          return loadPage((query) => api.budgets.list(query, { signal }), plan, start, summaryOf);
        },
      };
    },
    [book, name, plan],
  );
  const isPaused = !isComplete(book) && isLastEmpty(book) && furtherTo < book.ends.length;
  const wanted = pagesFor(book, firstRow, lastRow, ROWS_AHEAD).filter((page) => !isPaused || page < book.ends.length);
  const results = useQueries({ queries: wanted.map(pageQuery) });

  const pages = new Map<number, LoadedPage<BudgetSummary>>();
  wanted.forEach((page, index) => {
    const result = results[index];
    if (result?.data !== undefined) pages.set(page, result.data);
  });
  useEffect(() => {
    const next = [...pages].reduce((noted, [page, { budgets, next }]) => note(noted, page, budgets.length, next), book);
    if (next === book) return;
    setBook(next);
    queryClient.setQueryData(bookKey, next);
  });

  const failed = results.find(({ error, data }) => error !== null && data === undefined);
  return {
    rows: rowsOf(book),
    isComplete: isComplete(book),
    isPaused,
    lookFurther: () => setFurtherTo(book.ends.length),
    rowAt: (row) => {
      const { page, index } = placeOf(book, row);
      return pages.get(page)?.budgets[index];
    },
    readRows: async (from, to) => {
      const read: BudgetSummary[] = [];
      for (const page of pagesFor(book, from, to, 0)) {
        const { budgets } = await queryClient.fetchQuery({ ...pageQuery(page), staleTime: KEPT_MS });
        const start = page === 0 ? 0 : (book.ends[page - 1] ?? 0);
        read.push(...budgets.filter((_, index) => start + index >= from && start + index <= to));
      }
      return read;
    },
    loaded: [...pages.values()].flatMap(({ budgets }) => budgets),
    first: pages.get(0) ?? queryClient.getQueryData<LoadedPage<BudgetSummary>>(pageQuery(0).queryKey),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}

function isLastEmpty({ ends }: PageBook): boolean {
  return ends.length > 0 && ends.at(-1) === (ends.at(-2) ?? 0);
}
