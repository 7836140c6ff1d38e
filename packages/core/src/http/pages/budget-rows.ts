import type { DocumentRow } from "./budget-document.js";
import { type Html, html } from "./html.js";

/** One row of the table of a budget, which has four columns. */
export function budgetRow(row: DocumentRow): Html {
  const { kind, description, quantity, price, discount, amount } = row;
  switch (kind) {
    case "heading":
      return acrossRow(html`<h3>${description}</h3>`);
    case "text":
      return acrossRow(html`<span class="lines">${description}</span>`);
    case "subtotal":
      return html`<tr role="row" class="subtotal">
<td role="cell" colspan="3" aria-colspan="3">${description}</td>
<td role="cell" class="number">${amount}</td>
</tr>
`;
    case "item":
      return html`<tr role="row">
<td role="cell" class="item">${description}</td>
<td role="cell" class="number">${quantity}</td>
<td role="cell" class="number price">${price}${discount === null ? null : html` <span class="less">${discount}</span>`}</td>
<td role="cell" class="number">${amount}</td>
</tr>
`;
  }
}

function acrossRow(content: Html): Html {
  return html`<tr role="row"><td role="cell" colspan="4" aria-colspan="4">${content}</td></tr>
`;
}
