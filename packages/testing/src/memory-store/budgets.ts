import {
  asOf,
  type Budget,
  type BudgetStore,
  type CatalogStore,
  type DomainEvent,
  exceedsQuota,
  type IdempotencyRecord,
  type Instant,
  productNamesOf,
} from "@budgetkit/core/store";
import { pageOfBudgets } from "./budget-list.js";
import { appendEvents } from "./events.js";
import { completeClaim, receiptHolds } from "./idempotency.js";
import { keepRevision, memoryRevisions } from "./revisions.js";
import { bytesOf, countUse, useOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";

export function memoryBudgets(open: OpenTables, catalog: CatalogStore): BudgetStore {
  return {
    insertBudget: async (budget, events, receipt, quota) => {
      const tables = open();
      const { businessId } = budget;
      const added = { budgets: 1, documentBytes: bytesOf(budget, ...events) };
      if (quota !== undefined && exceedsQuota(useOf(tables, businessId), added, quota)) return "quota-exceeded";
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      tables.budgets.add(businessId, budget.id, budget);
      countUse(tables, businessId, { budgets: 1, documentBytes: bytesOf(budget) });
      commitWith(tables, events, receipt);
      return "written";
    },

    findBudget: async (businessId, id) => open().budgets.find(businessId, id),

    findNamedBudget: async (businessId, id) => {
      const budget = open().budgets.find(businessId, id);
      if (budget === null) return null;
      const [customer = null] = await catalog.findCustomers(businessId, [budget.customerId]);
      const products = await catalog.findProductSummaries(businessId, productNamesOf(budget.items));
      return { budget, customer, products };
    },

    replaceBudget: async (budget, expectedVersion, events, receipt, quota) => {
      const tables = open();
      const { businessId } = budget;
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      const stored = tables.budgets.find(businessId, budget.id);
      if (stored?.version !== expectedVersion) return "stale";
      const documentBytes = bytesOf(budget) - (budget.revision > stored.revision ? 0 : bytesOf(stored));
      const added = { documentBytes: documentBytes + bytesOf(...events) };
      if (quota !== undefined && exceedsQuota(useOf(tables, businessId), added, quota)) return "quota-exceeded";
      countUse(tables, businessId, { documentBytes });
      if (budget.revision > stored.revision) keepRevision(tables, stored);
      tables.budgets.save(budget.businessId, budget.id, budget);
      commitWith(tables, events, receipt);
      return "written";
    },

    ...memoryRevisions(open),

    listBudgets: async (businessId, query) =>
      pageOfBudgets(
        open()
          .budgets.of(businessId)
          .map((budget) => asOf(budget, query.now)),
        query,
      ),

    findBudgetByPublicToken: async (tokenHash) =>
      open()
        .budgets.all()
        .find((budget) => budget.publicTokenHash === tokenHash) ?? null,

    findAllOverdueBudgets: async (now, limit, without = []) => {
      const others = open()
        .budgets.all()
        .filter(({ businessId }) => !without.includes(businessId));
      return overdueOf(others, now, limit);
    },
  };
}

/** The events and idempotency record of the commit. */
function commitWith(tables: Tables, events: readonly DomainEvent[], receipt: IdempotencyRecord | null): void {
  appendEvents(tables, events);
  completeClaim(tables, receipt);
}

function overdueOf(budgets: readonly Budget[], now: Instant, limit: number): Budget[] {
  const endOf = (budget: Budget): Instant => budget.validUntil ?? Number.POSITIVE_INFINITY;
  return budgets
    .filter((budget) => budget.status === "PENDING" && endOf(budget) <= now)
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, limit);
}
