/** A customer as budgets show it. */
export interface CustomerSummary {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** A product as budgets show it. */
export interface ProductSummary {
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
}

/** What budgets need to know of customers and products. */
export interface CatalogStore {
  /** Adds the customer or puts the summary in the place of the stored one. */
  saveCustomer(businessId: string, customer: CustomerSummary): Promise<void>;
  saveProduct(businessId: string, product: ProductSummary): Promise<void>;
  /** Those of the ids that this business has, in any order; one lookup for all. */
  findCustomers(businessId: string, ids: readonly string[]): Promise<readonly CustomerSummary[]>;
  findProducts(businessId: string, ids: readonly string[]): Promise<readonly ProductSummary[]>;
}
