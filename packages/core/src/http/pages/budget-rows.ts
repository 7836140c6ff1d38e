import type { DocumentRow } from "./document-parts.js";
import { type Html, html } from "./html.js";

/** One row of the table of a budget, which has three columns: what, how much of it, and the amount. */
export function budgetRow(row: DocumentRow): Html {
  const { kind, description, name, amount } = row;
  switch (kind) {
    case "heading":
      return acrossRow(html`<h3 dir="auto">${description}</h3>`, "section");
    case "text":
      return acrossRow(html`<span class="lines" dir="auto">${description}</span>`, "text");
    case "subtotal":
      return html`<tr role="row" class="subtotal">
<td role="cell" colspan="2" aria-colspan="2"><bdi>${name}</bdi></td>
<td role="cell" class="number"><bdi>${amount}</bdi></td>
</tr>
`;
    case "choice":
      return acrossRow(describedLine(row), "text");
    case "item":
      return itemRow(row);
  }
}

function itemRow(row: DocumentRow): Html {
  const { quantity, price, discount, undiscounted, amount, isSelected, isOption } = row;
  const look = isSelected === false ? html` class="left-out"` : isSelected === true ? html` class="chosen"` : null;
  const shown = isSelected === false ? html`<s><bdi>${amount}</bdi></s>` : html`<bdi>${amount}</bdi>`;
  return html`<tr role="row"${look}>
<td role="cell" class="item${isOption ? " of-choice" : ""}">${describedLine(row)}</td>
<td role="cell" class="number measure"><bdi>${quantity}</bdi> × <bdi>${price}</bdi>${discount === null ? null : html`<span class="less">${discount}</span>`}</td>
<td role="cell" class="number">${shown}${undiscounted === null ? null : html`<s class="less"><bdi>${undiscounted}</bdi></s>`}</td>
</tr>
`;
}

/** What is offered, with what its reader may do with it. */
export function describedLine({ name, details, notes }: DocumentRow): Html {
  return html`<span class="what" dir="auto">${name}</span>${details === "" ? null : html`<span class="details lines" dir="auto">${details}</span>`}${notes.map((note) => html`<span class="details note" dir="auto">${note}</span>`)}`;
}

export function acrossRow(content: Html, kind: string): Html {
  return html`<tr role="row" class="${kind}"><td role="cell" colspan="3" aria-colspan="3">${content}</td></tr>
`;
}
