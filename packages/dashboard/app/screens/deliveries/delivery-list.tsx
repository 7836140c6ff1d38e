import type { Delivery } from "@budgetkit/client";
import { Link } from "@tanstack/react-router";
import table from "../../components/table.module.css";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./deliveries.module.css";
import { DeliveryState } from "./delivery-state.js";
import { occurredAt, subjectOf } from "./delivery-subject.js";
import { useDuration } from "./use-duration.js";

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly selected: string | undefined;
}

/** One page, newest first. A row opens the delivery beside the list. */
export function DeliveryList({ deliveries, selected }: Props) {
  const words = useWords().webhooks;
  return (
    <table className={`${table.table} ${styles.list}`}>
      <thead>
        <tr>
          <th scope="col">{words.state}</th>
          <th scope="col">{words.event}</th>
          <th scope="col" className={styles.wide}>
            {words.subject}
          </th>
          <th scope="col" className={table.number}>
            {words.code}
          </th>
          <th scope="col" className={`${table.number} ${styles.wide}`}>
            {words.took}
          </th>
          <th scope="col" className={table.number}>
            {words.eventAt}
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} isSelected={delivery.id === selected} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ delivery, isSelected }: { readonly delivery: Delivery; readonly isSelected: boolean }) {
  const words = useWords();
  const formats = useFormats();
  const durationOf = useDuration();
  const last = delivery.attempts.at(-1);
  const isRefused = delivery.responseCode !== null && delivery.responseCode >= 300;
  const at = occurredAt(delivery);
  return (
    <tr className={isSelected ? `${table.selected} ${styles.selected}` : undefined}>
      <td>
        <DeliveryState status={delivery.status} />
      </td>
      <th scope="row">
        <Link
          to="."
          search={(previous) => ({ ...previous, delivery: delivery.id })}
          className={styles.open}
          resetScroll={false}
          aria-current={isSelected ? "true" : undefined}
        >
          <code>{delivery.event}</code>
        </Link>
      </th>
      <td className={`${styles.wide} ${styles.subject}`}>{subjectOf(delivery).name ?? words.common.none}</td>
      <td className={`${table.number} ${isRefused ? styles.bad : ""}`}>{delivery.responseCode ?? words.common.none}</td>
      <td className={`${table.number} ${styles.wide}`}>
        {last?.durationMs == null ? words.common.none : durationOf(last.durationMs)}
      </td>
      <td className={table.number}>
        <time dateTime={at}>{formats.dateTime(at)}</time>
      </td>
    </tr>
  );
}
