import type { Budget } from "@budgetkit/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { StateGlyph } from "../../../components/state-glyph.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { useActorName } from "../use-actor-name.js";
import styles from "./activity.module.css";
import { eventFact } from "./event-fact.js";
import { EventText } from "./event-text.js";
import type { TimelineEntry } from "./timeline.js";
import { glyphOf } from "./timeline-glyph.js";

interface Props {
  readonly entry: TimelineEntry;
  readonly budget: Budget;
}

interface ShownEntry {
  readonly what: ReactNode;
  readonly detail?: ReactNode;
  readonly bubble?: { readonly text: string; readonly isOwn: boolean };
}

/** One thing that happened: its circle, who did what, when, and what was written. */
export function TimelineItem({ entry, budget }: Props) {
  const formats = useFormats();
  const { what, detail, bubble } = useShownEntry(entry, budget);
  const { icon: Icon, state, tone } = glyphOf(entry.content);
  return (
    <li className={styles.entry}>
      <span className={`${styles.circle} ${tone === null ? "" : styles[tone]}`} aria-hidden="true">
        {state === null ? <Icon size={13} strokeWidth={1.75} /> : <StateGlyph state={state} />}
      </span>
      <div className={styles.what}>{what}</div>
      <time className={styles.when} dateTime={entry.at}>
        {formats.dateTime(entry.at)}
      </time>
      {detail !== undefined && <div className={styles.detail}>{detail}</div>}
      {bubble !== undefined && (
        <p className={`${styles.bubble} ${bubble.isOwn ? styles.own : ""}`} dir="auto">
          {bubble.text}
        </p>
      )}
    </li>
  );
}

function useShownEntry({ content, actor }: TimelineEntry, budget: Budget): ShownEntry {
  const { budget: all } = useWords();
  const words = all.activity;
  const formats = useFormats();
  const who = <strong dir="auto">{useActorName()(actor)}</strong>;
  const nameOf = useActorName();
  switch (content.kind) {
    case "message": {
      const { message } = content;
      const isOwn = message.from === "business";
      const name = isOwn ? who : <strong dir="auto">{message.name ?? budget.customer.name ?? ""}</strong>;
      const verb = message.kind === "changeRequest" ? words.asked : words.wrote;
      return {
        what: (
          <>
            {name} {verb}
          </>
        ),
        bubble: { text: message.message, isOwn },
      };
    }
    case "payment": {
      const { amount, currency, reference, createdBy } = content.payment;
      return {
        what: (
          <>
            <strong>{words.payment}</strong>, {formats.moneyText(amount, currency)}
          </>
        ),
        detail: words.paymentDetail(reference, nameOf(createdBy)),
      };
    }
    case "mail": {
      const { kind, to, status, error } = content.mail;
      return {
        what: words.mailed(all.mails.kinds[kind], to),
        detail: [all.mails.states[status], error].filter(Boolean).join(": "),
      };
    }
    case "file": {
      const { fileName, shared } = content.file;
      return {
        what: (
          <>
            {who} {shared === true ? words.fileShared : words.file}
          </>
        ),
        detail: fileName,
      };
    }
    case "view":
      return { what: words.opened(content.ordinal), detail: words.devices[content.device] };
    case "event": {
      const { event } = content;
      const fact = eventFact(event);
      const isAccepted = fact.kind === "approved" || fact.kind === "accepted";
      const { reason } = event.change;
      return {
        what: <EventText fact={fact} who={who} actor={actor} currency={budget.currency} />,
        ...(isAccepted
          ? {
              detail: (
                <Link
                  to="/budgets/$budgetId"
                  params={{ budgetId: budget.id }}
                  search={{ tab: "evidence" }}
                  resetScroll={false}
                >
                  {words.evidence}
                </Link>
              ),
            }
          : {}),
        ...(reason === null ? {} : { detail: words.reason(reason) }),
      };
    }
  }
}
