import type { Budget } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { MessageSquare } from "lucide-react";
import { Tag } from "../../../components/chip.js";
import { EmptyState } from "../../../components/notices.js";
import { Section } from "../../../components/page.js";
import { useFormats } from "../../../formats/use-formats.js";
import { budgetMessagesQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { MessageComposer } from "../activity/message-composer.js";
import { loadedOf } from "../loaded-pages.js";
import { TabState } from "../tab-state.js";
import { useActorName } from "../use-actor-name.js";
import styles from "./messages.module.css";

interface Props {
  readonly budget: Budget;
  readonly mayWrite: boolean;
}

/** The conversation with the customer, newest first, below the field to write. */
export function MessagesTab({ budget, mayWrite }: Props) {
  const words = useWords().budget.messages;
  const formats = useFormats();
  const nameOf = useActorName();
  const query = useInfiniteQuery(budgetMessagesQuery(budget.id));
  const { entries } = loadedOf(query);
  return (
    <Section title={words.title}>
      {mayWrite && budget.status !== "DRAFT" && <MessageComposer budget={budget} />}
      <TabState query={query} what={words.what}>
        {entries.length === 0 && <EmptyState icon={MessageSquare} title={words.empty} text={words.emptyText} />}
        <ol className={styles.thread}>
          {entries.map(({ id, from, name, sentBy, sentAt, kind, message }) => (
            <li key={id} className={from === "business" ? styles.own : styles.theirs}>
              <p className={styles.head}>
                <strong dir="auto">
                  {from === "business" ? nameOf(sentBy) : (name ?? budget.customer.name ?? "")}
                </strong>{" "}
                <time dateTime={sentAt}>{formats.dateTime(sentAt)}</time>
                {kind === "changeRequest" && <Tag kind="choice">{words.request}</Tag>}
              </p>
              <p className={styles.text} dir="auto">
                {message}
              </p>
            </li>
          ))}
        </ol>
      </TabState>
    </Section>
  );
}
