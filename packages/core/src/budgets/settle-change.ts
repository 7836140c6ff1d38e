import { err, ok, type Result } from "neverthrow";
import { at, byId } from "../kernel/arrays.js";
import type { Problem } from "../kernel/problem.js";
import type { Budget, BudgetItem } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import { namedTaxesOf, type RequestedTax, rulesOf, type TaxTerms } from "./default-taxes.js";
import type { LineInput } from "./line-input.js";
import { taxationOf } from "./price-figures.js";
import { offersFor, settleLines } from "./product-defaults.js";
import { packItems } from "./references/package-snapshot.js";
import { type ItemReference, lookUpNamed, type Named, namesTheSame } from "./references/references.js";
import type { ItemChange, PriceChange } from "./reprice.js";

/** A change of prices as a request has it: a tax may be the id of a named tax of the business. */
interface RequestedChange extends Omit<PriceChange, "taxes"> {
  readonly taxes?: readonly RequestedTax[] | undefined;
}

interface SettledChange {
  readonly change: PriceChange;
  readonly named: Named; // the catalog entries of the lines whose references are new
}

/**
 * The change with copies of the named taxes in place of their ids, and with what the catalog brings to new lines. A line
 * of the budget keeps what it has, also where it names another product. Errors: UNKNOWN_TAX, and those of settleLines and
 * packItems.
 */
export async function settleChange(
  context: BudgetContext,
  budget: Budget,
  { taxes, ...change }: RequestedChange,
): Promise<Result<SettledChange, Problem>> {
  const rules = taxes === undefined ? ok(undefined) : await rulesOf(context, budget.businessId, taxes);
  if (rules.isErr()) return err(rules.error);
  const given: PriceChange = { ...change, taxes: rules.value };
  const { items } = change;
  const known = byId(budget.items);
  const naming = (items ?? []).map((item) => newReference(item, known));
  const named = await lookUpNamed(context, budget.businessId, naming);
  if (items === undefined) return ok({ change: given, named });
  const added = items.map(({ id, fields }) => (id === null ? fields : {}));
  const packed = await packItems(context, added, named);
  if (packed.isErr()) return err(packed.error);
  const offers = offersFor(packed.value, named);
  const lines = items.map((item) => withStoredTaxes(item, known));
  const ofOffers = offers.flatMap((offer) => offer?.defaults.taxes ?? []);
  const terms = await taxTermsOf(context, budget, given, [...lines.flatMap(({ taxes }) => taxes ?? []), ...ofOffers]);
  return settleLines(lines, offers, budget.currency, terms).map(({ lines: filled, taxation }) => {
    const settled = items.map(({ id, fields }, index) => {
      const { taxes: settledTaxes, ...line } = at(filled, index);
      if (id === null) return { id, fields: { ...line, taxes: settledTaxes } };
      return settledTaxes === at(lines, index).taxes
        ? { id, fields }
        : { id, fields: { ...fields, taxes: settledTaxes } };
    });
    const isWider = terms.named !== null && taxation.kind === "taxes" && taxation !== terms.taxation;
    return { named, change: { ...given, items: settled, ...(isWider ? { taxes: taxation.taxes } : {}) } };
  });
}

/** The references of a line that the budget does not have yet; null = it has them, or the line has none. */
function newReference({ id, fields }: ItemChange, known: ReadonlyMap<string, BudgetItem>): ItemReference | null {
  const former = id === null ? undefined : known.get(id);
  if (former === undefined) return fields;
  const { productId = former.productId, variantId = former.variantId, packageId = former.packageId } = fields;
  const present = { productId, variantId, packageId };
  return namesTheSame(present, former) ? null : present;
}

/** The line with the taxes that it has after the change. */
function withStoredTaxes({ id, fields }: ItemChange, known: ReadonlyMap<string, BudgetItem>): LineInput {
  const former = id === null ? undefined : known.get(id);
  if (former === undefined) return fields;
  return { ...fields, kind: former.kind ?? "item", taxes: fields.taxes === undefined ? former.taxes : fields.taxes };
}

/** The business is read only if a line has a tax that the budget lacks, and may bring it: `ofLines` are their ids. */
async function taxTermsOf(
  context: BudgetContext,
  budget: Budget,
  { taxRate, taxes }: PriceChange,
  ofLines: readonly string[],
): Promise<TaxTerms> {
  if (taxes !== undefined) return { taxation: { kind: "taxes", taxes }, named: null };
  if (taxRate !== undefined) return { taxation: { kind: "rate", rate: taxRate }, named: null };
  const taxation = taxationOf(budget);
  if (taxation.kind !== "taxes") return { taxation, named: null };
  const present = new Set(taxation.taxes.map(({ id }) => id));
  const isComplete = ofLines.every((id) => present.has(id));
  return { taxation, named: isComplete ? [] : await namedTaxesOf(context, budget.businessId) };
}
