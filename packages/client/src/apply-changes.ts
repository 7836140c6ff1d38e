import type { Budget, BudgetChange } from "./schemas.js";

type Line = Budget["items"][number];

/** Fields of a budget that are absent where they are not set; the others are null. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "number",
  "terms",
  "paymentUrl",
  "deletedAt",
  "taxes",
  "withheld",
  "payable",
  "discountAmount",
  "recurring",
  "deposit",
  "minimumPaymentToConfirm",
  "balance",
  "dueToConfirm",
]);

/** The write that an event reports: `data` of a budget's event, and its `timestamp`. */
export interface BudgetWrite {
  readonly version: number;
  readonly timestamp: string;
  readonly changes: readonly BudgetChange[];
}

/**
 * The budget after the write, from the budget of the version before. What the catalog says of customers, products and
 * packages, `availableActions`, and what the budget costs the business, stay as they are; a line that names another product loses what was said of it.
 */
export function applyChanges(budget: Budget, { version, timestamp, changes }: BudgetWrite): Budget {
  const next = { ...budget, version, updatedAt: timestamp };
  for (const change of changes) {
    if (change.kind === "field") setField(next, change.field, change.after, OPTIONAL.has(change.field));
    else next.items = changeItems(next.items, change);
  }
  return next;
}

function changeItems(items: Line[], change: Exclude<BudgetChange, { kind: "field" }>): Line[] {
  switch (change.kind) {
    case "item-removed":
      return items.filter(({ id }) => id !== change.id);
    case "item-changed":
      return items.map((item) => (item.id === change.id ? changeItem(item, change.fields) : item));
    case "items-reordered":
      return change.after.flatMap((id) => items.filter((item) => item.id === id));
    case "item-added":
      return [...items.slice(0, change.position), { id: change.id, ...change.item }, ...items.slice(change.position)];
  }
}

/** A field of a line is absent where it is not set. */
function changeItem(item: Line, changes: readonly { readonly field: string; readonly after: unknown }[]): Line {
  const next = { ...item };
  for (const { field, after } of changes) {
    setField(next, field, after, true);
    if (field === "productId" || field === "variantId") Reflect.deleteProperty(next, "product");
    if (field === "packageId") Reflect.deleteProperty(next, "package");
  }
  return next;
}

function setField(record: object, field: string, value: unknown, isOptional: boolean): void {
  if (value === null && isOptional) Reflect.deleteProperty(record, field);
  else Object.assign(record, { [field]: value });
}
