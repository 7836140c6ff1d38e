import type { Delivery } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { CopyButton } from "../../../components/copy-button.js";
import { messageOf } from "../../../components/notices.js";
import { Segmented } from "../../../components/tabs.js";
import { useToast } from "../../../components/toast.js";
import { deliveriesKey, isWaiting, retryDelivery, type Subscriber } from "../../../queries/deliveries.js";
import { useMay } from "../../../session/use-session.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../deliveries.module.css";
import { placeOf, subjectOf } from "../delivery-subject.js";
import { AttemptDetails } from "./attempt-details.js";
import { AttemptList } from "./attempt-list.js";
import { DeliveryEvent } from "./delivery-event.js";
import { curlOf, requestOf } from "./delivery-request.js";
import { DeliverySignature } from "./delivery-signature.js";

interface Props {
  readonly delivery: Delivery;
  readonly subscriber: Subscriber;
  readonly url: string;
  readonly canReceive: boolean;
  readonly planned: number | undefined;
}

type Part = "attempt" | "event" | "signature";

/** A delivery: its attempts, what was sent and what was answered. */
export function DeliveryPanel({ delivery, subscriber, url, canReceive, planned }: Props) {
  const words = useWords();
  const may = useMay();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [part, setPart] = useState<Part>("attempt");
  const [chosen, setChosen] = useState<number | null>(null);
  const attempt = delivery.attempts.find(({ number }) => number === chosen) ?? delivery.attempts.at(-1);
  const retry = useMutation({
    mutationFn: () => retryDelivery(subscriber, delivery.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: deliveriesKey(subscriber) });
      showToast({ text: words.webhooks.redelivering });
    },
    onError: (error) => showToast({ text: messageOf(error, words.common), isError: true }),
  });
  const subject = subjectOf(delivery);
  const { sequence, revision } = placeOf(delivery);
  const isReadable = Object.keys(delivery.payload).length > 0;
  return (
    <>
      <header className={styles.head}>
        <h2>
          <code>{delivery.event}</code>{" "}
          <span>{[subject.name, subject.customer].filter((text) => text !== null).join(", ")}</span>
        </h2>
        <div className={styles.buttons}>
          {isReadable && url !== "" && (
            <CopyButton
              text={curlOf(url, requestOf(delivery, attempt?.startedAt ?? null))}
              label={words.webhooks.asCurl}
            />
          )}
          {may("administer") && canReceive && !isWaiting(delivery) && (
            <Button icon={Play} busy={retry.isPending} onClick={() => retry.mutate()}>
              {words.webhooks.redeliver}
            </Button>
          )}
        </div>
      </header>
      <p className={styles.note}>
        {[
          words.webhooks.deliveryNumber(delivery.id),
          delivery.eventId === null ? words.webhooks.isTest : words.webhooks.eventNumber(delivery.eventId),
          sequence === null ? null : words.webhooks.sequence(String(sequence)),
          revision === null ? null : words.webhooks.revision(String(revision)),
        ]
          .filter((text) => text !== null)
          .join(" · ")}
      </p>
      <AttemptList delivery={delivery} planned={planned} selected={attempt?.number} onSelect={setChosen} />
      <div className={styles.parts}>
        <Segmented
          label={words.webhooks.show}
          value={part}
          options={(["attempt", "event", "signature"] as const).map((value) => ({
            value,
            label: words.webhooks.parts[value],
          }))}
          onChange={setPart}
        />
      </div>
      {!isReadable && <p className={styles.note}>{words.webhooks.contentHidden}</p>}
      {part === "attempt" && <AttemptDetails delivery={delivery} attempt={attempt} />}
      {part === "event" && <DeliveryEvent delivery={delivery} />}
      {part === "signature" && <DeliverySignature delivery={delivery} attempt={attempt} subscriber={subscriber} />}
    </>
  );
}
