import { isDeepStrictEqual } from "node:util";
import type { BudgetService, BudgetView } from "@budgetkit/core";
import { type ClaimToComplete, parseId } from "@budgetkit/core/store";
import { importedOf } from "./budget-moves.js";
import { type ImportedBudget, type ImportedItem, type ImportedLine, NOT_OF_THE_CATALOG } from "./import-line.js";
import type { ImportTarget } from "./import-record.js";
import { type Outcome, refused } from "./import-record.js";

/** A budget of the public-creation shape. */
export interface ImportedOffer extends ImportedBudget {
  readonly publicOffer: NonNullable<ImportedBudget["publicOffer"]>;
}

export function isOffer(budget: ImportedBudget): budget is ImportedOffer {
  return budget.publicOffer !== undefined;
}

/**
 * Creates an offer with what the public-creation shape can say; {@link settleOffer} adds the rest. The budget gets a new
 * link. @returns its id, or the reason why it cannot be created
 */
export async function createOffer(
  { service, actor }: ImportTarget,
  budget: ImportedOffer,
  claim: ClaimToComplete,
): Promise<string | Outcome> {
  const options = { claim, now: Date.parse(budget.createdAt), imported: importedOf(budget) };
  const figures = await figuresBefore({ service, actor }, budget);
  if ("kind" in figures) return figures;
  const made = await service.budgets.createPublic(actor, publicInput(budget, figures), options);
  return made.match<string | Outcome>(({ budgetId }) => String(budgetId), refused);
}

/** The public-creation shape, with numeric ids. */
function publicInput(
  budget: ImportedOffer,
  { subtotal, tax, total }: OfferFigures,
): Parameters<BudgetService["budgets"]["createPublic"]>[1] {
  const { currency, customerId, taxes, notes, paymentUrl, items, publicOffer } = budget;
  return {
    currency,
    customerId: Number(customerId),
    sellerId: Number(publicOffer.sellerId),
    issueDate: publicOffer.issueDate,
    expirationDate: expirationOf(budget),
    minimumPaymentToConfirm: Math.min(publicOffer.minimumPaymentToConfirm, total), // no more than the total is ever due
    subtotal,
    total,
    iva: tax,
    taxes,
    comments: notes,
    paymentUrl,
    items: items.filter(isItem).map((item) => ({
      ...NOT_OF_THE_CATALOG,
      productId: numberOf(item.productId),
      packageId: numberOf(item.packageId),
      ...pricedFields(item),
    })),
  };
}

/** What decides the figures of an item. The shape has no choices, so their options are optional at first. */
function pricedFields(item: ImportedItem) {
  const { productId: _p, variantId: _v, packageId: _k, kind: _n, description: _d, total: _t, choice, ...fields } = item;
  return choice === undefined ? fields : { ...fields, optional: true };
}

function isItem(line: ImportedLine): line is ImportedItem {
  return line.kind === undefined;
}

type OfferFigures = Pick<ImportedBudget, "subtotal" | "tax" | "total">;

/** The figures that the offer had before a later discount, or why there are none. */
async function figuresBefore(
  { service, actor }: Pick<ImportTarget, "service" | "actor">,
  budget: ImportedOffer,
): Promise<OfferFigures | Outcome> {
  const { taxes, discount, currency, items, subtotal, tax } = budget;
  if (taxes === undefined || discount === 0) return { subtotal, tax, total: totalOf(budget) };
  const lines = items.filter(isItem).map((item) => ({ description: item.description, ...pricedFields(item) }));
  const previewed = await service.budgets.preview(actor, { currency, taxes, items: lines });
  return previewed.isErr() ? refused(previewed.error) : previewed.value;
}

/** The total before a later discount. A tax amount that belongs to a discounted price is refused: nothing can set it. */
function totalOf({ subtotal, discount, tax, taxRate, total }: ImportedOffer): number {
  if (discount === 0 || (taxRate === null && tax > 0)) return total;
  return Number((subtotal + tax).toPrecision(15)); // the sum of two decimals is a decimal, unlike that of two doubles
}

const NO_END = "2199-12-31T00:00:00Z";

/** A later change may have moved the end before the issue, or removed it. */
function expirationOf({ validUntil, publicOffer }: ImportedOffer): string {
  return validUntil !== null && Date.parse(validUntil) >= Date.parse(publicOffer.issueDate) ? validUntil : NO_END;
}

function numberOf(id: string | undefined): number | null {
  return id === undefined ? null : parseId(id);
}

/**
 * Gives a new offer the content that the public-creation shape lacks, and withdraws a draft. Does nothing for an offer
 * that was changed since. @returns the outcome that stopped it; null = the offer has its exported content
 */
export async function settleOffer(target: ImportTarget, id: string, budget: ImportedOffer): Promise<Outcome | null> {
  const { service, actor } = target;
  const now = Date.parse(budget.createdAt);
  const made = await service.budgets.get(actor, id);
  if (made.isErr()) return null;
  const lacksContent = (await isNew(target, id, 1)) && !isDeepStrictEqual(termsOf(made.value), termsOf(budget));
  if (lacksContent) {
    const settled = await service.budgets.update(actor, id, contentOf(made.value, budget), {
      now,
      imported: importedOf(budget),
    });
    if (settled.isErr()) return refused(settled.error);
  }
  if (budget.status !== "DRAFT" || !(lacksContent || (await isNew(target, id, 2)))) return null;
  await service.budgets.update(actor, id, { status: "PENDING" }, { now, imported: importedOf(budget) }); // an expired offer cannot be withdrawn
  const withdrawn = await service.budgets.withdraw(actor, id, { now });
  return withdrawn.isErr() ? refused(withdrawn.error) : null;
}

/** True while the offer has at most `version`, or one more by its expiry: a server may expire old offers at once. */
async function isNew({ store, actor }: ImportTarget, id: string, version: number): Promise<boolean> {
  const stored = await store.findBudget(actor.businessId, id);
  if (stored?.status === "EXPIRED") return stored.version <= version + 1;
  return stored?.status === "PENDING" && stored.version <= version;
}

/** The content that a change can have given to an offer. */
function termsOf(budget: BudgetView | ImportedBudget) {
  const { taxRate, discount, validUntil, metadata, items, terms, deposit } = budget;
  const named = items.map((line) =>
    line.kind === undefined
      ? [line.productId, line.variantId, line.packageId, line.description, line.choice]
      : [line.kind, line.description],
  );
  return { taxRate, discount, validUntil, metadata, named, terms, deposit };
}

/** The change that gives the created offer its exported content. */
function contentOf({ items }: BudgetView, budget: ImportedOffer) {
  const { taxRate, discount, discountAmount = discount, validUntil, metadata, terms, deposit } = budget;
  const ids = items.filter(({ kind }) => kind === undefined).map(({ id }) => id); // of the items, in their order
  return {
    status: "PENDING",
    items: budget.items.map((line) => {
      const { kind, description } = line;
      if (kind === "choice") return { kind, description, key: line.key, minimum: line.minimum, maximum: line.maximum };
      if (kind !== undefined) return { kind, description };
      const { productId = null, variantId = null, packageId = null, choice } = line;
      const option = choice === undefined ? {} : { choice, optional: null };
      return { id: ids.shift(), productId, variantId, packageId, description, ...option };
    }),
    ...(taxRate === null ? {} : { taxRate }),
    discountAmount,
    deposit,
    validUntil,
    metadata,
    terms,
  } as const;
}
