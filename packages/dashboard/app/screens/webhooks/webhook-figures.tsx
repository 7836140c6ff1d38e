import type { Delivery } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Figure, Strip } from "../../components/page.js";
import { useFormats } from "../../formats/use-formats.js";
import { deliveriesQuery, deliveryCountsQuery, PAGE_SIZE } from "../../queries/deliveries.js";
import { useWords } from "../../words/use-words.js";
import { answerFigures, isAccepted, oldestWaiting } from "../deliveries/delivery-figures.js";
import { useDuration } from "../deliveries/use-duration.js";
import styles from "./webhooks.module.css";

/** How an endpoint does: the share that was taken, how fast it answers, and what waits. */
export function WebhookFigures({ webhookId }: { readonly webhookId: string }) {
  const subscriber = { kind: "webhook", id: webhookId } as const;
  const { data: last } = useQuery(deliveriesQuery(subscriber, { view: "all", event: undefined, page: 1 }));
  const { data: counts } = useQuery(deliveryCountsQuery(subscriber));
  const words = useWords();
  const formats = useFormats();
  const durationOf = useDuration();
  if (last === undefined || counts === undefined || last.entries.length === 0) return null;
  const { medianMs, p95Ms, failedAttempts } = answerFigures(last.entries);
  const finished = counts.delivered + counts.failed;
  const oldest = oldestWaiting(last.entries);
  return (
    <Strip>
      <Figure
        label={words.webhooks.deliveredShare}
        note={words.webhooks.ofFinished(formats.number(counts.delivered), formats.number(finished))}
      >
        {finished === 0 ? words.common.none : formats.percent(counts.delivered / finished)}
      </Figure>
      <Figure
        label={words.webhooks.medianAnswer}
        note={p95Ms === null ? undefined : words.webhooks.p95(durationOf(p95Ms))}
      >
        {medianMs === null ? words.common.none : durationOf(medianMs)}
      </Figure>
      <Figure
        label={words.webhooks.waitingNow}
        note={oldest === null ? undefined : words.webhooks.oldest(formats.ago(oldest, Date.now()))}
      >
        {formats.number(counts.waiting)}
      </Figure>
      <Figure
        label={words.webhooks.lastDeliveries(formats.number(last.entries.length))}
        note={words.webhooks.failedAttempts(failedAttempts, formats.number(failedAttempts))}
      >
        <Bars deliveries={last.entries} />
      </Figure>
    </Strip>
  );
}

const HEIGHT = 28;
const SHORTEST = 4;
const STEP = 5;

/** Each of the last deliveries as a bar, the oldest first: as high as the answer took, red where it was not taken. */
function Bars({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const times = deliveries.map(({ attempts }) => attempts.at(-1)?.durationMs ?? 0);
  const longest = Math.max(1, ...times);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${PAGE_SIZE * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {[...deliveries].reverse().map((delivery, index) => {
        const last = delivery.attempts.at(-1);
        const isGood = last === undefined || isAccepted(last);
        const height = isGood ? Math.max(SHORTEST, ((last?.durationMs ?? 0) / longest) * HEIGHT) : HEIGHT;
        return (
          <rect
            key={delivery.id}
            className={isGood ? styles.bar : styles.badBar}
            x={(PAGE_SIZE - deliveries.length + index) * STEP}
            y={HEIGHT - height}
            width={3}
            height={height}
          />
        );
      })}
    </svg>
  );
}
