import type { Delivery } from "@budgetkit/client";
import { CodeBlock } from "../../../components/code-block.js";
import { JsonCode } from "../../../components/json-code.js";
import { jsonText } from "../../../components/json-tokens.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { ChangeList } from "../../events/change-list.js";
import { changesOf } from "../../events/changes-of.js";
import { SubjectLink } from "../../events/subject-link.js";
import styles from "../deliveries.module.css";
import { fieldsOf, occurredAt, subjectOf } from "../delivery-subject.js";

/** The event that the delivery carries: when it was, what it changed and what it is about. */
export function DeliveryEvent({ delivery }: { readonly delivery: Delivery }) {
  const words = useWords().webhooks;
  const formats = useFormats();
  const { name, id } = subjectOf(delivery);
  const data = fieldsOf(delivery.payload.data);
  return (
    <>
      <p className={styles.note}>{words.occurred(formats.dateTime(occurredAt(delivery)))}</p>
      {id !== null && (
        <p>
          <SubjectLink event={delivery.event} subjectId={id} name={name ?? id} />
        </p>
      )}
      <ChangeList changes={changesOf(data.changes)} />
      <CodeBlock label={words.data} copied={JSON.stringify(data, null, 2)}>
        <JsonCode {...jsonText(data)} />
      </CodeBlock>
    </>
  );
}
