import { Link } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import { StateChip } from "../../../components/chip.js";
import { Money } from "../../../components/money.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import type { BudgetSummary } from "./budget-summary.js";
import type { Column } from "./columns.js";
import styles from "./list.module.css";
import { PaidShare } from "./paid-share.js";
import { ValidUntil } from "./valid-until.js";

interface Props {
  readonly budget: BudgetSummary;
  readonly row: number;
  readonly columns: readonly Column[];
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly nowMs: number;
  readonly onSelect: (row: number, budget: BudgetSummary, isRange: boolean) => void;
  readonly onOpen: (budgetId: string) => void;
  readonly onFocus: (row: number) => void;
}

/** One budget. The whole row opens it; its link is what keyboards and screen readers find. */
export const BudgetRow = memo(function BudgetRow(props: Props) {
  const { budget, row, columns, isSelected, isCurrent, nowMs, onSelect, onOpen, onFocus } = props;
  const words = useWords().budgets;
  const isQuiet = budget.status === "DELETED" || budget.status === "ARCHIVED";
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    if (event.target instanceof Element && event.target.closest("a, button, input, label") !== null) return;
    if (window.getSelection()?.isCollapsed === false) return;
    onOpen(budget.id);
  };
  return (
    <tr
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      className={`${styles.row} ${isSelected ? styles.selected : ""} ${isCurrent ? styles.current : ""} ${isQuiet ? styles.quiet : ""}`}
      onClick={open}
    >
      <td className={styles.check}>
        <label>
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={words.select(budget.number ?? budget.customerName)}
            onChange={() => {}}
            onClick={(event) => onSelect(row, budget, event.shiftKey)}
          />
        </label>
      </td>
      <th scope="row" className={styles.number}>
        <Link to="/budgets/$budgetId" params={{ budgetId: budget.id }} data-row={row} onFocus={() => onFocus(row)}>
          {budget.number ?? words.noNumber}
        </Link>
      </th>
      <td className={styles.text}>
        <bdi className={styles.customer}>{budget.customerName}</bdi>{" "}
        <bdi className={styles.line}>{budget.firstLine}</bdi>
      </td>
      {columns.map((column) => (
        <td key={column} className={styles[column]}>
          <Cell column={column} budget={budget} nowMs={nowMs} />
        </td>
      ))}
    </tr>
  );
});

interface CellProps {
  readonly column: Column;
  readonly budget: BudgetSummary;
  readonly nowMs: number;
}

function Cell({ column, budget, nowMs }: CellProps) {
  const formats = useFormats();
  const none = useWords().common.none;
  switch (column) {
    case "status":
      return <StateChip state={budget.state} />;
    case "total":
      return <Money amount={budget.total} currency={budget.currency} />;
    case "open":
      return budget.open > 0 ? <Money amount={budget.open} currency={budget.currency} /> : none;
    case "paid":
      return <PaidShare budget={budget} />;
    case "validUntil":
      return <ValidUntil budget={budget} nowMs={nowMs} />;
    case "views":
      return budget.views === 0 ? none : formats.number(budget.views);
    case "createdAt":
      return formats.date(budget.createdAt);
    case "updatedAt":
      return <time dateTime={budget.updatedAt}>{formats.ago(budget.updatedAt, nowMs)}</time>;
  }
}
