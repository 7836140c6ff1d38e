import type { ReactNode } from "react";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import { actorParts } from "../actor.js";
import type { EventFact } from "./event-fact.js";

interface Props {
  readonly fact: EventFact;
  readonly who: ReactNode;
  readonly actor: string;
  readonly currency: string;
}

/** What an event says, as a sentence. */
export function EventText({ fact, who, actor, currency }: Props) {
  const words = useWords().budget.activity;
  const { facts } = words;
  const formats = useFormats();
  const isByCustomer = actorParts(actor).side === "customer";
  const by = (verb: ReactNode) => (
    <>
      {who} {verb}
    </>
  );
  const signed = (amount: number) => `${amount > 0 ? "+" : ""}${formats.moneyText(amount, currency)}`;
  switch (fact.kind) {
    case "created":
      return by(fact.isDraft ? facts.createdDraft : facts.created);
    case "approved":
      if (isByCustomer) return by(facts.approved);
      return actorParts(fact.by).side === "customer" ? <strong>{facts.confirmed}</strong> : by(facts.approvedFor);
    case "rejected":
      return by(isByCustomer ? facts.rejected : facts.rejectedFor);
    case "expired":
      return actor === "system" ? <strong>{facts.expired}</strong> : by(facts.expiredBy);
    case "remindersStopped":
    case "remindersResumed":
      return <span>{facts[fact.kind]}</span>;
    case "paid":
      return by(fact.amount === null ? facts.paid : `${facts.paid}: ${signed(fact.amount)}`);
    case "changed": {
      const names = fact.fields.map((field) => words.fields[field] ?? field).join(", ");
      const total = fact.totalDelta === null || fact.totalDelta === 0 ? "" : ` (${signed(fact.totalDelta)})`;
      return by(`${facts.changed} ${names}${total}`);
    }
    case "other":
      return by(fact.name);
    default:
      return by(facts[fact.kind]);
  }
}
