import type { Delivery } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { ErrorPanel } from "../../../components/notices.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { deliveryQuery, type Subscriber } from "../../../queries/deliveries.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../deliveries.module.css";
import { DeliveryPanel } from "./delivery-panel.js";

interface Props {
  readonly subscriber: Subscriber;
  readonly url: string;
  readonly canReceive: boolean;
  readonly planned: number | undefined;
  readonly deliveryId: string;
  /** Where the page that is listed has it. */
  readonly listed: Delivery | undefined;
}

/** The delivery of the address, also when no listed page has it. */
export function SelectedDelivery({ listed, deliveryId, ...rest }: Props) {
  const { data, error, refetch } = useQuery({
    ...deliveryQuery(rest.subscriber, deliveryId),
    enabled: listed === undefined,
  });
  const words = useWords();
  const delivery = listed ?? data;
  if (delivery != null) return <DeliveryPanel delivery={delivery} {...rest} />;
  if (error !== null) {
    const title = words.common.couldNotLoad(words.webhooks.theDelivery);
    return <ErrorPanel title={title} error={error} onRetry={() => void refetch()} />;
  }
  return data === null ? <p className={styles.none}>{words.webhooks.notAmongLast}</p> : <SkeletonRows rows={4} />;
}
