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
    case "item":
      return itemRow(row);
  }
}

function itemRow({ name, details, quantity, price, discount, undiscounted, amount }: DocumentRow): Html {
  return html`<tr role="row">
<td role="cell" class="item"><span class="what" dir="auto">${name}</span>${details === "" ? null : html`<span class="details lines" dir="auto">${details}</span>`}</td>
<td role="cell" class="number measure"><bdi>${quantity}</bdi> × <bdi>${price}</bdi>${discount === null ? null : html`<span class="less">${discount}</span>`}</td>
<td role="cell" class="number"><bdi>${amount}</bdi>${undiscounted === null ? null : html`<s class="less"><bdi>${undiscounted}</bdi></s>`}</td>
</tr>
`;
}

function acrossRow(content: Html, kind: string): Html {
  return html`<tr role="row" class="${kind}"><td role="cell" colspan="3" aria-colspan="3">${content}</td></tr>
`;
}
