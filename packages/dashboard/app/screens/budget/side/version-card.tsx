import type { Budget } from "@budgetkit/client";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useWords } from "../../../words/use-words.js";
import { DifferenceLoader } from "../versions/difference-loader.js";
import styles from "./side.module.css";

/** What the present version changed; nothing where it is the first. */
export function VersionCard({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget.versions;
  const { id, revision } = budget;
  if (revision === 1) return null;
  return (
    <section className={styles.part} aria-label={words.against(revision, revision - 1)}>
      <div className={styles.head}>
        <h2>{words.against(revision, revision - 1)}</h2>
        <Link
          to="/budgets/$budgetId"
          params={{ budgetId: id }}
          search={{ tab: "versions" }}
          className={styles.more}
          resetScroll={false}
        >
          {words.compareAll} <ChevronRight size={14} aria-hidden="true" />
        </Link>
      </div>
      <DifferenceLoader key={revision} budget={budget} from={revision - 1} to={revision} />
    </section>
  );
}
