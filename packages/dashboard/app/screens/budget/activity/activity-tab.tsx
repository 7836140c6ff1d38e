import type { Budget } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { ErrorPanel } from "../../../components/notices.js";
import { Section } from "../../../components/page.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { Segmented } from "../../../components/tabs.js";
import {
  budgetEventsQuery,
  budgetFilesQuery,
  budgetMailsQuery,
  budgetMessagesQuery,
  budgetPaymentsQuery,
  budgetViewsQuery,
} from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import type { Side } from "../actor.js";
import { loadedOf } from "../loaded-pages.js";
import styles from "./activity.module.css";
import { MessageComposer } from "./message-composer.js";
import { timelineOf } from "./timeline.js";
import { TimelineItem } from "./timeline-item.js";

interface Props {
  readonly budget: Budget;
  readonly mayWrite: boolean;
}

type Shown = "all" | Exclude<Side, "system">;

/** All that happened to the budget, newest first: what it went through, messages, payments, mails and files. */
export function ActivityTab({ budget, mayWrite }: Props) {
  const { budget: all, common } = useWords();
  const words = all.activity;
  const [shown, setShown] = useState<Shown>("all");
  const events = useInfiniteQuery(budgetEventsQuery(budget.id));
  const messages = useInfiniteQuery(budgetMessagesQuery(budget.id));
  const payments = useInfiniteQuery(budgetPaymentsQuery(budget.id));
  const mails = useInfiniteQuery(budgetMailsQuery(budget.id));
  const files = useInfiniteQuery(budgetFilesQuery(budget.id));
  const views = useInfiniteQuery(budgetViewsQuery(budget.id));
  const queries = [events, messages, payments, mails, files, views];
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);
  const isPending = queries.some((query) => query.isPending);
  const { entries, hasMore } = timelineOf({
    events: loadedOf(events),
    messages: loadedOf(messages),
    payments: loadedOf(payments),
    mails: loadedOf(mails),
    files: loadedOf(files),
    views: loadedOf(views),
    viewCount: budget.views?.count ?? 0,
  });
  const listed = entries.filter(({ side }) => shown === "all" || side === shown);
  const loadOlder = () => {
    for (const query of queries) if (query.hasNextPage) void query.fetchNextPage();
  };
  return (
    <Section
      title={words.title}
      actions={
        <Segmented
          label={words.filter}
          value={shown}
          options={(["all", "customer", "team", "api"] as const).map((value) => ({ value, label: words.sides[value] }))}
          onChange={setShown}
        />
      }
    >
      {mayWrite && budget.status !== "DRAFT" && <MessageComposer budget={budget} />}
      {failed?.error != null ? (
        <ErrorPanel
          title={common.couldNotLoad(words.title)}
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      ) : isPending ? (
        <SkeletonRows rows={6} />
      ) : (
        <>
          {listed.length === 0 && <p>{words.empty}</p>}
          <ol className={styles.list}>
            {listed.map((entry) => (
              <TimelineItem key={entry.key} entry={entry} budget={budget} />
            ))}
          </ol>
          {hasMore && (
            <p>
              <Button busy={queries.some(({ isFetchingNextPage }) => isFetchingNextPage)} onClick={loadOlder}>
                {words.more}
              </Button>
            </p>
          )}
        </>
      )}
    </Section>
  );
}
