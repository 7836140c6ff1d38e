import { isSelectable } from "../../pricing/selectable.js";
import { acceptanceIn, termWith } from "./document-acceptance.js";
import type { DocumentRow, DocumentSource, ShownBudget } from "./document-parts.js";
import { withoutMarks } from "./isolate.js";
import { recurrenceNote } from "./recurring-costs.js";
import { undiscountedAmount } from "./shown-figures.js";

type Line = ShownBudget["items"][number];
type Choice = Extract<Line, { readonly kind: "choice" }>;
export type OfferedItem = Extract<Line, { readonly quantity: number }>;

/** A line with its index in the budget. */
export interface IndexedLine {
  readonly line: Line;
  readonly index: number;
}

/** The lines in the order of the document: the options of a choice stand below it, wherever they are in the budget. */
export function orderedLines(items: readonly Line[]): readonly IndexedLine[] {
  const lines = items.map((line, index) => ({ line, index }));
  const keys = new Set(items.flatMap((line) => (line.kind === "choice" ? [line.key] : [])));
  if (keys.size === 0) return lines;
  return lines.flatMap((each) => {
    if (each.line.kind === "choice") return [each, ...optionsOf(each.line, lines)];
    const key = keyOf(each.line);
    return key !== undefined && keys.has(key) ? [] : [each];
  });
}

function optionsOf<Each extends { readonly line: Line }>({ key }: Choice, lines: readonly Each[]): readonly Each[] {
  return lines.filter(({ line }) => keyOf(line) === key);
}

function keyOf(line: Line): string | undefined {
  return line.kind === undefined ? line.choice : undefined;
}

/** The rows of the lines, in this order. */
export function orderedRows(source: DocumentSource): readonly DocumentRow[] {
  return orderedLines(source.budget.items).map((each) => rowOf(each, source));
}

function rowOf({ line, index }: IndexedLine, source: DocumentSource): DocumentRow {
  const { words, formats, lines } = source;
  switch (line.kind) {
    case "heading":
    case "text":
      return { ...EMPTY_ROW, kind: line.kind, ...namedBy(line.description) };
    case "choice":
      return { ...EMPTY_ROW, kind: line.kind, ...namedBy(line.description), notes: choiceNotes(line, source) };
    case "subtotal":
      return {
        ...EMPTY_ROW,
        kind: line.kind,
        ...namedBy(line.description ?? words.subtotal),
        amount: formats.price(lines.amounts[index] ?? line.total),
      };
    default:
      return itemOf(line, lines.amounts[index] ?? null, source);
  }
}

const EMPTY_ROW = {
  quantity: "",
  price: "",
  discount: null,
  undiscounted: null,
  amount: "",
  isSelected: null,
  isOption: false,
  notes: [],
};

function namedBy(description: string): Pick<DocumentRow, "description" | "name" | "details"> {
  const end = description.indexOf("\n");
  if (end === -1) return { description, name: description, details: "" };
  return { description, name: description.slice(0, end), details: description.slice(end + 1) };
}

/** `amount` null = not known of a line that is not selected. */
function itemOf(item: OfferedItem, amount: number | null, source: DocumentSource): DocumentRow {
  const { budget, formats } = source;
  const undiscounted = undiscountedAmount(item, amount, budget.currency);
  return {
    kind: "item",
    ...namedBy(item.description),
    quantity: withUnit(formats.quantity(item.quantity), item),
    price: formats.price(item.unitPrice),
    discount: discountOf(item, source),
    undiscounted: undiscounted === null ? null : formats.price(undiscounted),
    amount: amount === null ? "" : formats.price(amount),
    isSelected: isSelectable(item) ? item.selected === true : null,
    isOption: item.choice !== undefined,
    notes: notesOf(item, source),
  };
}

function withUnit(quantity: string, { unit }: OfferedItem): string {
  return unit === undefined ? quantity : `${quantity} ${unit}`;
}

/** The same within a sentence. */
function inNote(quantity: string, item: OfferedItem): string {
  return withoutMarks(withUnit(quantity, item));
}

/** A discount of 0 is not shown. */
function discountOf(
  { discountRate = 0, discountAmount = 0 }: OfferedItem,
  { words, formats }: DocumentSource,
): string | null {
  if (discountRate === 0 && discountAmount === 0) return null;
  return termWith(words.discount, discountRate === 0 ? formats.price(-discountAmount) : formats.rate(-discountRate));
}

/** Once the customer has answered, nothing can be set, and what was chosen is said. */
function notesOf(item: OfferedItem, source: DocumentSource): string[] {
  const { budget, words } = source;
  const isAnswered = acceptanceIn(budget) !== null;
  const state = !isSelectable(item)
    ? []
    : isAnswered
      ? [item.selected === true ? words.chosen : words.notChosen]
      : item.optional === true
        ? [words.optional]
        : [];
  const further = isAnswered ? [] : [...rangeNote(item, source), ...tierNote(item, source)];
  return [...state, ...further, ...(item.recurring === undefined ? [] : [recurrenceNote(item.recurring, source)])];
}

function rangeNote(item: OfferedItem, { words, formats: { quantity } }: DocumentSource): string[] {
  if (item.quantityRange === undefined) return [];
  const { minimum, maximum, step } = item.quantityRange;
  return [words.range(quantity(minimum), inNote(quantity(maximum), item), quantity(step))];
}

/** The first price holds from the smallest quantity on. */
function tierNote(item: OfferedItem, { words, formats }: DocumentSource): string[] {
  const { priceTiers, quantityRange } = item;
  if (priceTiers === undefined || priceTiers.length < 2) return [];
  const smallest = quantityRange?.minimum ?? 0;
  const tiers = priceTiers.map(({ from, unitPrice }) => ({ from: Math.max(from, smallest), unitPrice }));
  const texts = tiers
    .filter(({ from }, index) => from > 0 && from !== tiers[index + 1]?.from) // a tier below the range never applies
    .map(({ from, unitPrice }) => words.fromQuantity(inNote(formats.quantity(from), item), formats.price(unitPrice)));
  return texts.length === 0 ? [] : [texts.join(" · ")];
}

function choiceNotes(choice: Choice, { budget, words, formats: { quantity } }: DocumentSource): string[] {
  if (acceptanceIn(budget) !== null) return [];
  const { minimum, maximum } = choice;
  const count = optionsOf(
    choice,
    budget.items.map((line) => ({ line })),
  ).length;
  const [least, most, of] = [quantity(minimum), quantity(Math.min(maximum, count)), quantity(count)];
  if (minimum === maximum) return [words.chooseExactly(least, of)];
  return [minimum === 0 ? words.chooseUpTo(most, of) : words.chooseBetween(least, most, of)];
}
