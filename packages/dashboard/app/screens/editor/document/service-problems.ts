import type { EditedBudget } from "./edited-budget.js";
import { writtenLines } from "./line-operations.js";
import type { FieldProblem, HeadField, LineField, Reason } from "./problems.js";

/** What the service or the price computation refuses: by the path of a field, such as `items[3].quantity`. */
export interface Refusal {
  readonly field: string;
  readonly code: string | null; // of a field error, or the name of the rule
  readonly message: string;
}

const REASONS: Readonly<Record<string, Reason>> = {
  REQUIRED: "required",
  TOO_MANY_OPTIONS: "tooManyOptions",
  IMPOSSIBLE_CHOICE: "noOptions",
  CHOICE_EXCEEDED: "tooManySelected",
  INVALID_QUANTITY_RANGE: "rangeOffStep",
  QUANTITY_OUT_OF_RANGE: "quantityOutOfRange",
  TIERS_NOT_ASCENDING: "tiersNotAscending",
  DISCOUNT_EXCEEDS_ITEM: "discountAboveLine",
  DISCOUNT_EXCEEDS_SUBTOTAL: "discountAboveTotal",
  MINIMUM_ABOVE_TOTAL: "depositAboveTotal",
  TAX_RATE_REQUIRED: "taxRateNeeded",
  NO_ITEMS: "noLines",
  BUDGET_TOO_LARGE: "budgetTooLarge",
  PAYMENT_EXCEEDS_TOTAL: "paidAboveTotal",
};

/** Rules that name no field. */
const FIELDS: Readonly<Record<string, HeadField>> = {
  MINIMUM_ABOVE_TOTAL: "deposit",
  DISCOUNT_EXCEEDS_SUBTOTAL: "discount",
  TAX_RATE_REQUIRED: "taxes",
  INCLUSIVE_ON_EXCLUSIVE: "taxes",
  PAYMENT_EXCEEDS_TOTAL: "lines",
};

const HEAD: Readonly<Record<string, HeadField>> = {
  customerId: "customer",
  customer: "customer",
  currency: "currency",
  validUntil: "validUntil",
  deposit: "deposit",
  taxRate: "taxRate",
  taxes: "taxes",
  discountAmount: "discount",
  notes: "notes",
  terms: "terms",
  paymentUrl: "paymentUrl",
};

const LINE: Readonly<Record<string, LineField>> = {
  description: "description",
  quantity: "quantity",
  unit: "unit",
  unitPrice: "unitPrice",
  discountRate: "discount",
  discountAmount: "discount",
  unitCost: "unitCost",
  taxes: "taxes",
  optional: "optional",
  selected: "selected",
  choice: "choice",
  key: "choice",
  minimum: "minimum",
  maximum: "maximum",
  quantityRange: "range",
  priceTiers: "tiers",
  recurring: "recurring",
};

/** Where in the editor a refusal belongs. Lines are counted as they were sent: without blank ones. */
export function problemOfRefusal(budget: EditedBudget, { field, code, message }: Refusal): FieldProblem {
  const reason = code === null ? null : (REASONS[code] ?? null);
  const [, index, rest = ""] = /^items\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const line = index === undefined ? undefined : writtenLines(budget)[Number(index)];
  if (line !== undefined) {
    const name = rest.split(/[.[]/)[0] ?? "";
    const fallback: LineField =
      reason === "discountAboveLine" ? "discount" : line.kind === "choice" ? "choice" : "description";
    return { line: line.key, field: LINE[name] ?? fallback, reason, text: message };
  }
  const name = field.split(/[.[]/)[0] ?? "";
  return {
    line: null,
    field: HEAD[name] ?? (code === null ? "lines" : (FIELDS[code] ?? "lines")),
    reason,
    text: message,
  };
}
