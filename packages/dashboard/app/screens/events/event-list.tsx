import { ScrollText } from "lucide-react";
import { Button } from "../../components/button.js";
import { EmptyState, ErrorPanel } from "../../components/notices.js";
import { SkeletonRows } from "../../components/skeleton.js";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import { isSearchedHere } from "./event-filter.js";
import { EventFilters } from "./event-filters.js";
import { EventRow } from "./event-row.js";
import styles from "./events.module.css";
import type { EventsSearch } from "./events-search.js";
import { useFoundEvents } from "./use-found-events.js";

/** The entries of the ledger, newest first. The open one shows its details below its row. */
export function EventList({ search }: { readonly search: EventsSearch }) {
  const { found, looked, total, data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useFoundEvents(search);
  const words = useWords();
  const formats = useFormats();
  if (error !== null && data === undefined) {
    return (
      <>
        <EventFilters search={search} />
        <ErrorPanel
          title={words.common.couldNotLoad(words.shell.events)}
          error={error}
          onRetry={() => void refetch()}
        />
      </>
    );
  }
  return (
    <>
      <EventFilters search={search} />
      {data === undefined ? (
        <SkeletonRows />
      ) : found.length === 0 && !hasNextPage ? (
        <EmptyState icon={ScrollText} title={words.events.emptyTitle} text={words.events.emptyText} />
      ) : (
        <section className={styles.list}>
          <p className={styles.count} role="status">
            {isSearchedHere(search)
              ? words.events.found(formats.number(found.length), formats.number(looked), formats.number(total))
              : words.events.entries(total, formats.number(total))}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
          <section className={table.scroll} tabIndex={0} aria-label={words.events.events}>
            <table className={`${table.table} ${table.wide}`}>
              <thead>
                <tr>
                  <th scope="col" className={table.number}>
                    {words.events.sequence}
                  </th>
                  <th scope="col">{words.events.event}</th>
                  <th scope="col">{words.events.subject}</th>
                  <th scope="col">{words.events.actor}</th>
                  <th scope="col" className={table.number}>
                    {words.events.at}
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.map((event) => (
                  <EventRow key={event.id} event={event} search={search} />
                ))}
              </tbody>
            </table>
          </section>
          {hasNextPage && (
            <p>
              <Button busy={isFetching} onClick={() => void fetchNextPage()}>
                {isSearchedHere(search) ? words.events.lookFurther : words.common.loadMore}
              </Button>
            </p>
          )}
        </section>
      )}
    </>
  );
}
