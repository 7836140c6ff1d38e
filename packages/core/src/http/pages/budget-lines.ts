import type { PublicBudgetView } from "../../budgets/sharing/public-link.js";
import { type Html, html } from "./html.js";
import type { PageFormats } from "./page-formats.js";
import type { PageWords } from "./page-words.js";

type Line = PublicBudgetView["items"][number];
type Item = Extract<Line, { readonly quantity: number }>;

/** One row of the table of a budget, which has four columns. */
export function lineRow(line: Line, words: PageWords, formats: PageFormats): Html {
  switch (line.kind) {
    case "heading":
      return acrossRow(html`<h3>${line.description}</h3>`);
    case "text":
      return acrossRow(html`<span class="lines">${line.description}</span>`);
    case "subtotal":
      return html`<tr role="row" class="subtotal">
<td role="cell" colspan="3" aria-colspan="3">${line.description ?? words.subtotal}</td>
<td role="cell" class="number">${formats.money(line.total)}</td>
</tr>
`;
    default:
      return itemRow(line, words, formats);
  }
}

function acrossRow(content: Html): Html {
  return html`<tr role="row"><td role="cell" colspan="4" aria-colspan="4">${content}</td></tr>
`;
}

function itemRow(item: Item, words: PageWords, formats: PageFormats): Html {
  return html`<tr role="row">
<td role="cell" class="item">${item.description}</td>
<td role="cell" class="number">${formats.quantity(item.quantity)}${item.unit === undefined ? null : ` ${item.unit}`}</td>
<td role="cell" class="number price">${formats.money(item.unitPrice)}${discountOf(item, words, formats)}</td>
<td role="cell" class="number">${formats.money(item.total)}</td>
</tr>
`;
}

/** The item's own discount below its price; a discount of 0 is not shown. */
function discountOf(
  { discountRate = 0, discountAmount = 0 }: Item,
  words: PageWords,
  formats: PageFormats,
): Html | null {
  if (discountRate === 0 && discountAmount === 0) return null;
  const less = discountRate === 0 ? formats.money(-discountAmount) : formats.rate(-discountRate);
  return html` <span class="less">${words.discount} ${less}</span>`;
}
