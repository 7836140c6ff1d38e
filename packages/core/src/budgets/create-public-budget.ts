import { err, Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { startOf } from "../kernel/dates.js";
import { amount, currencyCode, notes, numericId, quantity, SIZES, unitPrice, wireDate } from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { minorAmount, reconcileTotals } from "./given-totals.js";
import { insertBudget } from "./insert-budget.js";
import { checkItems, pricedItems } from "./items.js";
import { packItems } from "./package-snapshot.js";
import { mintPublicToken, publicUrlOf } from "./public-token.js";
import { checkReferences, type ItemReference, lookUpNamed } from "./references.js";
import { checkStillValid, timeZoneFor, validityOf } from "./validity.js";

/** Source: contract, Create budget publicly. */
export const createPublicBudgetSchema = z
  .object({
    currency: currencyCode,
    issueDate: wireDate,
    expirationDate: wireDate,
    customerId: numericId,
    sellerId: numericId,
    businessId: numericId.nullish().describe("Taken and dropped: the business is the credential's."),
    minimumPaymentToConfirm: amount,
    subtotal: amount,
    total: amount,
    iva: amount,
    comments: notes.nullish(),
    items: z
      .array(
        z.object({
          productId: numericId.nullish(),
          packageId: numericId.nullish(),
          quantity,
          unitPrice,
        }),
      )
      .min(1)
      .max(SIZES.items),
  })
  .meta({ id: "CreatePublicBudget" });
export type CreatePublicBudgetInput = z.output<typeof createPublicBudgetSchema>;

export const publicCreationViewSchema = z
  .object({
    success: z.literal(true),
    message: z.string(),
    publicUrl: z.url(),
    budgetId: z.int(),
    publicToken: z.string(),
  })
  .meta({ id: "PublicCreation" });
export type PublicCreationView = z.infer<typeof publicCreationViewSchema>;

/**
 * Creates a budget that anyone who has its link can read and answer. The token is in this answer and nowhere else.
 * Errors: as createBudget; TOTALS_MISMATCH unless total = subtotal + iva and subtotal agrees with the items.
 */
export async function createPublicBudget(
  context: BudgetContext,
  actor: Actor,
  input: CreatePublicBudgetInput,
  options: WriteOptions<PublicCreationView> = {},
): Promise<Result<PublicCreationView, Problem>> {
  const now = options.now ?? context.clock.now();
  const { businessId } = actor;
  const { currency } = input;
  const drafts = await describeItems(context, businessId, input.items);
  const kinds = checkItems(drafts);
  if (kinds.isErr()) return err(kinds.error);
  const amounts = Result.combine([
    minorAmount("subtotal", input.subtotal, currency),
    minorAmount("iva", input.iva, currency),
    minorAmount("total", input.total, currency),
    minorAmount("minimumPaymentToConfirm", input.minimumPaymentToConfirm, currency),
  ]);
  if (amounts.isErr()) return err(amounts.error);
  const [subtotal, iva, total, minimumPaymentToConfirm] = amounts.value;
  const totals = reconcileTotals(
    { currency, rounding: context.rounding, lines: drafts, discount: 0, taxation: { kind: "amount", amount: iva } },
    { lines: [], subtotal, tax: iva, total },
  );
  if (totals.isErr()) return err(totals.error);
  const validUntil = await validityOf(context, businessId, input.expirationDate);
  const valid = checkStillValid(validUntil, now, "expirationDate");
  if (valid.isErr()) return err(valid.error);
  const known = await checkReferences(context, businessId, input);
  if (known.isErr()) return err(known.error);
  const items = await packItems(context, businessId, drafts);
  if (items.isErr()) return err(items.error);
  const issueDate = startOf(input.issueDate, await timeZoneFor(context, businessId, input.issueDate));
  const id = await context.ids.next();
  const itemIds = await context.ids.take(drafts.length);
  const { token, hash } = mintPublicToken(context.random);
  const { lines, ...figures } = totals.value;
  const budget = {
    id,
    customerId: input.customerId,
    status: "PENDING",
    currency,
    items: pricedItems(items.value, itemIds, lines),
    taxRate: null,
    notes: input.comments ?? null,
    validUntil,
    metadata: {},
    publicTokenHash: hash,
    publicOffer: { sellerId: input.sellerId, issueDate, minimumPaymentToConfirm },
    ...figures, // last: V8 is slow to add to a copy
  } as const;
  return insertBudget(context, actor, budget, now, options, () => ({
    success: true,
    message: "Budget created.",
    publicUrl: publicUrlOf(context, token),
    budgetId: Number(id),
    publicToken: token,
  }));
}

/** This shape has no description of its own: it is the name of the product or package, or its id where nobody knows it. */
async function describeItems<Item extends ItemReference>(
  context: BudgetContext,
  businessId: string,
  items: readonly Item[],
): Promise<(Item & { readonly description: string })[]> {
  const { products, packages } = await lookUpNamed(context, businessId, items);
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
