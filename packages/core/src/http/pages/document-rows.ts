import { exponentOf } from "../../kernel/currency.js";
import { decimalOf, multiply, roundTo } from "../../kernel/decimal.js";
import { fromMinor } from "../../kernel/money.js";
import { termWith } from "./document-acceptance.js";
import type { DocumentRow, DocumentSource, ShownBudget } from "./document-parts.js";

type Line = ShownBudget["items"][number];
type Item = Extract<Line, { readonly quantity: number }>;

/** The row of a line. */
export function rowOf(line: Line, source: DocumentSource): DocumentRow {
  const { words, formats } = source;
  switch (line.kind) {
    case "heading":
    case "text":
      return { ...EMPTY_ROW, kind: line.kind, ...namedBy(line.description) };
    case "choice":
      return { ...EMPTY_ROW, kind: "heading", ...namedBy(line.description) };
    case "subtotal":
      return {
        ...EMPTY_ROW,
        kind: line.kind,
        ...namedBy(line.description ?? words.subtotal),
        amount: formats.price(line.total),
      };
    default:
      return itemOf(line, source);
  }
}

const EMPTY_ROW = { quantity: "", price: "", discount: null, undiscounted: null, amount: "" };

function namedBy(description: string): Pick<DocumentRow, "description" | "name" | "details"> {
  const end = description.indexOf("\n");
  if (end === -1) return { description, name: description, details: "" };
  return { description, name: description.slice(0, end), details: description.slice(end + 1) };
}

function itemOf(item: Item, source: DocumentSource): DocumentRow {
  const { formats } = source;
  const quantity = formats.quantity(item.quantity);
  return {
    kind: "item",
    ...namedBy(item.description),
    quantity: item.unit === undefined ? quantity : `${quantity} ${item.unit}`,
    price: formats.price(item.unitPrice),
    discount: discountOf(item, source),
    undiscounted: undiscountedOf(item, source),
    amount: formats.price(item.total),
  };
}

/** A discount of 0 is not shown. */
function discountOf({ discountRate = 0, discountAmount = 0 }: Item, { words, formats }: DocumentSource): string | null {
  if (discountRate === 0 && discountAmount === 0) return null;
  return termWith(words.discount, discountRate === 0 ? formats.price(-discountAmount) : formats.rate(-discountRate));
}

/** Only where it is the same by every rule of rounding. */
function undiscountedOf(item: Item, { budget: { currency }, formats }: DocumentSource): string | null {
  const { discountRate = 0, discountAmount = 0, quantity, unitPrice, total } = item;
  if (discountAmount !== 0) return formats.price(total + discountAmount);
  if (discountRate === 0) return null;
  const exact = multiply(decimalOf(quantity), decimalOf(unitPrice));
  const places = exponentOf(currency);
  const [up, even] = [roundTo(exact, places, "half-up"), roundTo(exact, places, "half-even")];
  return up === even ? formats.price(fromMinor(Number(up), currency)) : null;
}
