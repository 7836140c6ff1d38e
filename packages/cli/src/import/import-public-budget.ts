import { isDeepStrictEqual } from "node:util";
import type { BudgetService, BudgetView } from "@budgetkit/core";
import { type ClaimToComplete, parseId } from "@budgetkit/core/store";
import { importedOf } from "./budget-moves.js";
import { type ImportedBudget, type ImportedItem, NOT_OF_THE_CATALOG } from "./import-line.js";
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
  const made = await service.budgets.createPublic(actor, publicInput(budget), options);
  return made.match<string | Outcome>(({ budgetId }) => String(budgetId), refused);
}

/** The public-creation shape, with numeric ids. */
function publicInput(budget: ImportedOffer): Parameters<BudgetService["budgets"]["createPublic"]>[1] {
  const { currency, customerId, subtotal, tax, notes, paymentUrl, items, publicOffer } = budget;
  const total = totalOf(budget);
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
    comments: notes,
    paymentUrl,
    items: items
      .filter(isItem)
      .map(({ productId, packageId, quantity, unitPrice, unit = null, discountRate, discountAmount }) => ({
        ...NOT_OF_THE_CATALOG,
        productId: numberOf(productId),
        packageId: numberOf(packageId),
        quantity,
        unitPrice,
        unit,
        discountRate,
        discountAmount,
      })),
  };
}

function isItem(line: ImportedBudget["items"][number]): line is ImportedItem {
  return line.kind === undefined;
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
  const { taxRate, discount, validUntil, metadata, items, terms } = budget;
  const named = items.map((line) =>
    line.kind === undefined
      ? [line.productId, line.variantId, line.packageId, line.description]
      : [line.kind, line.description],
  );
  return { taxRate, discount, validUntil, metadata, named, terms };
}

/** The change that gives the created offer its exported content. */
function contentOf({ items }: BudgetView, budget: ImportedOffer) {
  const { taxRate, discount, validUntil, metadata, terms } = budget;
  const ids = items.filter(({ kind }) => kind === undefined).map(({ id }) => id); // of the items, in their order
  return {
    status: "PENDING",
    items: budget.items.map((line) => {
      const { kind, description } = line;
      if (kind !== undefined) return { kind, description };
      const { productId = null, variantId = null, packageId = null } = line;
      return { id: ids.shift(), productId, variantId, packageId, description };
    }),
    ...(taxRate === null ? {} : { taxRate }),
    discountAmount: discount,
    validUntil,
    metadata,
    terms,
  } as const;
}
