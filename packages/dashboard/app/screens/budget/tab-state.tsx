import type { ReactNode } from "react";
import { Button } from "../../components/button.js";
import { ErrorPanel } from "../../components/notices.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { useWords } from "../../words/use-words.js";

interface Listing {
  readonly isPending: boolean;
  readonly isFetchingNextPage: boolean;
  readonly hasNextPage: boolean;
  readonly error: Error | null;
  readonly data: unknown;
  readonly refetch: () => unknown;
  readonly fetchNextPage: () => unknown;
}

interface Props {
  readonly query: Listing;
  /** What is loaded, for the title of its failure. */
  readonly what: string;
  readonly children: ReactNode;
}

/** A list while it loads, when it failed, and with the way to what is older. */
export function TabState({ query, what, children }: Props) {
  const words = useWords().common;
  if (query.isPending) return <SkeletonRows rows={5} />;
  if (query.error !== null && query.data === undefined) {
    return <ErrorPanel title={words.couldNotLoad(what)} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {children}
      {query.hasNextPage && (
        <p>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.loadMore}
          </Button>
        </p>
      )}
    </>
  );
}
