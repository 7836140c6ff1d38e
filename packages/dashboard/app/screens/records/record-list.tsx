import type { CursorPage } from "@budgetkit/client";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.js";
import { EmptyState, ErrorPanel } from "../../components/notices.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./records.module.css";

interface Props<V> {
  /** What it lists, for the title of an error. */
  readonly what: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<CursorPage<V>>>;
  /** The search that it follows; empty = none. */
  readonly search: string;
  readonly onClearSearch: () => void;
  /** In place of a list that has nothing at all. */
  readonly empty: ReactNode;
  readonly children: (records: readonly V[]) => ReactNode;
}

/** The pages that were loaded so far, and the button that loads the next one. */
export function RecordList<V>({ what, query, search, onClearSearch, empty, children }: Props<V>) {
  const words = useWords();
  const formats = useFormats();
  const { data, error, isPending } = query;
  if (isPending) return <SkeletonRows />;
  if (data === undefined) {
    return <ErrorPanel title={words.common.couldNotLoad(what)} error={error} onRetry={() => void query.refetch()} />;
  }
  const records = data.pages.flatMap((page) => page.data);
  if (records.length === 0 && search !== "") {
    return (
      <EmptyState
        icon={SearchX}
        title={words.customers.records.nothingFound}
        text={words.customers.records.nothingFoundText}
        action={<Button onClick={onClearSearch}>{words.customers.records.clearSearch}</Button>}
      />
    );
  }
  if (records.length === 0) return empty;
  const { total, totalIsLowerBound } = data.pages[0]?.pagination ?? { total: records.length };
  const count = formats.number(Math.max(total, records.length));
  return (
    <div className={styles.list}>
      {children(records)}
      {error !== null && (
        <ErrorPanel
          title={words.common.couldNotLoad(what)}
          error={error}
          onRetry={() => void (query.hasNextPage ? query.fetchNextPage() : query.refetch())}
        />
      )}
      <footer className={styles.foot}>
        <span role="status">
          {words.customers.records.shown(
            formats.number(records.length),
            totalIsLowerBound === true ? `${count}+` : count,
          )}
        </span>
        {query.hasNextPage && (
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.common.loadMore}
          </Button>
        )}
      </footer>
    </div>
  );
}
