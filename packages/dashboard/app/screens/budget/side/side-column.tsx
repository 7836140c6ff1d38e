import type { Budget } from "@budgetkit/client";
import { useWords } from "../../../words/use-words.js";
import { CustomerCard } from "./customer-card.js";
import { DocumentsCard } from "./documents-card.js";
import { LinkCard } from "./link-card.js";
import styles from "./side.module.css";
import { VersionCard } from "./version-card.js";

/** Beside the tabs; below them where the screen is narrow. */
export function SideColumn({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget.side;
  const mayShare = budget.availableActions.includes("share") || budget.availableActions.includes("submit");
  return (
    <aside className={styles.side} aria-label={words.label}>
      {mayShare && <LinkCard budget={budget} />}
      <VersionCard budget={budget} />
      <div className={styles.card}>
        <CustomerCard budget={budget} />
        <DocumentsCard budget={budget} />
      </div>
    </aside>
  );
}
