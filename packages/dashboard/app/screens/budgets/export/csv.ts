import type { BudgetEntry } from "@budgetkit/client";
import { openAmount } from "../budgets-plan.js";

export type ExportFormat = "csv" | "jsonl";

/** The columns of the file, by the names of the interface, so that it can be read by programs in any language. */
const COLUMNS: readonly (readonly [string, (budget: BudgetEntry) => string | number | null])[] = [
  ["id", ({ id }) => id],
  ["number", ({ number }) => number ?? null],
  ["status", ({ status }) => status],
  ["customerId", ({ customerId }) => customerId],
  ["customerName", ({ customer }) => customer.name],
  ["customerEmail", ({ customer }) => customer.email],
  [
    "firstLine",
    ({ items }) => items.map((item) => ("description" in item ? item.description : null)).find(isText) ?? null,
  ],
  ["currency", ({ currency }) => currency],
  ["subtotal", ({ subtotal }) => subtotal],
  ["tax", ({ tax }) => tax],
  ["total", ({ total }) => total],
  ["paid", ({ paid }) => paid],
  ["open", (budget) => openAmount(budget)],
  ["validUntil", ({ validUntil }) => validUntil],
  ["acceptedAt", ({ acceptance }) => acceptance?.acceptedAt ?? null],
  ["createdAt", ({ createdAt }) => createdAt],
  ["updatedAt", ({ updatedAt }) => updatedAt],
  ["deletedAt", ({ deletedAt }) => deletedAt ?? null],
  ["notes", ({ notes }) => notes],
];

/** What the file begins with. The mark of order makes spreadsheets read UTF-8. */
export function headOf(format: ExportFormat): string {
  return format === "csv" ? `\uFEFF${COLUMNS.map(([name]) => name).join(",")}\r\n` : "";
}

export function linesOf(format: ExportFormat, budgets: readonly BudgetEntry[]): string {
  if (format === "jsonl") return budgets.map((budget) => `${JSON.stringify(budget)}\n`).join("");
  return budgets.map((budget) => `${COLUMNS.map(([, read]) => cellOf(read(budget))).join(",")}\r\n`).join("");
}

/** A text that a spreadsheet would compute gets an apostrophe before it. Source: OWASP, CSV injection. */
export function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[\s]*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n;']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function isText(value: string | null): value is string {
  return value !== null && value !== "";
}
