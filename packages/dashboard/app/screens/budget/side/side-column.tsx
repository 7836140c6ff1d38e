import type { Budget } from "@budgetkit/client";
import { useWords } from "../../../words/use-words.js";
import type { BudgetTab } from "../budget-search.js";
import { CustomerCard } from "./customer-card.js";
import { DocumentsCard } from "./documents-card.js";
import { LinkCard } from "./link-card.js";
import styles from "./side.module.css";
import { VersionCard } from "./version-card.js";

interface Props {
  readonly budget: Budget;
  /** The open one: what it shows is not shown beside it again. */
  readonly tab: BudgetTab;
}

/** Beside the tabs; below them where the screen is narrow. */
export function SideColumn({ budget, tab }: Props) {
  const words = useWords().budget.side;
  const mayShare = budget.availableActions.includes("share") || budget.availableActions.includes("submit");
  return (
    <section className={styles.side} aria-label={words.label}>
      {mayShare && <LinkCard budget={budget} />}
      {tab !== "versions" && <VersionCard budget={budget} />}
      <div className={styles.card}>
        <CustomerCard budget={budget} />
        <DocumentsCard budget={budget} />
      </div>
    </section>
  );
}
