import type { CustomerSummary } from "../../catalog/customer.js";
import { namedProducts } from "../../catalog/named-products.js";
import { byId } from "../../kernel/arrays.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import type { NamedBudget } from "../budget-store.js";
import type { Summaries } from "../budget-view.js";

const NO_PRODUCTS = namedProducts([]);

/** The customers of some budgets, in one look-up. */
export async function customersOf(
  { store }: Pick<BudgetContext, "store">,
  businessId: string,
  budgets: readonly Pick<Budget, "customerId">[],
): Promise<Summaries> {
  const customers = await store.findCustomers(businessId, [...new Set(budgets.map((budget) => budget.customerId))]);
  return { customers: byId(customers), products: NO_PRODUCTS };
}

/** A customer that is looked up already, or new. */
export function summariesOfCustomer({ id, name, email, phone }: CustomerSummary): Summaries {
  return { customers: byId([{ id, name, email, phone }]), products: NO_PRODUCTS };
}

/** The customer of one budget and the products of its items. Packages have their snapshots. */
export function summariesIn({ customer, products }: NamedBudget): Summaries {
  return { customers: byId(customer === null ? [] : [customer]), products: namedProducts(products) };
}
