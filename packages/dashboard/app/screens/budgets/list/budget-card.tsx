import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { memo } from "react";
import { StateChip } from "../../../components/chip.js";
import { Money } from "../../../components/money.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import type { BudgetSummary } from "./budget-summary.js";
import styles from "./list.module.css";
import { toneOf } from "./valid-until.js";

interface Props {
  readonly budget: BudgetSummary;
  readonly row: number;
  readonly rows: number;
  readonly isSelected: boolean;
  readonly nowMs: number;
  readonly onSelect: (row: number, budget: BudgetSummary, isRange: boolean) => void;
}

/** One budget on a phone: who and how much, what and how far, and its state. */
export const BudgetCard = memo(function BudgetCard({ budget, row, rows, isSelected, nowMs, onSelect }: Props) {
  const words = useWords();
  const isQuiet = budget.status === "DELETED" || budget.status === "ARCHIVED";
  return (
    <li
      aria-setsize={rows}
      aria-posinset={row + 1}
      className={`${styles.card} ${isSelected ? styles.selected : ""} ${isQuiet ? styles.quiet : ""}`}
    >
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={words.budgets.select(budget.number ?? budget.customerName)}
          onChange={() => onSelect(row, budget, false)}
        />
      </label>
      <Link to="/budgets/$budgetId" params={{ budgetId: budget.id }} data-row={row}>
        <span className={styles.cardLine}>
          <bdi className={styles.customer}>{budget.customerName}</bdi>
          <Money amount={budget.total} currency={budget.currency} />
        </span>
        <span className={styles.cardLine}>
          <span className={styles.line}>
            {budget.number ?? words.budgets.noNumber} · <bdi>{budget.firstLine}</bdi>
          </span>
          <Progress budget={budget} nowMs={nowMs} />
        </span>
        <span className={styles.cardLine}>
          <StateChip state={budget.state} />
          {budget.views > 0 && (
            <span className={styles.later}>
              <Eye size={14} aria-hidden="true" /> {budget.views}
              <span className="visually-hidden"> {words.budgets.columns.views}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
});

/** What moves next: the end of an offer, or what was paid of a sale. */
function Progress({ budget, nowMs }: { readonly budget: BudgetSummary; readonly nowMs: number }) {
  const words = useWords().budgets;
  const formats = useFormats();
  const { status, paid, payable, open, validUntil } = budget;
  if (paid > 0) {
    const share = Math.min(0.99, Math.max(0.01, paid / payable));
    return <span className={styles.later}>{open <= 0 ? words.paid : words.paidShare(formats.percent(share))}</span>;
  }
  if (validUntil === null || (status !== "PENDING" && status !== "EXPIRED")) return null;
  const days = formats.daysUntil(validUntil, nowMs);
  if (status === "EXPIRED" || days < 0)
    return <span className={styles.later}>{words.ended(formats.date(validUntil))}</span>;
  return <span className={toneOf(days)}>{words.ends(formats.until(validUntil, nowMs))}</span>;
}
