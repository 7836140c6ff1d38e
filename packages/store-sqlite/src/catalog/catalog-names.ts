import {
  asCustomerSummary,
  CUSTOMER_SUMMARY_COLUMNS,
  type CustomerSummary,
  idToFind,
  orNull,
  type ProductName,
  type ProductSummary,
  ValuesOfBusinesses,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { productSummaryFinder } from "./product-summaries.js";

/**
 * The parts of customers and products that budgets show, cached so that most reads of a budget do not read them. To be used
 * before the next await.
 */
export interface Names {
  customer(businessId: string, id: string): CustomerSummary | null;
  /** The products that the catalog knows. */
  products(businessId: string, names: readonly ProductName[]): readonly ProductSummary[];
}

export interface CachedNames {
  /** As of now. Inside a read. */
  names(): Names;
  /** A write of a customer or a product calls it inside its transaction. */
  forgetNames(): void;
}

/** Customers, and as many products; about 200 bytes each. */
const MAX_KEPT = 10_000;

/** Returns a function that makes names which are read when they are asked for. */
export function nameReader(connection: Connection): () => Names {
  const findCustomer = connection.row(
    `SELECT ${CUSTOMER_SUMMARY_COLUMNS} FROM budgetkit_customers WHERE business_id = ? AND id = ?`,
  );
  const findProduct = productSummaryFinder(connection);

  return () => {
    const customers = new ValuesOfBusinesses<CustomerSummary>(MAX_KEPT);
    const products = new ValuesOfBusinesses<ProductSummary>(MAX_KEPT);
    return {
      customer: (businessId, id) =>
        customers.getOrFind(businessId, id, () => orNull(findCustomer(idToFind(businessId), id), asCustomerSummary)),
      products: (businessId, names) => {
        const known: ProductSummary[] = [];
        for (const name of names) {
          const product = products.getOrFind(businessId, keyOf(name), () => findProduct(idToFind(businessId), name));
          if (product !== null) known.push(product);
        }
        return known;
      },
    };
  };
}

/** Unique, because an id contains no blank. */
function keyOf({ productId, variantId }: ProductName): string {
  return variantId === null ? productId : `${productId} ${variantId}`;
}
