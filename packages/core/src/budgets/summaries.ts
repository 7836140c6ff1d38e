import type { Budget } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import type { Summaries } from "./budget-view.js";
import { lookUpNamed } from "./references.js";

/** The customers of some budgets, in one lookup. */
export async function customersOf(
  { store }: Pick<BudgetContext, "store">,
  businessId: string,
  budgets: readonly Budget[],
): Promise<Summaries> {
  const customers = await store.findCustomers(businessId, [...new Set(budgets.map((budget) => budget.customerId))]);
  return { customers: new Map(customers.map((customer) => [customer.id, customer])), products: new Map() };
}

/** The customer of one budget and the products of its items, in two lookups. */
export async function customerAndProductsOf(context: Pick<BudgetContext, "store">, budget: Budget): Promise<Summaries> {
  const items = budget.items.map(({ productId }) => ({ productId })); // a package has its snapshot
  const [{ customers }, { products }] = await Promise.all([
    customersOf(context, budget.businessId, [budget]),
    lookUpNamed(context, budget.businessId, items),
  ]);
  return { customers, products };
}
