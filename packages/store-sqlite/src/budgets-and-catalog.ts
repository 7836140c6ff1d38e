import type { BudgetStore, CatalogStore, MailStore, PaymentStore } from "@budgetkit/core/store";
import { sqliteBudgets } from "./budgets/budgets.js";
import { cachedBudgets } from "./budgets/cached-budgets.js";
import { sqliteMails } from "./budgets/mails.js";
import { sqlitePayments } from "./budgets/payments.js";
import { sqliteCatalog } from "./catalog/catalog.js";
import type { Connection } from "./engine/connection.js";
import { oneSearchPerBusiness } from "./search/search-slots.js";

/**
 * The ports that write budgets, or names that budgets show. They share what the connection keeps of both, so that a write
 * of one is seen by the reads of all.
 */
export function budgetsAndCatalog(connection: Connection): BudgetStore & PaymentStore & MailStore & CatalogStore {
  const cached = cachedBudgets(connection);
  const stores = {
    ...sqliteBudgets(connection, cached),
    ...sqlitePayments(connection, cached),
    ...sqliteMails(connection, cached),
    ...sqliteCatalog(connection, cached),
  };
  return { ...stores, ...oneSearchPerBusiness(stores) };
}
