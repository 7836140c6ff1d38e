import { lookUpProducts, namedProducts } from "../../catalog/named-products.js";
import { byId } from "../../kernel/arrays.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import type { Summaries } from "../budget-view.js";
import { productNamesOf } from "./references.js";

const NO_PRODUCTS = namedProducts([]);

/** The customers of some budgets, in one look-up. */
export async function customersOf(
  { store }: Pick<BudgetContext, "store">,
  businessId: string,
  budgets: readonly Budget[],
): Promise<Summaries> {
  const customers = await store.findCustomers(businessId, [...new Set(budgets.map((budget) => budget.customerId))]);
  return { customers: byId(customers), products: NO_PRODUCTS };
}

/** The customer of one budget and the products of its items, in two look-ups. Packages have their snapshots. */
export async function customerAndProductsOf(context: Pick<BudgetContext, "store">, budget: Budget): Promise<Summaries> {
  const [{ customers }, products] = await Promise.all([
    customersOf(context, budget.businessId, [budget]),
    lookUpProducts(context, budget.businessId, productNamesOf(budget.items)),
  ]);
  return { customers, products };
}
