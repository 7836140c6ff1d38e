import { err, ok, type Result } from "neverthrow";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import type { Summaries } from "./budget-view.js";

/** The customers of some budgets, in one lookup. */
export async function customersOf(
  { store }: Pick<BudgetContext, "store">,
  businessId: string,
  budgets: readonly Budget[],
): Promise<Summaries> {
  const customers = await store.findCustomers(businessId, unique(budgets.map((budget) => budget.customerId)));
  return { customers: new Map(customers.map((customer) => [customer.id, customer])), products: new Map() };
}

/** The customer of one budget and the products of its items, in two lookups. */
export async function customerAndProductsOf(context: Pick<BudgetContext, "store">, budget: Budget): Promise<Summaries> {
  const ids = productIdsOf(budget.items);
  const [{ customers }, products] = await Promise.all([
    customersOf(context, budget.businessId, [budget]),
    ids.length === 0 ? [] : context.store.findProducts(budget.businessId, ids),
  ]);
  return { customers, products: new Map(products.map((product) => [product.id, product])) };
}

/**
 * With strict references, checks that the catalog knows the customer, if there is one yet, and every product.
 * Errors: UNKNOWN_REFERENCE, the same for an id of another business as for one that nobody has.
 */
export async function checkReferences(
  context: Pick<BudgetContext, "store" | "references">,
  businessId: string,
  customerId: string | null,
  items: readonly ProductReference[],
): Promise<Result<void, Problem>> {
  if (context.references === "open") return ok();
  if (customerId !== null) {
    const [customer] = await context.store.findCustomers(businessId, [customerId]);
    if (customer === undefined) return err(unknownReference("customerId", customerId));
  }
  const ids = productIdsOf(items);
  const known = new Set((await context.store.findProducts(businessId, ids)).map((product) => product.id));
  for (const [index, { productId }] of items.entries()) {
    if (productId !== null && productId !== undefined && !known.has(productId)) {
      return err(unknownReference(`items[${index}].productId`, productId));
    }
  }
  return ok();
}

function unknownReference(field: string, id: string): Problem {
  return brokenRule("UNKNOWN_REFERENCE", "The catalog does not know this id.", { field, id });
}

interface ProductReference {
  readonly productId?: string | null | undefined; // null or absent = no product
}

function productIdsOf(items: readonly ProductReference[]): string[] {
  return unique(items.flatMap(({ productId }) => (productId === null || productId === undefined ? [] : [productId])));
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
