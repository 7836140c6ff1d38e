import type { ReactNode } from "react";
import { useWords } from "../../../words/use-words.js";
import type { BudgetsSearch } from "../budgets-search.js";
import { sortOf } from "../filters/sortings.js";
import type { Column } from "./columns.js";
import styles from "./list.module.css";

interface Props {
  readonly search: BudgetsSearch;
  readonly columns: readonly Column[];
  readonly rows: number; // -1 = not known
  readonly before: number; // the height of the rows above those that are shown
  readonly after: number;
  readonly selection: "none" | "some" | "all";
  readonly onSelectAll: () => void;
  readonly children: ReactNode;
}

/** A real table around the rows that are in sight; empty space stands for the others. */
export function BudgetTable(props: Props) {
  const { search, columns, rows, before, after, selection, onSelectAll, children } = props;
  const words = useWords().budgets;
  return (
    <table className={styles.table} aria-rowcount={rows < 0 ? -1 : rows + 1} aria-label={words.list}>
      <colgroup>
        <col className={styles.check} />
        <col className={styles.number} />
        <col />
        {columns.map((column) => (
          <col key={column} className={styles[column]} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" className={styles.check}>
            <label>
              <input
                type="checkbox"
                checked={selection === "all"}
                aria-label={words.selectAll}
                ref={(box) => {
                  if (box !== null) box.indeterminate = selection === "some";
                }}
                onChange={onSelectAll}
              />
            </label>
          </th>
          <th scope="col" className={styles.number}>
            {words.number}
          </th>
          <th scope="col">{words.customer}</th>
          {columns.map((column) => (
            <th
              key={column}
              scope="col"
              className={styles[column]}
              aria-sort={sortOf(column, search.sort, search.order)}
            >
              {words.columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Space height={before} />
        {children}
        <Space height={after} />
      </tbody>
    </table>
  );
}

function Space({ height }: { readonly height: number }) {
  return height > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
    <tr aria-hidden="true" className={styles.space}>
      <td style={{ height }} />
    </tr>
  ) : null;
}
