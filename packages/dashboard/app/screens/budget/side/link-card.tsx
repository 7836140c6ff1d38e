import type { Budget } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { ErrorPanel } from "../../../components/notices.js";
import { budgetLinkQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { LinkActions } from "./link-actions.js";
import { ViewCount, ViewList } from "./link-views.js";
import styles from "./side.module.css";

/** The customer's link. It is looked up when a person asks for it: who has it can answer for the customer. */
export function LinkCard({ budget }: { readonly budget: Budget }) {
  const { budget: all, common } = useWords();
  const words = all.side;
  const [isShown, setShown] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({ ...budgetLinkQuery(budget.id), enabled: isShown });
  const isDraft = budget.status === "DRAFT";
  return (
    <section className={styles.part} aria-label={words.link}>
      <div className={styles.head}>
        <h2>{words.link}</h2>
        {!isDraft && <ViewCount views={budget.views} />}
      </div>
      {isDraft && <p className={styles.quiet}>{words.draftNote}</p>}
      {error !== null && (
        <ErrorPanel title={common.couldNotLoad(words.linkWhat)} error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && !isDraft && (
        <>
          <Button icon={Link2} busy={isFetching} onClick={() => setShown(true)}>
            {words.show}
          </Button>
          <p className={styles.quiet}>{words.shownNote}</p>
        </>
      )}
      {data !== undefined && <LinkActions budget={budget} url={data.publicUrl} onRemoved={() => setShown(false)} />}
      {budget.views !== undefined && <ViewList budgetId={budget.id} />}
    </section>
  );
}
