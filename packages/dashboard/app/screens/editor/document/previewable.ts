import type { PreviewBudget } from "@budgetkit/client";
import { type EditedBudget, type Head, withHead } from "./edited-budget.js";
import { isOptionOf, type Line } from "./line.js";
import { writtenLines } from "./line-operations.js";
import type { FieldProblem } from "./problems.js";
import { createBodyOf, newLineOf } from "./to-body.js";

/** A line of an unsaved budget names the saved line that it continues. */
type UnsavedLine = PreviewBudget["items"][number] & { readonly id?: string };

export interface UnsavedBody extends Omit<PreviewBudget, "items"> {
  readonly items: readonly UnsavedLine[];
  readonly budgetId?: string;
}

const EMPTY: Partial<Head> = {
  deposit: "",
  discount: "",
  taxRate: "0",
  paymentUrl: "",
  validUntil: "",
  customer: null,
};

/**
 * What can be shown of a budget to which somebody writes: without the lines and fields that are not right yet.
 * Null = nothing.
 */
export function unsavedBodyOf(
  budget: EditedBudget,
  problems: readonly FieldProblem[],
  saved: { readonly id: string | null; readonly lineId: (key: string) => string | null },
): UnsavedBody | null {
  const wrong = new Set(problems.map(({ line }) => line));
  const all = writtenLines(budget);
  const lines = all.filter(({ key }) => !wrong.has(key)).map((line) => freed(line, all, wrong));
  if (!lines.some(({ kind }) => kind === "item")) return null;
  const shown = withHead(budget, rightHead(budget.head, problems));
  const items = lines.map((line): UnsavedLine => {
    const id = saved.lineId(line.key);
    return id === null ? newLineOf(line) : { ...newLineOf(line), id };
  });
  const { draft, ...body } = createBodyOf(shown, false);
  return { ...body, items, ...(saved.id === null ? {} : { budgetId: saved.id }) };
}

/** An option of a choice that is not shown is one that the customer may take. */
function freed(line: Line, all: readonly Line[], wrong: ReadonlySet<string | null>): Line {
  if (line.kind !== "item" || line.choice === null) return line;
  return all.some((each) => isOptionOf(line, each) && !wrong.has(each.key))
    ? line
    : { ...line, choice: null, optional: true };
}

function rightHead(head: Head, problems: readonly FieldProblem[]): Partial<Head> {
  const fields = problems.filter(({ line }) => line === null).map(({ field }) => field);
  const wrong = Object.entries(EMPTY).filter(([field]) => fields.some((each) => each === field));
  const customer =
    fields.includes("customer") && head.customer !== null && head.customer.name !== ""
      ? { ...head.customer, email: "" }
      : head.customer;
  return {
    ...Object.fromEntries(wrong),
    customer: head.customer === null ? null : customer,
    ...(fields.includes("taxes") ? { taxes: [], taxRate: "0" } : {}),
  };
}
