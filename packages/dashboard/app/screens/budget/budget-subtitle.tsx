import type { Budget, Mail } from "@budgetkit/client";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import { useActorName } from "./use-actor-name.js";

interface Props {
  readonly budget: Budget;
  /** The mails that are loaded, newest first. */
  readonly mails: readonly Mail[];
}

/** Number, first line, who sent it when, version and validity. */
export function BudgetSubtitle({ budget, mails }: Props) {
  const words = useWords().budget;
  const formats = useFormats();
  const nameOf = useActorName();
  const items = budget.items.filter(({ kind }) => kind === undefined);
  const first = items[0]?.description ?? "";
  const sent = mails.find(({ kind }) => kind === "budget");
  const validity = validityText();
  return (
    <>
      {budget.number !== undefined && <span>{budget.number}</span>}
      <span dir="auto">
        {items.length > 1 ? words.andMoreLines(shortened(first), items.length - 1) : shortened(first)}
      </span>
      <span>
        {sent === undefined
          ? words.createdBy(nameOf(budget.createdBy), formats.date(budget.createdAt))
          : words.sentBy(nameOf(sent.createdBy), formats.date(sent.createdAt))}
      </span>
      <span>{words.versionNumber(budget.revision)}</span>
      {validity !== null && <span>{validity}</span>}
    </>
  );

  function validityText(): string | null {
    const { status, validUntil } = budget;
    if (validUntil === null) return null;
    if (status === "EXPIRED") return words.expiredOn(formats.date(validUntil));
    if (status !== "PENDING" && status !== "DRAFT") return null;
    return words.validUntil(formats.date(validUntil), formats.until(validUntil, Date.now()));
  }
}

const MAX_FIRST = 80;

function shortened(text: string): string {
  return text.length > MAX_FIRST ? `${text.slice(0, MAX_FIRST)}…` : text;
}
