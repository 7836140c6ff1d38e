import {
  asOf,
  type Budget,
  type BudgetStore,
  type CatalogStore,
  type Change,
  type Instant,
  productNamesOf,
  type Refusal,
} from "@budgetkit/core/store";
import { pageOfBudgets } from "./budget-list.js";
import { keepRevision, memoryRevisions } from "./revisions.js";
import { bytesOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import type { ConditionOf, WriteOf } from "./write-of.js";

export function memoryBudgets(open: OpenTables, catalog: CatalogStore): BudgetStore {
  return {
    findBudget: async (businessId, id) => open().budgets.find(businessId, id),

    findNamedBudget: async (businessId, id) => {
      const budget = open().budgets.find(businessId, id);
      if (budget === null) return null;
      const [customer = null] = await catalog.findCustomers(businessId, [budget.customerId]);
      const products = await catalog.findProductSummaries(businessId, productNamesOf(budget.items));
      return { budget, customer, products };
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

/** A replacement with a greater revision keeps the stored budget as a revision. */
export function budgetChange(tables: Tables, { budget, expected }: WriteOf<"budget">): Change | Refusal {
  const { businessId, id } = budget;
  const bytes = bytesOf(budget);
  if (expected === "absent") {
    tables.budgets.assertFree(businessId, id);
    return {
      added: { budgets: 1, documentBytes: bytes },
      apply: () => tables.budgets.add(businessId, id, budget),
    };
  }
  const stored = tables.budgets.find(businessId, id);
  if (stored?.version !== expected) return "stale";
  const isRevision = budget.revision > stored.revision;
  return {
    added: { documentBytes: bytes - (isRevision ? 0 : bytesOf(stored)) },
    apply: () => {
      if (isRevision) keepRevision(tables, stored);
      tables.budgets.save(businessId, id, budget);
    },
  };
}

export function isAtVersion(
  { budgets }: Tables,
  businessId: string,
  { budgetId, is }: ConditionOf<"budget-version">,
): boolean {
  return budgets.find(businessId, budgetId)?.version === is;
}

function overdueOf(budgets: readonly Budget[], now: Instant, limit: number): Budget[] {
  const endOf = (budget: Budget): Instant => budget.validUntil ?? Number.POSITIVE_INFINITY;
  return budgets
    .filter((budget) => budget.status === "PENDING" && endOf(budget) <= now)
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, limit);
}
