import { err, ok, Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { startOf, timeZoneFor } from "../../kernel/dates.js";
import type { Rounding } from "../../kernel/decimal.js";
import {
  amount,
  currencyCode,
  notes,
  numericId,
  paymentUrl,
  quantity,
  SIZES,
  unitPrice,
  wireDate,
} from "../../kernel/fields.js";
import type { Minor } from "../../kernel/money.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import { minorAmount, reconcileTotals } from "../../pricing/given-totals.js";
import { unit } from "../../pricing/line-fields.js";
import type { Taxation, Totals } from "../../pricing/totals-parts.js";
import { paymentUrlField } from "../budget.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { type TaxTerms, taxesOfCreation } from "../default-taxes.js";
import { customerOf, type ForCustomer, inlineCustomer, requireCustomer } from "../inline-customer.js";
import { type Insertion, insertBudget } from "../insert-budget.js";
import { checkItems, type ItemDraft, pricedItems } from "../items.js";
import { checkStillValid, validityOf } from "../lifecycle/validity.js";
import { discountAmount, discountRate, draftsOf } from "../line-input.js";
import { mintPublicToken, publicUrlOf } from "../offer/public-token.js";
import { itemConfiguration, taxesInput } from "../price-fields.js";
import { checkPricing, type StoredFigures, storedFigures } from "../price-figures.js";
import { offersFor, settleLines } from "../product-defaults.js";
import { resolveItems } from "../references/package-snapshot.js";
import { type ItemReference, lookUpNamed, type Named } from "../references/references.js";
import { sealToken } from "./manage-link.js";

const fieldsSchema = z.object({
  /** An ISO 4217 code. */
  currency: currencyCode,
  /** When the offer was made. ISO 8601. */
  issueDate: wireDate,
  /** Until when the offer holds. ISO 8601. */
  expirationDate: wireDate,
  /** Numeric id of the customer. Required unless `customer` is given. */
  customerId: numericId.optional().describe("Numeric id of the customer. Required unless `customer` is given."),
  /** The customer itself, in place of its id. */
  customer: inlineCustomer,
  /** Numeric id of the seller. */
  sellerId: numericId,
  /** The business of the credential; any other is 403. */
  businessId: numericId.nullish().describe("The business of the credential; any other is 403."),
  /** What must be paid before the acceptance counts, in the currency's major unit. */
  minimumPaymentToConfirm: amount,
  /** Before tax and discount, in the currency's major unit. */
  subtotal: amount,
  /** With tax, in the currency's major unit. */
  total: amount,
  /** Amount of tax, in the currency's major unit. It must agree with taxes where those are given. */
  iva: amount,
  /** Several taxes: each itself, or the id of a named tax of the business. Default: the tax is the amount `iva` alone. */
  taxes: taxesInput.nullish(),
  /** Free text. */
  comments: notes.nullish(),
  /** Where the customer pays, with https. Default: where the business says. */
  paymentUrl: paymentUrl.nullish().describe("Where the customer pays, with https. Default: where the business says."),
  /** The lines, at least one. */
  items: z
    .array(
      z.object({
        /** Numeric id of the product. */
        productId: numericId.nullish(),
        /** Numeric id of the package. */
        packageId: numericId.nullish(),
        /** How many units, with up to 6 decimals. */
        quantity,
        /** Price of one unit, in the currency's major unit. */
        unitPrice,
        /** The unit of the quantity: hours, m². */
        unit: unit.nullish(),
        /** Discount of this item: a fraction of quantity × unitPrice. */
        discountRate: discountRate.nullish(),
        /** Discount of this item, in the currency's major unit. */
        discountAmount: discountAmount.nullish(),
        ...itemConfiguration,
      }),
    )
    .min(1)
    .max(SIZES.items),
});

/** Source: contract, Create budget publicly. */
export const createPublicBudgetSchema = fieldsSchema
  .check(requireCustomer(Object.keys(fieldsSchema.shape)))
  .meta({ id: "CreatePublicBudget" });
type CreationFields = z.input<typeof createPublicBudgetSchema>;
/** The content of a new budget with a public link, for a customer by id or for one that is made with it. */
export type CreatePublicBudget = Omit<CreationFields, "customerId" | "customer"> & ForCustomer<number>;
export type CreatePublicBudgetInput = z.output<typeof createPublicBudgetSchema>;

export const publicCreationViewSchema = z
  .object({
    /** Always true. */
    success: z.literal(true),
    /** For people to read. */
    message: z.string(),
    /** The link by which the customer opens the budget, without a credential. */
    publicUrl: z.url(),
    /** Numeric id of the budget. */
    budgetId: z.int(),
    /** The credential in the public link. */
    publicToken: z.string(),
  })
  .meta({ id: "PublicCreation" });
export type PublicCreationView = z.infer<typeof publicCreationViewSchema>;

/**
 * Creates a budget that anyone with its link can read and answer. Only this response contains the token.
 * Errors: as createBudget; TOTALS_MISMATCH unless total = subtotal + iva and subtotal agrees with the items;
 * ISSUED_AFTER_EXPIRATION, MINIMUM_ABOVE_TOTAL; forbidden for the id of another business.
 */
export async function createPublicBudget(
  context: BudgetContext,
  actor: Actor,
  input: CreatePublicBudgetInput,
  options: WriteOptions = {},
): Promise<Result<PublicCreationView, Problem>> {
  const now = options.now ?? context.clock.now();
  const minted = mintPublicToken(context.random);
  const decide = (attempt: number) => decidePublicCreation(context, actor, input, minted, now, attempt);
  return insertBudget(context, actor, decide, now, options, ({ id }) => ({
    success: true,
    message: "Budget created.",
    publicUrl: publicUrlOf(context, minted.token),
    budgetId: Number(id),
    publicToken: minted.token,
  }));
}

async function decidePublicCreation(
  context: BudgetContext,
  actor: Actor,
  input: CreatePublicBudgetInput,
  { token, hash }: ReturnType<typeof mintPublicToken>,
  now: Instant,
  attempt: number,
): Promise<Result<Insertion, Problem>> {
  const { businessId } = actor;
  const checked = await checkOffer(context, businessId, input, now);
  if (checked.isErr()) return err(checked.error);
  const { drafts, amounts, named, validUntil, issueDate } = checked.value;
  const [items, customer] = await Promise.all([
    resolveItems(context, businessId, input.customerId ?? null, drafts, named),
    customerOf(context, actor, input, now, attempt),
  ]);
  if (items.isErr()) return err(items.error);
  if (customer.isErr()) return err(customer.error);
  const { customerId, summaries, added } = customer.value;
  const id = await context.ids.next(businessId);
  const itemIds = await context.ids.take(businessId, drafts.length);
  const { minimumPaymentToConfirm, totals, figures } = amounts;
  const budget = {
    id,
    customerId,
    status: "PENDING",
    currency: input.currency,
    items: pricedItems(items.value, itemIds, totals),
    taxRate: null,
    notes: input.comments ?? null,
    validUntil,
    metadata: {},
    publicTokenHash: hash,
    sealedPublicToken: sealToken(context, { businessId, id }, token),
    publicOffer: { sellerId: input.sellerId, issueDate, minimumPaymentToConfirm },
    ...paymentUrlField(input.paymentUrl),
    ...figures, // last: V8 is slow to add to a copy
  } as const;
  return ok({ budget, summaries, added });
}

/** The checks of an offer that need neither its customer nor its catalog entries, and what they find. */
async function checkOffer(context: BudgetContext, businessId: string, input: CreatePublicBudgetInput, now: Instant) {
  if ((input.businessId ?? businessId) !== businessId) return err(otherBusiness);
  const terms = await taxTermsOf(context, businessId, input);
  if (terms.isErr()) return err(terms.error);
  const named = await lookUpNamed(context, businessId, input.items);
  const offers = offersFor(input.items, named);
  const settled = settleLines(describeItems(input.items, named), offers, input.currency, terms.value);
  if (settled.isErr()) return err(settled.error);
  const { lines, taxation } = settled.value;
  const described = draftsOf(lines, input.currency);
  if (described.isErr()) return err(described.error);
  const drafts = described.value;
  const kinds = checkItems(drafts);
  if (kinds.isErr()) return err(kinds.error);
  const amounts = settleAmounts(input, taxation, drafts, context.rounding);
  if (amounts.isErr()) return err(amounts.error);
  const validUntil = await validityOf(context, businessId, input.expirationDate);
  const valid = checkStillValid(validUntil, now, "expirationDate");
  if (valid.isErr()) return err(valid.error);
  const issueDate = startOf(input.issueDate, await timeZoneFor(context, businessId, input.issueDate));
  if (validUntil !== null && issueDate > validUntil) return err(issuedAfterExpiration);
  return ok({ drafts, amounts: amounts.value, named, validUntil, issueDate });
}

/** Without taxes, the tax is the amount of the request: the business's defaults and the products' taxes do not apply. */
async function taxTermsOf(
  context: BudgetContext,
  businessId: string,
  { taxes }: CreatePublicBudgetInput,
): Promise<Result<TaxTerms, Problem>> {
  if (taxes !== null && taxes !== undefined) return taxesOfCreation(context, businessId, { taxes });
  return ok({ taxation: { kind: "amount", amount: 0 }, named: null }); // settleAmounts reads the amount
}

/** The same for every other id, so that it reveals nothing about other businesses. */
const otherBusiness: Problem = {
  kind: "forbidden",
  message: "businessId is not the business of the credential. Leave it out, or send that one.",
};

const issuedAfterExpiration: Problem = brokenRule(
  "ISSUED_AFTER_EXPIRATION",
  "issueDate must not be after expirationDate.",
  { field: "issueDate" },
);

interface SettledAmounts {
  readonly totals: Totals;
  readonly figures: StoredFigures;
  readonly minimumPaymentToConfirm: Minor;
}

/** Errors: 400 for too many decimals; those of checkPricing, reconcileTotals and storedFigures; MINIMUM_ABOVE_TOTAL. */
function settleAmounts(
  input: CreatePublicBudgetInput,
  requested: Taxation,
  lines: readonly ItemDraft[],
  rounding: Rounding,
): Result<SettledAmounts, Problem> {
  const { currency } = input;
  const amounts = Result.combine([
    minorAmount("subtotal", input.subtotal, currency),
    minorAmount("iva", input.iva, currency),
    minorAmount("total", input.total, currency),
    minorAmount("minimumPaymentToConfirm", input.minimumPaymentToConfirm, currency),
  ]);
  if (amounts.isErr()) return err(amounts.error);
  const [subtotal, iva, total, minimum] = amounts.value;
  const taxation: Taxation = requested.kind === "amount" ? { kind: "amount", amount: iva } : requested;
  const checked = checkPricing(lines, taxation);
  if (checked.isErr()) return err(checked.error);
  const terms = { currency, rounding, lines, discount: 0, taxation };
  const settled = reconcileTotals(terms, { lines: [], subtotal, tax: iva, total });
  if (settled.isErr()) return err(settled.error);
  const figures = storedFigures(settled.value, terms);
  if (figures.isErr()) return err(figures.error);
  if (minimum > total) return err(minimumAboveTotal(input.total));
  // The client's total may be a minor unit above the settled one.
  const minimumPaymentToConfirm = Math.min(minimum, settled.value.total);
  return ok({ totals: settled.value, figures: figures.value, minimumPaymentToConfirm });
}

function minimumAboveTotal(total: number): Problem {
  const message = "minimumPaymentToConfirm must not be more than total: it could never be paid.";
  return brokenRule("MINIMUM_ABOVE_TOTAL", message, { field: "minimumPaymentToConfirm", total });
}

/** This shape has no descriptions: an item gets the name of its product or package, or the id if the catalog has none. */
function describeItems<Item extends ItemReference>(
  items: readonly Item[],
  { products, packages }: Named,
): (Item & { readonly description: string })[] {
  return items.map((item) => {
    const { productId = null, packageId = null } = item;
    if (productId !== null) {
      const product = products.find({ productId, variantId: null });
      return { ...item, description: product?.name ?? `Product ${productId}` };
    }
    if (packageId !== null) return { ...item, description: packages.get(packageId)?.name ?? `Package ${packageId}` };
    return { ...item, description: "Item" };
  });
}
