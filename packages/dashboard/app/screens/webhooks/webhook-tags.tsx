import type { Webhook } from "@budgetkit/client";
import { Tag } from "../../components/chip.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import styles from "./webhooks.module.css";

/** What the endpoint receives, and on which conditions. */
export function WebhookTags({ events, filter, ordering, allowedIps }: Webhook) {
  const words = useWords();
  const formats = useFormats();
  const { status, currency, customerId, minimumTotal } = filter ?? {};
  const conditions = [
    status && words.webhooks.onlyIf(status.map((each) => words.common.states[each]).join(", ")),
    currency && words.webhooks.onlyIf(currency.join(", ")),
    customerId && words.webhooks.customersCount(customerId.length),
    minimumTotal && words.webhooks.onlyFrom(formats.moneyText(minimumTotal.amount, minimumTotal.currency)),
    ordering === "subject" && words.webhooks.inOrder,
    allowedIps && words.webhooks.toAddresses(allowedIps.join(", ")),
  ].filter((text) => typeof text === "string");
  return (
    <span className={styles.tags}>
      {events === null ? <Tag>{words.webhooks.everyEvent}</Tag> : events.map((event) => <Tag key={event}>{event}</Tag>)}
      {conditions.map((text) => (
        <Tag key={text}>{text}</Tag>
      ))}
    </span>
  );
}
