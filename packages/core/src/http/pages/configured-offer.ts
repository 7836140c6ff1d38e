import { isSelectable } from "../../pricing/selectable.js";
import { budgetRow, describedLine } from "./budget-rows.js";
import { choiceGroup, type DecidedLine, optionalLine, unitPrice } from "./choice-group.js";
import type { DocumentRow } from "./document-parts.js";
import { type IndexedLine, orderedLines } from "./document-rows.js";
import { wordedSums } from "./document-totals.js";
import { type Html, html } from "./html.js";
import { quantityField, updateButton } from "./line-controls.js";
import type { Configuration, PageContent } from "./page-content.js";

interface Row extends IndexedLine {
  readonly row: DocumentRow;
}

/** The rows of an offer with the controls by which its customer configures it. */
export function configuredRows(content: PageContent): readonly Html[] {
  const { view, document } = content;
  const rows = orderedLines(view.items).flatMap((each, at): Row[] => {
    const row = document.rows[at];
    return row === undefined ? [] : [{ ...each, row }];
  });
  return rows.flatMap(({ line, row, index }) => {
    switch (line.kind) {
      case "choice":
        return [
          choiceGroup(
            line,
            row,
            index,
            rows.flatMap((each) => optionOf(each, line.key)),
            content,
          ),
        ];
      case "subtotal":
        return [subtotalRow(row, index)];
      case undefined:
        if (line.choice !== undefined) return []; // stands in its choice
        return [
          isSelectable(line) ? optionalLine({ line, row, index }, content) : itemRow({ line, row, index }, content),
        ];
      default:
        return [budgetRow(row)];
    }
  });
}

function optionOf({ line, row, index }: Row, key: string): DecidedLine[] {
  return line.kind === undefined && line.choice === key ? [{ line, row, index }] : [];
}

function subtotalRow({ name, amount }: DocumentRow, index: number): Html {
  return html`<tr role="row" class="subtotal">
<td role="cell" colspan="2" aria-colspan="2"><bdi>${name}</bdi></td>
<td role="cell" class="number"><bdi data-line="${index}">${amount}</bdi></td>
</tr>
`;
}

/** A line that counts in any case; the customer may set its quantity. */
function itemRow({ line, row, index }: DecidedLine, content: PageContent): Html {
  const field = quantityField(line, { name: row.name, index }, content);
  if (field === null) return budgetRow(row);
  const { discount, undiscounted, amount } = row;
  return html`<tr role="row">
<td role="cell" class="item">${describedLine(row)}</td>
<td role="cell" class="number measure">${field} × ${unitPrice({ line, row, index })}${discount === null ? null : html`<span class="less">${discount}</span>`}</td>
<td role="cell" class="number"><bdi data-line="${index}">${amount}</bdi>${undiscounted === null ? null : html`<s class="less" data-undiscounted="${index}"><bdi>${undiscounted}</bdi></s>`}</td>
</tr>
`;
}

/** Every sum that a selection can show: a script fills and shows those that apply. */
export function configuredTotals({ source }: Configuration, content: PageContent): Html {
  const sums = wordedSums(source).map(({ name, index, term, amount, write }) => {
    const look = name === "total" ? html` class="total"` : null;
    const hidden = amount === null ? html` hidden` : null;
    return html`<div${look} data-sum="${name}${index}"${hidden}><dt>${term}</dt><dd><bdi>${write(amount ?? 0)}</bdi></dd></div>\n`;
  });
  return html`<dl class="totals">\n${sums}</dl>
${updateButton(content)}<p class="unseen" role="status" id="announced"></p>`;
}
