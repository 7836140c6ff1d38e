import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import type { BudgetSummary } from "./budget-summary.js";
import styles from "./list.module.css";

/** How much of what is payable was paid, as a number and as a small bar. */
export function PaidShare({ budget }: { readonly budget: Pick<BudgetSummary, "paid" | "payable" | "open"> }) {
  const words = useWords();
  const formats = useFormats();
  const { paid, payable, open } = budget;
  if (paid <= 0) return <>{words.common.none}</>;
  const isAll = open <= 0;
  const share = isAll ? 1 : Math.min(0.99, Math.max(0.01, paid / payable)); // what is not all never reads as all
  return (
    <span className={styles.share}>
      {isAll ? words.budgets.paid : formats.percent(Math.round(share * 100) / 100)}
      <span className={styles.gauge} aria-hidden="true">
        <span className={isAll ? styles.full : styles.part} style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
