import type { BudgetTax, Revision, RevisionChange } from "@budgetkit/client";
import { withoutDust } from "../../../formats/formats.js";

type Line = Revision["items"][number];
type Value = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>;

/** One change of a value; null = there was or is none. */
export interface ValueChange {
  readonly field: string;
  readonly before: Value;
  readonly after: Value;
}

export interface PriceChange {
  readonly quantity: { readonly before: number; readonly after: number };
  readonly unitPrice: { readonly before: number; readonly after: number };
}

export type DifferenceRow =
  | {
      readonly kind: "added" | "removed";
      readonly id: string;
      readonly name: string;
      readonly quantity: number | null; // null = a line without a price
      readonly unitPrice: number;
      readonly delta: number | null;
    }
  | {
      readonly kind: "changed";
      readonly id: string;
      readonly name: string;
      /** How it was called before; null = as now. */
      readonly formerName: string | null;
      /** Quantity and price, where one of them is another; null = both are as before. */
      readonly price: PriceChange | null;
      readonly changes: readonly ValueChange[];
      readonly delta: number | null;
    }
  | { readonly kind: "reordered" }
  | { readonly kind: "field"; readonly change: ValueChange };

/** What a sum grew by; `name` = null: a sum of the budget, which `field` names. */
interface SumChange {
  readonly field: string;
  readonly name: string | null;
  readonly delta: number;
}

export interface ReadableDifference {
  readonly rows: readonly DifferenceRow[];
  readonly sums: readonly SumChange[];
}

/** Figures that follow from others are shown as sums, or not at all. */
const FOLLOWS: ReadonlySet<string> = new Set(["total", "tax", "discount", "gross"]);
const SUMS = ["discount", "taxes", "tax", "withheld", "total", "payable"];

/** The changes between two versions, as a person reads them: lines and fields first, then what they come to. */
export function readableDifference(changes: readonly RevisionChange[], lines: readonly Line[]): ReadableDifference {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const rows: DifferenceRow[] = [];
  const sums: SumChange[] = [];
  for (const change of changes) {
    switch (change.kind) {
      case "item-added":
        rows.push(lineRow("added", change.id, change.item, 1));
        break;
      case "item-removed":
        rows.push(lineRow("removed", change.id, change.item, -1));
        break;
      case "item-changed":
        rows.push(changedRow(change.id, byId.get(change.id), change.fields));
        break;
      case "items-reordered":
        rows.push({ kind: "reordered" });
        break;
      case "field":
        if (SUMS.includes(change.field)) sums.push(...sumsOf(change));
        else if (change.field !== "subtotal" && change.field !== "recurring") rows.push({ kind: "field", change });
    }
  }
  return { rows: rows.filter(isTold), sums: withoutRepeatedTax(sums).sort(bySum) };
}

type LineContent = Extract<RevisionChange, { kind: "item-added" }>["item"];

function lineRow(kind: "added" | "removed", id: string, item: LineContent, sign: 1 | -1): DifferenceRow {
  const name = item.description ?? "";
  if (item.kind !== undefined) return { kind, id, name, quantity: null, unitPrice: 0, delta: null };
  return { kind, id, name, quantity: item.quantity, unitPrice: item.unitPrice, delta: sign * item.total };
}

/** Shown in the first lines of a row, not as fields of it. */
const TOLD_FIRST: ReadonlySet<string> = new Set(["description", "quantity", "unitPrice"]);

function changedRow(id: string, line: Line | undefined, fields: readonly ValueChange[]): DifferenceRow {
  const changeOf = (name: string) => fields.find(({ field }) => field === name);
  const [total, description] = [changeOf("total"), changeOf("description")];
  const price = line === undefined || line.kind !== undefined ? null : priceChange(line, changeOf);
  return {
    kind: "changed",
    id,
    name: line?.description ?? "",
    formerName: typeof description?.before === "string" ? description.before : null,
    price,
    changes: fields.filter(({ field }) => !FOLLOWS.has(field) && !TOLD_FIRST.has(field)),
    delta: total === undefined ? null : numberDelta(total),
  };
}

function priceChange(
  line: { readonly quantity: number; readonly unitPrice: number },
  changeOf: (name: string) => ValueChange | undefined,
): PriceChange | null {
  const [quantity, unitPrice] = [changeOf("quantity"), changeOf("unitPrice")];
  if (quantity === undefined && unitPrice === undefined) return null;
  const before = (change: ValueChange | undefined, present: number) =>
    typeof change?.before === "number" ? change.before : present;
  return {
    quantity: { before: before(quantity, line.quantity), after: line.quantity },
    unitPrice: { before: before(unitPrice, line.unitPrice), after: line.unitPrice },
  };
}

/** A line whose figures alone follow from another change is not shown. */
function isTold(row: DifferenceRow): boolean {
  return row.kind !== "changed" || row.changes.length > 0 || row.formerName !== null || row.price !== null;
}

function sumsOf({ field, before, after }: ValueChange): SumChange[] {
  if (field !== "taxes") return [{ field, name: null, delta: numberDelta({ field, before, after }) }];
  const [former, present] = [amountsOf(before), amountsOf(after)];
  return [...new Set([...former.keys(), ...present.keys()])].map((name) => ({
    field,
    name,
    delta: withoutDust((present.get(name) ?? 0) - (former.get(name) ?? 0)),
  }));
}

/** What each tax comes to, by its name with the rate. */
function amountsOf(value: Value): ReadonlyMap<string, number> {
  const taxes: readonly Partial<BudgetTax>[] = Array.isArray(value) ? value.map(Object) : [];
  return new Map(taxes.map(({ name = "", amount = 0 }) => [String(name), Number(amount)]));
}

function numberDelta({ before, after }: ValueChange): number {
  return withoutDust((typeof after === "number" ? after : 0) - (typeof before === "number" ? before : 0));
}

/** Taxes by name say what their sum says. */
function withoutRepeatedTax(sums: readonly SumChange[]): SumChange[] {
  const isNamed = sums.some(({ field }) => field === "taxes");
  return sums.filter(({ field, delta }) => delta !== 0 && !(isNamed && field === "tax"));
}

function bySum(one: SumChange, other: SumChange): number {
  return SUMS.indexOf(one.field) - SUMS.indexOf(other.field);
}
