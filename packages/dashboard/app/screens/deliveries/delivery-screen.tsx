import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { Page } from "../../components/page.js";
import type { Subscriber } from "../../queries/deliveries.js";
import { changedSearch } from "../../shell/changed-search.js";
import { useWords } from "../../words/use-words.js";
import styles from "./deliveries.module.css";
import type { DeliverySearch } from "./delivery-search.js";
import { SelectedDelivery } from "./panel/selected-delivery.js";

interface Props {
  readonly subscriber: Subscriber;
  readonly url: string;
  readonly canReceive: boolean;
  readonly search: DeliverySearch;
  readonly planned?: number;
}

/** On phones the selected delivery is a screen of its own. */
export function DeliveryScreen({ subscriber, url, canReceive, search, planned }: Props) {
  const words = useWords().webhooks;
  const { delivery = "" } = search;
  return (
    <Page title={words.deliveryNumber(delivery)}>
      <Link to="." search={(previous) => changedSearch(previous, { delivery: undefined })} className={styles.back}>
        <ArrowLeft size={16} aria-hidden="true" />
        {words.deliveries}
      </Link>
      <SelectedDelivery
        key={delivery}
        subscriber={subscriber}
        url={url}
        canReceive={canReceive}
        planned={planned}
        deliveryId={delivery}
        listed={undefined}
      />
    </Page>
  );
}
