import { err, ok, Result } from "neverthrow";
import type { Problem } from "../kernel/problem.js";
import { isItem, type Kinded } from "../pricing/line-kind.js";
import { checkTaxCount, copyOf, defaultTaxes, type NamedTax, taxesOf, unknownNamedTax } from "../pricing/named-tax.js";
import type { TaxRule } from "../pricing/tax-rule.js";
import type { Taxation } from "../pricing/totals-parts.js";
import type { BudgetContext } from "./budget-context.js";

/** The taxes of a budget before those that its lines bring. */
export interface TaxTerms {
  readonly taxation: Taxation;
  readonly named: readonly NamedTax[] | null; // of the business, for lines to bring; null = lines bring none
}

/** A tax of a request, or the id of a named tax of the business. */
export type RequestedTax = TaxRule | string;

interface TaxRequest {
  readonly taxRate?: number | undefined;
  readonly taxes?: readonly RequestedTax[] | null | undefined;
}

type Businesses = Pick<BudgetContext, "findBusiness">;

/** The taxes of a new budget: those of the request, else the defaults of the business. Errors: UNKNOWN_TAX. */
export async function taxesOfCreation(
  context: Businesses,
  businessId: string,
  { taxRate, taxes }: TaxRequest,
): Promise<Result<TaxTerms, Problem>> {
  if (taxes !== null && taxes !== undefined) {
    const rules = await rulesOf(context, businessId, taxes);
    return rules.map((each) => ({ taxation: { kind: "taxes", taxes: each }, named: null }));
  }
  if (taxRate !== undefined) return ok({ taxation: { kind: "rate", rate: taxRate }, named: null });
  const named = await namedTaxesOf(context, businessId);
  const defaults = defaultTaxes(named);
  return ok({ taxation: defaults.length === 0 ? UNTAXED : { kind: "taxes", taxes: defaults }, named });
}

const UNTAXED = { kind: "rate", rate: 0 } as const;

/** Copies of the named taxes in place of their ids. The business is read only if there are ids. Errors: UNKNOWN_TAX. */
export async function rulesOf(
  context: Businesses,
  businessId: string,
  taxes: readonly RequestedTax[],
): Promise<Result<readonly TaxRule[], Problem>> {
  const named = taxes.some(isId) ? await namedTaxesOf(context, businessId) : [];
  return Result.combine(taxes.map((tax, index) => (isId(tax) ? findRule(named, tax, index) : ok(tax))));
}

function isId(tax: RequestedTax): tax is string {
  return typeof tax === "string";
}

function findRule(named: readonly NamedTax[], id: string, index: number): Result<TaxRule, Problem> {
  const found = named.find((tax) => tax.id === id);
  return found === undefined ? err(unknownNamedTax(`taxes[${index}]`, id)) : ok(copyOf(found));
}

export async function namedTaxesOf(context: Businesses, businessId: string): Promise<readonly NamedTax[]> {
  return (await context.findBusiness(businessId))?.profile.taxes ?? [];
}

/** A line as far as its taxes go. */
interface TaxedLine extends Kinded {
  readonly taxes?: readonly string[] | null | undefined; // null = all of the budget
}

interface SettledTaxes {
  readonly taxation: Taxation;
  readonly ofLines: readonly (readonly string[] | null | undefined)[]; // undefined = the line names none
}

/**
 * The taxes of the budget with those that its lines bring, and the taxes of each line. `ofCatalog` are those of the product
 * or package of each line, for a line that names none itself. A tax that a line brings is on the lines alone that name it:
 * the other lines get the ids of the taxes that the budget had before.
 * Errors: 400 MAX_LENGTH for more taxes than a budget can have. Unknown taxes of lines are left to checkPricing.
 */
export function settleTaxes(
  lines: readonly TaxedLine[],
  ofCatalog: readonly (readonly string[] | undefined)[],
  { taxation, named }: TaxTerms,
): Result<SettledTaxes, Problem> {
  const given = lines.map(({ taxes }) => taxes);
  if (taxation.kind !== "taxes" && named === null) return ok({ taxation, ofLines: given });
  const base = taxation.kind === "taxes" ? taxation.taxes : [];
  const wanted = given.map((taxes, index) => (taxes === undefined ? ofCatalog[index] : taxes));
  const brought = named === null ? [] : taxesBrought(wanted, base, named);
  const all = brought.length === 0 ? base : [...base, ...brought];
  // A budget without taxes has no exempt lines; an unknown tax is still refused.
  if (all.length === 0) return ok({ taxation, ofLines: given.map((taxes, index) => taxes ?? nonEmpty(wanted[index])) });
  const ids = base.map(({ id }) => id);
  const ofLines = lines.map((line, index) =>
    brought.length > 0 && isItem(line) ? (wanted[index] ?? ids) : wanted[index],
  );
  if (brought.length === 0) return ok({ taxation, ofLines });
  return checkTaxCount(all).map(() => ({ taxation: { kind: "taxes", taxes: all }, ofLines }));
}

/** The named taxes that the lines have and the budget lacks. */
function taxesBrought(
  wanted: SettledTaxes["ofLines"],
  base: readonly TaxRule[],
  named: readonly NamedTax[],
): readonly TaxRule[] {
  const present = new Set(base.map(({ id }) => id));
  const missing = wanted.flatMap((taxes) => taxes ?? []).filter((id) => !present.has(id));
  return missing.length === 0 ? [] : taxesOf(missing, named).filter(({ id }) => !present.has(id));
}

function nonEmpty(taxes: readonly string[] | null | undefined): readonly string[] | null | undefined {
  return taxes?.length === 0 ? undefined : taxes;
}
