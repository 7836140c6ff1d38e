import type { BusinessEvent } from "@budgetkit/client";
import { Link } from "@tanstack/react-router";
import { CodeBlock } from "../../components/code-block.js";
import { JsonCode } from "../../components/json-code.js";
import { jsonText } from "../../components/json-tokens.js";
import { useWords } from "../../words/use-words.js";
import { ChangeList } from "./change-list.js";
import { changesOf } from "./changes-of.js";
import styles from "./events.module.css";

/** What an entry changed, in words, and all of its data. */
export function EventDetails({ event }: { readonly event: BusinessEvent }) {
  const words = useWords().events;
  const { change, data } = event;
  return (
    <div className={styles.entry}>
      <p className={styles.count}>
        {words.numbers(event.id, String(event.sequence), String(event.revision))}
        {change.reason !== null && ` · ${words.reason(change.reason)}`}
      </p>
      <ChangeList changes={changesOf(data.changes)} />
      <p className={styles.links}>
        <Link to="/events" search={{ subject: event.subjectId }}>
          {words.allOfSubject}
        </Link>
        <Link to="/events" search={{ actor: event.actor }}>
          {words.allOfActor}
        </Link>
      </p>
      <CodeBlock label={words.data} copied={JSON.stringify(data, null, 2)}>
        <JsonCode {...jsonText(data)} />
      </CodeBlock>
    </div>
  );
}
