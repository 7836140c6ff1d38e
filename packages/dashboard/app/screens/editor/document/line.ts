export type LineKind = "item" | "heading" | "text" | "subtotal" | "choice";

/** A number as it was typed: a plain decimal, or the text itself until it is one. Empty = none. */
export type Figure = string;

interface Range {
  readonly minimum: Figure;
  readonly maximum: Figure;
  readonly step: Figure;
}

export interface Tier {
  readonly from: Figure;
  readonly unitPrice: Figure;
}

export interface Recurring {
  readonly interval: "week" | "month" | "year";
  readonly intervalCount: Figure;
  readonly cycles: Figure; // empty = until ended
}

/** A line of a budget in the editor. Lines of every kind have all fields; a kind uses some of them. */
export interface Line {
  /** Stays as long as the line does: the id of a saved line, or one of its own. */
  readonly key: string;
  readonly kind: LineKind;
  readonly description: string;
  readonly quantity: Figure;
  readonly unit: string;
  readonly unitPrice: Figure; // beside tiers, that of quantities below the first
  readonly discount: Figure; // `10%` or an amount
  readonly unitCost: Figure;
  readonly taxes: readonly string[] | null; // null = all of the budget
  readonly optional: boolean;
  readonly selected: boolean; // of an optional line or an option
  readonly choice: string | null; // of a choice its own key, of an item that of the choice to which it belongs
  readonly minimum: Figure; // of a choice
  readonly maximum: Figure; // of a choice
  readonly range: Range | null; // null = the customer does not set the quantity
  readonly tiers: readonly Tier[];
  readonly recurring: Recurring | null; // null = charged once
  readonly productId: string | null;
  readonly variantId: string | null;
  readonly packageId: string | null;
}

export function newLine(key: string, kind: LineKind, fields: Partial<Line> = {}): Line {
  return {
    key,
    kind,
    description: "",
    quantity: kind === "item" ? "1" : "",
    unit: "",
    unitPrice: "",
    discount: "",
    unitCost: "",
    taxes: null,
    optional: false,
    selected: false,
    choice: null,
    minimum: kind === "choice" ? "1" : "",
    maximum: kind === "choice" ? "1" : "",
    range: null,
    tiers: [],
    recurring: null,
    productId: null,
    variantId: null,
    packageId: null,
    ...fields,
  };
}

/** An item into which nothing was written yet. It is not saved. */
export function isBlank({ kind, description, unitPrice, tiers }: Line): boolean {
  return kind === "item" && description.trim() === "" && unitPrice === "" && tiers.length === 0;
}

/** Whether the line counts only if it is selected. */
export function isSelectable({ kind, optional, choice }: Line): boolean {
  return kind === "item" && (optional || choice !== null);
}

/** Whether an item belongs to the choice of this line. */
export function isOptionOf(line: Line, choice: Line): boolean {
  return line.kind === "item" && choice.kind === "choice" && line.choice !== null && line.choice === choice.choice;
}

let counted = 0;

/** A key that no line of any session has. Letters and digits, so that it may be the key of a choice. */
export function newKey(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  counted += 1;
  return `n${random.toString(36)}.${counted}`;
}
