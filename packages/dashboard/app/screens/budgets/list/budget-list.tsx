import { useNavigate } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { FileText, SearchX } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, ButtonLink } from "../../../components/button.js";
import { EmptyState, ErrorPanel } from "../../../components/notices.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { useMay } from "../../../session/use-session.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";
import type { BudgetsSearch } from "../budgets-search.js";
import { changeSearch, hasFilter } from "../filters/change-search.js";
import { type Selection, toggle, withAll, without } from "../selection/selection.js";
import { BudgetCard } from "./budget-card.js";
import { BudgetRow } from "./budget-row.js";
import type { BudgetSummary } from "./budget-summary.js";
import { BudgetTable } from "./budget-table.js";
import type { Column } from "./columns.js";
import list from "./list.module.css";
import { ListFoot } from "./list-foot.js";
import { useBudgetPages } from "./use-budget-pages.js";
import { useListKeys } from "./use-list-keys.js";
import { rowHeight, useNarrow } from "./use-narrow.js";

interface Props {
  readonly search: BudgetsSearch;
  readonly columns: readonly Column[];
  readonly selection: Selection;
  readonly onSelection: (change: (selection: Selection) => Selection) => void;
}

const OVERSCAN = 12;

/** An endless list: the rows in sight are drawn, the pages around them are in memory, the next one is read ahead. */
export function BudgetList({ search, columns, selection, onSelection }: Props) {
  const words = useWords();
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const [nowMs] = useState(Date.now);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const pages = useBudgetPages(search, range.first, range.last);
  const { rowAt, readRows } = pages;
  const place = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const height = rowHeight(isNarrow);
  const virtualizer = useWindowVirtualizer({
    count: pages.rows,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin,
    scrollPaddingStart: 2 * height,
    scrollPaddingEnd: 3 * height,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height moves all rows
  useEffect(() => virtualizer.measure(), [height]);
  useEffect(() => setRange({ first, last }), [first, last]);

  const anchor = useRef<number | null>(null);
  const select = useCallback(
    (row: number, budget: BudgetSummary, isRange: boolean) => {
      const from = anchor.current;
      anchor.current = row;
      if (!isRange || from === null) return onSelection((selected) => toggle(selected, budget));
      void readRows(Math.min(from, row), Math.max(from, row)).then((budgets) =>
        onSelection((selected) => withAll(selected, budgets)),
      );
    },
    [onSelection, readRows],
  );
  const open = useCallback(
    (budgetId: string) => void navigate({ to: "/budgets/$budgetId", params: { budgetId } }),
    [navigate],
  );
  const { current, setCurrent } = useListKeys({
    rows: pages.rows,
    show: (row) => virtualizer.scrollToIndex(row),
    select: (row) => {
      const budget = rowAt(row);
      if (budget !== undefined) select(row, budget, false);
    },
  });

  if (pages.first === undefined && pages.rows === 0) {
    return pages.error === null ? (
      <div className={styles.padded}>
        <SkeletonRows rows={12} />
      </div>
    ) : (
      <div className={styles.padded}>
        <ErrorPanel title={words.common.couldNotLoad(words.shell.budgets)} error={pages.error} onRetry={pages.retry} />
      </div>
    );
  }
  if (pages.rows === 0 && pages.isComplete) return <NoBudgets search={search} />;

  const chosen = pages.loaded.filter(({ id }) => selection.has(id)).length;
  const shared = { nowMs, onSelect: select };
  const before = Math.max(0, (items[0]?.start ?? scrollMargin) - scrollMargin);
  const after = Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin));
  const drawn = items.map(({ index }) => {
    const budget = rowAt(index);
    if (budget === undefined)
      return <Missing key={index} isNarrow={isNarrow} columns={columns.length} height={height} />;
    const isSelected = selection.has(budget.id);
    return isNarrow ? (
      <BudgetCard key={budget.id} budget={budget} row={index} rows={pages.rows} isSelected={isSelected} {...shared} />
    ) : (
      <BudgetRow
        key={budget.id}
        budget={budget}
        row={index}
        columns={columns}
        isSelected={isSelected}
        isCurrent={index === current}
        onOpen={open}
        onFocus={setCurrent}
        {...shared}
      />
    );
  });
  return (
    <>
      <div ref={place}>
        {isNarrow ? (
          <ul aria-label={words.budgets.list}>
            <li aria-hidden="true" style={{ height: before }} />
            {drawn}
            <li aria-hidden="true" style={{ height: after }} />
          </ul>
        ) : (
          <BudgetTable
            search={search}
            columns={columns}
            rows={pages.isComplete ? pages.rows : -1}
            before={before}
            after={after}
            selection={chosen === 0 ? "none" : chosen === pages.loaded.length ? "all" : "some"}
            onSelectAll={() =>
              onSelection((selected) =>
                chosen === pages.loaded.length
                  ? without(
                      selected,
                      pages.loaded.map(({ id }) => id),
                    )
                  : withAll(selected, pages.loaded),
              )
            }
          >
            {drawn}
          </BudgetTable>
        )}
      </div>
      {pages.error !== null && (
        <div className={styles.padded}>
          <ErrorPanel
            title={words.common.couldNotLoad(words.shell.budgets)}
            error={pages.error}
            onRetry={pages.retry}
          />
        </div>
      )}
      {pages.isPaused && (
        <p className={styles.paused}>
          {words.budgets.nothingInPage} <Button onClick={pages.lookFurther}>{words.budgets.lookFurther}</Button>
        </p>
      )}
      <ListFoot pages={pages} search={search} />
    </>
  );
}

interface MissingProps {
  readonly isNarrow: boolean;
  readonly columns: number;
  readonly height: number;
}

/** A row that is being read again. */
function Missing({ isNarrow, columns, height }: MissingProps) {
  if (isNarrow) return <li className={list.missing} style={{ height }} />;
  return (
    <tr className={list.row}>
      <td colSpan={columns + 3} className={list.missing} />
    </tr>
  );
}

function NoBudgets({ search }: { readonly search: BudgetsSearch }) {
  const words = useWords().budgets;
  const mayWrite = useMay()("WRITE_BUDGETS");
  if (hasFilter(search)) {
    const cleared = changeSearch({}, { sort: search.sort ?? null, order: search.order ?? null });
    return (
      <EmptyState
        icon={SearchX}
        title={words.nothingFound}
        text={words.nothingFoundText}
        action={
          <ButtonLink to="/budgets" search={cleared}>
            {words.clearFilters}
          </ButtonLink>
        }
      />
    );
  }
  const action = (
    <ButtonLink to="/budgets/new" search={{}} kind="primary">
      {words.newBudget}
    </ButtonLink>
  );
  return <EmptyState icon={FileText} title={words.empty} text={words.emptyText} {...(mayWrite ? { action } : {})} />;
}
