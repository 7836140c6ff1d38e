import { decimalsOf, isDecimal } from "./decimals.js";
import type { EditedBudget, Head } from "./edited-budget.js";
import type { Line } from "./line.js";
import { MAX_LINES, writtenLines } from "./line-operations.js";

/** Why a field is refused. The words of each are in the editor's words. */
export type Reason =
  | "required"
  | "notANumber"
  | "notAbove0"
  | "tooManyDecimals"
  | "tooManyDigits"
  | "rateAbove100"
  | "tooLong"
  | "notWhole"
  | "noLines"
  | "tooManyLines"
  | "noOptions"
  | "notEnoughOptions"
  | "minimumAboveMaximum"
  | "tooManySelected"
  | "tooManyOptions"
  | "tooManyChoices"
  | "rangeOffStep"
  | "quantityOutOfRange"
  | "tiersNotAscending"
  | "discountAboveLine"
  | "discountAboveTotal"
  | "depositAboveTotal"
  | "taxInclusion"
  | "taxRateNeeded"
  | "notAnAddress"
  | "notAnEmail"
  | "paidAboveTotal"
  | "budgetTooLarge"
  | "dateIsPast";

export type HeadField = keyof Head | "lines";
export type LineField = keyof Line;

/** What is wrong with a field: of a line, or of the budget where `line` is null. */
export interface FieldProblem {
  readonly line: string | null;
  readonly field: HeadField | LineField;
  readonly reason: Reason | null; // null = the service says it in `text`
  readonly text: string;
}

export const MAX_DESCRIPTION = 2_000;
const MAX_UNIT = 20;
const MAX_NOTES = 10_000;
const MAX_NAME = 255;
const MAX_DIGITS = 15; // beyond them a number of JSON is not exact
const MAX_PLACES = 6;

type Check = (value: string) => Reason | null;

const optionalAmount: Check = (value) => (value === "" ? null : amount(value));
const optionalShare: Check = (value) => (value.endsWith("%") ? percent(value.slice(0, -1)) : optionalAmount(value));

/** All that the service would refuse of the fields by themselves. What fields make of each other is priced. */
export function fieldProblems(budget: EditedBudget): FieldProblem[] {
  const lines = writtenLines(budget);
  const problems = [...headProblems(budget.head), ...lines.flatMap(lineProblems)];
  if (!lines.some(({ kind }) => kind === "item")) problems.push(ofHead("lines", "noLines"));
  if (lines.length > MAX_LINES) problems.push(ofHead("lines", "tooManyLines"));
  return [...problems, ...choiceProblems(lines)];
}

function headProblems(head: Head): FieldProblem[] {
  const { customer } = head;
  const checks: [HeadField, Reason | null][] = [
    ["customer", customer === null || customer.name.trim() === "" ? "required" : null],
    ["customer", (customer?.name.length ?? 0) > MAX_NAME ? "tooLong" : null],
    ["customer", customer === null || customer.email === "" || customer.email.includes("@") ? null : "notAnEmail"],
    ["currency", /^[A-Z]{3}$/.test(head.currency) ? null : "required"],
    ["deposit", optionalShare(head.deposit)],
    ["discount", optionalAmount(head.discount)],
    ["taxRate", head.taxRate === "" ? null : percent(head.taxRate)],
    ["taxes", head.taxes.map(({ rate }) => percent(rate)).find((reason) => reason !== null) ?? null],
    ["notes", head.notes.length > MAX_NOTES ? "tooLong" : null],
    ["terms", head.terms.length > MAX_NOTES ? "tooLong" : null],
    ["paymentUrl", head.paymentUrl === "" || /^https:\/\/[^\s\\]+$/i.test(head.paymentUrl) ? null : "notAnAddress"],
  ];
  return checks.flatMap(([field, reason]) => (reason === null ? [] : [ofHead(field, reason)]));
}

function lineProblems(line: Line): FieldProblem[] {
  const { kind, description } = line;
  const checks: [LineField, Reason | null][] = [
    ["description", kind !== "subtotal" && description.trim() === "" ? "required" : null],
    ["description", description.length > MAX_DESCRIPTION ? "tooLong" : null],
    ...(kind === "item" ? itemChecks(line) : []),
  ];
  return checks.flatMap(([field, reason]) => (reason === null ? [] : [ofLine(line, field, reason)]));
}

function itemChecks(line: Line): [LineField, Reason | null][] {
  const { range, recurring, tiers } = line;
  return [
    ["quantity", positive(line.quantity)],
    ["unit", line.unit.length > MAX_UNIT ? "tooLong" : null],
    ["unitPrice", line.unitPrice === "" ? (tiers.length > 0 ? null : "required") : amount(line.unitPrice)],
    ["discount", optionalShare(line.discount)],
    ["unitCost", optionalAmount(line.unitCost)],
    ["range", range === null ? null : firstOf([range.minimum, range.maximum, range.step], positive)],
    [
      "tiers",
      firstOf(
        tiers.flatMap(({ from, unitPrice }) => [from, unitPrice]),
        amount,
      ),
    ],
    ["recurring", recurring === null ? null : firstOf([recurring.intervalCount, recurring.cycles || "1"], whole)],
  ];
}

function choiceProblems(lines: readonly Line[]): FieldProblem[] {
  return lines
    .filter(({ kind }) => kind === "choice")
    .flatMap((choice) => {
      const options = lines.filter((line) => line.kind === "item" && line.choice === choice.choice);
      if (options.length === 0) return [ofLine(choice, "choice", "noOptions")];
      const wrong = whole(choice.minimum, 0) ?? whole(choice.maximum);
      if (wrong !== null) return [ofLine(choice, "minimum", wrong)];
      if (Number(choice.minimum) > Number(choice.maximum)) return [ofLine(choice, "minimum", "minimumAboveMaximum")];
      if (Number(choice.minimum) > options.length) return [ofLine(choice, "minimum", "notEnoughOptions")];
      const selected = options.filter((line) => line.selected).length;
      return selected > Number(choice.maximum) ? [ofLine(choice, "maximum", "tooManySelected")] : [];
    });
}

function firstOf(values: readonly string[], check: Check): Reason | null {
  return values.map((value) => check(value)).find((reason) => reason !== null) ?? null;
}

function amount(value: string): Reason | null {
  if (!isDecimal(value)) return value === "" ? "required" : "notANumber";
  if (decimalsOf(value) > MAX_PLACES) return "tooManyDecimals";
  return value.replace(".", "").length > MAX_DIGITS ? "tooManyDigits" : null;
}

function positive(value: string): Reason | null {
  return amount(value) ?? (Number(value) > 0 ? null : "notAbove0");
}

function percent(value: string): Reason | null {
  return amount(value) ?? (Number(value) > 100 ? "rateAbove100" : null);
}

function whole(value: string, least = 1): Reason | null {
  return amount(value) ?? (/^\d+$/.test(value) && Number(value) >= least ? null : "notWhole");
}

function ofHead(field: HeadField, reason: Reason): FieldProblem {
  return { line: null, field, reason, text: "" };
}

function ofLine({ key }: Line, field: LineField, reason: Reason): FieldProblem {
  return { line: key, field, reason, text: "" };
}
