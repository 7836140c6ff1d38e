import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { EmptyState, ErrorPanel } from "../../components/notices.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { useFormats } from "../../formats/use-formats.js";
import { deliveriesQuery, deliveryCountsQuery, type Subscriber } from "../../queries/deliveries.js";
import { changedSearch } from "../../shell/changed-search.js";
import { useWords } from "../../words/use-words.js";
import styles from "./deliveries.module.css";
import { DeliveryList } from "./delivery-list.js";
import type { DeliverySearch } from "./delivery-search.js";
import { DeliveryTools } from "./delivery-tools.js";
import { SelectedDelivery } from "./panel/selected-delivery.js";

interface Props {
  readonly subscriber: Subscriber;
  readonly url: string;
  /** Whether it is called at all: else nothing can be sent again. */
  readonly canReceive: boolean;
  readonly search: DeliverySearch;
  /** Attempts of the retry policy; absent = not known. */
  readonly planned?: number;
}

/** Deliveries with the selected one beside them. What is shown stands in the address. */
export function Deliveries({ subscriber, url, canReceive, search, planned }: Props) {
  const { view = "all", event, page = 1, delivery: selected } = search;
  const { data, error, refetch } = useQuery(deliveriesQuery(subscriber, { view, event, page }));
  const counts = useQuery(deliveryCountsQuery(subscriber)).data;
  const words = useWords();
  const formats = useFormats();
  const isFiltered = view !== "all" || event !== undefined || page > 1;
  if (error !== null) {
    const title = words.common.couldNotLoad(words.webhooks.deliveries);
    return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows />;
  if (data.entries.length === 0 && !isFiltered) {
    return <EmptyState icon={Send} title={words.webhooks.noDeliveries} text={words.webhooks.noDeliveriesText} />;
  }
  return (
    <div className={styles.panes}>
      <section className={styles.left} aria-label={words.webhooks.deliveries}>
        <DeliveryTools subscriber={subscriber} canReceive={canReceive} search={search} counts={counts} />
        {data.entries.length === 0 ? (
          <p className={styles.none}>{words.webhooks.noneMatch}</p>
        ) : (
          <DeliveryList deliveries={data.entries} selected={selected} />
        )}
        <nav className={styles.pages} aria-label={words.webhooks.pages}>
          {page > 1 && (
            <Link to="." search={(previous) => changedSearch(previous, { page: page === 2 ? undefined : page - 1 })}>
              {words.common.newer}
            </Link>
          )}
          {(page > 1 || data.hasMore) && <span>{words.webhooks.page(formats.number(page))}</span>}
          {data.hasMore && (
            <Link to="." search={(previous) => changedSearch(previous, { page: page + 1 })}>
              {words.common.older}
            </Link>
          )}
        </nav>
      </section>
      <section className={styles.right} aria-label={words.webhooks.theDelivery} aria-live="polite">
        {selected === undefined ? (
          <p className={styles.none}>{words.webhooks.chooseDelivery}</p>
        ) : (
          <SelectedDelivery
            key={selected}
            subscriber={subscriber}
            url={url}
            canReceive={canReceive}
            planned={planned}
            deliveryId={selected}
            listed={data.entries.find(({ id }) => id === selected)}
          />
        )}
      </section>
    </div>
  );
}
