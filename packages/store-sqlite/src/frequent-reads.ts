import {
  type Budget,
  type Business,
  type CustomerSummary,
  type NamedBudget,
  type PresentedKey,
  type ProductName,
  type ProductSummary,
  productNamesOf,
  type Store,
} from "@budgetkit/core/store";
import { asDocument, asText, idToFind, orNull } from "@budgetkit/store-kit";
import { businessFinder } from "./access/businesses.js";
import { presentedKeyFinder } from "./access/keys.js";
import { customerSummaryFinder, productSummaryFinder } from "./catalog/summaries.js";
import type { Connection } from "./engine/connection.js";

/** The look-ups that most requests begin with, each as part of a read. Null = there is none. */
export interface FrequentReads {
  business(id: string): Business | null;
  presentedKey(hash: string): PresentedKey | null;
  customer(businessId: string, id: string): CustomerSummary | null;
  product(businessId: string, name: ProductName): ProductSummary | null;
  budgetText(businessId: string, id: string): string | null; // its document
  namedBudget(businessId: string, id: string): NamedBudget | null;
}

export function frequentReads(connection: Connection): FrequentReads {
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const reads: FrequentReads = {
    business: businessFinder(connection),
    presentedKey: presentedKeyFinder(connection),
    customer: customerSummaryFinder(connection),
    product: productSummaryFinder(connection),
    budgetText: (businessId, id) => orNull(findDocument(idToFind(businessId), idToFind(id)), asText),
    namedBudget: (businessId, id) => orNull(reads.budgetText(businessId, id), (text) => withNames(text, reads)),
  };
  return reads;
}

/** The budget of a document with its names, which are looked up after it and so are not older. */
export function withNames(text: string, reads: Pick<FrequentReads, "customer" | "product">): NamedBudget {
  const budget = asDocument<Budget>(text);
  const { businessId, customerId, items } = budget;
  return {
    budget,
    customer: reads.customer(businessId, customerId),
    products: productNamesOf(items).flatMap((name) => reads.product(businessId, name) ?? []),
  };
}

type FrequentMethods = Pick<
  Store,
  "findBusiness" | "findKeyByHash" | "findCustomers" | "findProductSummaries" | "findNamedBudget"
>;

/** The methods of the store by these look-ups. `readsNow` returns those for the present state, until the next await. */
export function frequentMethods(connection: Connection, readsNow: () => FrequentReads): FrequentMethods {
  return {
    findBusiness: (id) => connection.read(() => readsNow().business(id)),

    findKeyByHash: (hash) => connection.read(() => readsNow().presentedKey(hash)),

    findCustomers: (businessId, ids) =>
      connection.read(() => {
        const { customer } = readsNow();
        return [...new Set(ids)].flatMap((id) => customer(businessId, id) ?? []);
      }),

    findProductSummaries: (businessId, names) =>
      connection.read(() => {
        const { product } = readsNow();
        return names.flatMap((name) => product(businessId, name) ?? []);
      }),

    findNamedBudget: (businessId, id) => connection.snapshot(() => readsNow().namedBudget(businessId, id)),
  };
}
