import {
  asCustomerSummary,
  CUSTOMER_SUMMARY_COLUMNS,
  type CustomerSummary,
  idToFind,
  orNull,
  type ProductName,
  type ProductSummary,
} from "@budgetkit/core/store";
import { BoundedValues } from "../engine/bounded-values.js";
import type { Connection } from "../engine/connection.js";
import { productSummaryFinder } from "./product-summaries.js";

/** The parts of customers and products that budgets show; kept, so that most reads of a budget do not read them. */
export interface CatalogNames {
  /** The names as of now. Inside a read. */
  current(): Names;
  /** A write of a customer or a product calls it inside its transaction. */
  forget(): void;
}

/** To be used before the next await. */
interface Names {
  customer(businessId: string, id: string): CustomerSummary | null;
  product(businessId: string, name: ProductName): ProductSummary | null;
}

/** Customers, and as many products; about 200 bytes each. */
const MAX_KEPT = 5_000;

export function catalogNames(connection: Connection): CatalogNames {
  const findCustomer = connection.row(
    `SELECT ${CUSTOMER_SUMMARY_COLUMNS} FROM budgetkit_customers WHERE business_id = ? AND id = ?`,
  );
  const findProduct = productSummaryFinder(connection);

  function emptyNames(): Names {
    const customers = new BoundedValues<CustomerSummary>(MAX_KEPT);
    const products = new BoundedValues<ProductSummary>(MAX_KEPT);
    return {
      customer: (businessId, id) =>
        customers.getOrFind(`${businessId} ${id}`, () =>
          orNull(findCustomer(idToFind(businessId), id), asCustomerSummary),
        ),
      product: (businessId, name) =>
        products.getOrFind(`${businessId} ${name.productId} ${name.variantId ?? ""}`, () =>
          findProduct(idToFind(businessId), name),
        ),
    };
  }

  return connection.keep(emptyNames);
}
