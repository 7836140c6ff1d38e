import { acrossRow, describedLine } from "./budget-rows.js";
import type { DocumentRow } from "./document-parts.js";
import type { OfferedItem } from "./document-rows.js";
import { type Html, html } from "./html.js";
import { checkBox, noneButton, quantityField, radioButton } from "./line-controls.js";
import type { PageContent } from "./page-content.js";

/** A line that the customer decides on, with its row and its index in the budget. */
export interface DecidedLine {
  readonly line: OfferedItem;
  readonly row: DocumentRow;
  readonly index: number;
}

export interface ChoiceLine {
  readonly key: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** A choice with all of its options, across the table. */
export function choiceGroup(
  { key, minimum, maximum }: ChoiceLine,
  { name, details, notes }: DocumentRow,
  index: number,
  options: readonly DecidedLine[],
  content: PageContent,
): Html {
  const id = `choice-${index}`;
  const isOpen = content.configuration?.openChoices.includes(key) === true;
  const isSingle = maximum === 1;
  const none =
    isSingle && minimum === 0
      ? html`<div class="option">${noneButton(
          `${id}-none`,
          key,
          options.every(({ line }) => line.selected !== true),
        )}<label for="${id}-none"><span class="what">${content.words.noneOfThem}</span></label></div>\n`
      : null;
  return acrossRow(
    html`<fieldset id="${id}" data-choice="${key}" data-maximum="${maximum}"${isOpen ? html` aria-describedby="${id}-error"` : null}>
<legend><span class="what" dir="auto">${name}</span> <span class="details">${notes[0] ?? ""}</span></legend>
${details === "" ? null : html`<p class="details lines" dir="auto">${details}</p>\n`}<p class="error" id="${id}-error" role="alert"${isOpen ? null : html` hidden`}>${content.words.choiceOpen}</p>
${options.map((option) => optionCard(option, isSingle ? radioButton(option.line, option.index) : checkBox(option.line, option.index), content))}${none}</fieldset>`,
    "choice",
  );
}

/** A line that counts only if it is selected, across the table. */
export function optionalLine(option: DecidedLine, content: PageContent): Html {
  return acrossRow(optionCard(option, checkBox(option.line, option.index), content), "choice");
}

/** The whole card selects the line, but for the field of its quantity. */
function optionCard({ line, row, index }: DecidedLine, control: Html, content: PageContent): Html {
  const { discount, undiscounted, amount } = row;
  return html`<div class="option">${control}<label for="line-${index}">${describedLine(row)}</label>
<span class="price"><bdi data-line="${index}">${amount}</bdi>${undiscounted === null ? null : html`<s class="less" data-undiscounted="${index}"><bdi>${undiscounted}</bdi></s>`}${measure({ line, row, index }, content)}${discount === null ? null : html`<span class="less">${discount}</span>`}</span></div>
`;
}

/** How many of it at which price; nothing of a single thing. */
function measure({ line, row, index }: DecidedLine, content: PageContent): Html | null {
  const field = quantityField(line, { name: row.name, index }, content);
  if (field === null && line.quantity === 1 && line.unit === undefined) return null;
  return html`<span class="less">${field ?? html`<bdi>${row.quantity}</bdi>`} × ${unitPrice({ line, row, index })}</span>`;
}

/** Changes with the quantity where there are tiers. */
export function unitPrice({ line, row, index }: DecidedLine): Html {
  return line.priceTiers === undefined
    ? html`<bdi>${row.price}</bdi>`
    : html`<bdi data-price="${index}">${row.price}</bdi>`;
}
