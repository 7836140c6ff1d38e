import type { MailFacts } from "../../budgets/mailing/mail-facts.js";
import { documentSource } from "./budget-document.js";
import { wordedSums } from "./document-totals.js";
import { isolated } from "./isolate.js";
import type { MailFact } from "./mail-content.js";
import type { MailWords } from "./mail-words/words.js";
import type { PageFormats } from "./page-formats.js";
import type { PageLanguage } from "./page-language.js";
import { wordsOf } from "./page-words.js";

type View = NonNullable<MailFacts["view"]>;

/** Lines and characters of a list of choices. */
const MAX_LINES = 10;
const MAX_NAME = 80;

/** What the customer has selected, by name; nothing where the offer had no choice. */
export function chosenFacts({ items }: View, words: MailWords, formats: PageFormats): MailFact[] {
  const names = items.flatMap((line) => {
    if (line.kind !== undefined || (line.selected !== true && line.quantityRange === undefined)) return [];
    const unit = line.unit === undefined ? "" : ` ${line.unit}`;
    const count = line.quantityRange === undefined ? "" : `: ${formats.quantity(line.quantity)}${unit}`;
    return line.selected === false ? [] : [isolated(`${firstLineOf(line.description)}${count}`)];
  });
  if (names.length === 0) return [];
  const shown = names.length > MAX_LINES ? [...names.slice(0, MAX_LINES), "…"] : names;
  return [{ label: words.chosen, value: shown.join("\n") }];
}

function firstLineOf(description: string): string {
  const characters = [...(description.split("\n", 1)[0] ?? "")];
  return characters.length <= MAX_NAME ? characters.join("") : `${characters.slice(0, MAX_NAME - 1).join("")}…`;
}

/** What later cycles cost, and what is payable where a part of the total is withheld. */
export function furtherSums(view: View, language: PageLanguage, formats: PageFormats): MailFact[] {
  if (view.recurring === undefined && view.payable === undefined) return [];
  const sums = wordedSums(documentSource(view, language, wordsOf(language), formats));
  return sums.flatMap(({ name, term, amount, write }) => {
    if (amount === null || (name !== "recurring" && name !== "payable")) return [];
    return [{ label: isolated(term), value: isolated(write(amount)) }];
  });
}
