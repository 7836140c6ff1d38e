import type { Budget, Mail } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Mail as MailIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { StatusChip } from "../../../components/chip.js";
import { EmptyState } from "../../../components/notices.js";
import { Section } from "../../../components/page.js";
import table from "../../../components/table.module.css";
import { useFormats } from "../../../formats/use-formats.js";
import { budgetMailsQuery } from "../../../queries/budget.js";
import { useWords } from "../../../words/use-words.js";
import { possibleActions } from "../actions/action-plan.js";
import { loadedOf } from "../loaded-pages.js";
import { ScrollBox } from "../scroll-box.js";
import { SendDialog } from "../send-dialog.js";
import { TabState } from "../tab-state.js";
import { useActorName } from "../use-actor-name.js";

const TONES = { queued: "info", sent: "good", failed: "bad", cancelled: "quiet" } as const;

/** Kinds whose mail the business sends by hand. */
const OWN_KINDS: ReadonlySet<string> = new Set(["budget", "reminder"]);

export function MailsTab({ budget }: { readonly budget: Budget }) {
  const { budget: all } = useWords();
  const words = all.mails;
  const [again, setAgain] = useState<Mail | null>(null);
  const [isNew, setNew] = useState(false);
  const query = useInfiniteQuery(budgetMailsQuery(budget.id));
  const { entries } = loadedOf(query);
  const maySend = possibleActions(budget).has("send");
  const close = () => {
    setAgain(null);
    setNew(false);
  };
  return (
    <Section title={words.title}>
      <TabState query={query} what={words.what}>
        {entries.length === 0 ? (
          <EmptyState
            icon={MailIcon}
            title={words.empty}
            text={words.emptyText}
            action={maySend ? <Button onClick={() => setNew(true)}>{all.actions.names.send}</Button> : null}
          />
        ) : (
          <ScrollBox label={words.title}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{words.kind}</th>
                  <th scope="col">{words.to}</th>
                  <th scope="col">{words.when}</th>
                  <th scope="col">{words.state}</th>
                  <th scope="col">
                    <span className="visually-hidden">{words.again}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries.map((mail) => (
                  <MailRow
                    key={mail.id}
                    mail={mail}
                    onAgain={maySend && OWN_KINDS.has(mail.kind) ? () => setAgain(mail) : null}
                  />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </TabState>
      {isNew && <SendDialog budget={budget} onSent={close} onClose={close} />}
      {again !== null && <SendDialog budget={budget} former={again} onSent={close} onClose={close} />}
    </Section>
  );
}

interface RowProps {
  readonly mail: Mail;
  readonly onAgain: (() => void) | null;
}

function MailRow({ mail, onAgain }: RowProps) {
  const words = useWords().budget.mails;
  const formats = useFormats();
  const nameOf = useActorName();
  const { kind, to, status, sentAt, createdAt, createdBy, nextAttemptAt, error } = mail;
  const isWaiting = status === "queued" && nextAttemptAt !== null && error !== null;
  return (
    <tr>
      <td>
        {words.kinds[kind]}
        <br />
        <small>{nameOf(createdBy)}</small>
      </td>
      <td>{to}</td>
      <td>{formats.dateTime(sentAt ?? createdAt)}</td>
      <td>
        <StatusChip tone={TONES[status]}>{words.states[status]}</StatusChip>
        {error !== null && (
          <div>
            <small dir="auto">{error}</small>
          </div>
        )}
        {isWaiting && <small>{words.next(formats.dateTime(nextAttemptAt))}</small>}
      </td>
      <td className={table.actions}>
        {onAgain !== null && (
          <Button size="small" aria-label={words.againTo(to)} onClick={onAgain}>
            {words.again}
          </Button>
        )}
      </td>
    </tr>
  );
}
