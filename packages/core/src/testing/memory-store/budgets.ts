import type { Budget } from "../../budgets/budget.js";
import type { BudgetStore } from "../../budgets/budget-store.js";
import type { DomainEvent } from "../../events/event.js";
import type { Receipt } from "../../idempotency/idempotency-store.js";
import type { Instant } from "../../kernel/clock.js";
import { pageOfBudgets } from "./budget-list.js";
import { appendEvents } from "./events.js";
import { completeClaim, receiptHolds } from "./idempotency.js";
import { keepRevision, memoryRevisions } from "./revisions.js";
import type { OpenTables, Tables } from "./tables.js";

export function memoryBudgets(open: OpenTables): BudgetStore {
  return {
    insertBudget: async (budget, events, receipt) => {
      const tables = open();
      if (!receiptHolds(tables, receipt)) return "receipt-lost";
      tables.budgets.add(budget.businessId, budget.id, budget);
      commitWith(tables, events, receipt);
      return "written";
    },

    findBudget: async (businessId, id) => open().budgets.find(businessId, id),

    replaceBudget: async (budget, expectedVersion, events, receipt) => {
      const tables = open();
      if (!receiptHolds(tables, receipt)) return "receipt-lost";
      const stored = tables.budgets.find(budget.businessId, budget.id);
      if (stored?.version !== expectedVersion) return "stale";
      if (budget.revision > stored.revision) keepRevision(tables, stored);
      tables.budgets.save(budget.businessId, budget.id, budget);
      commitWith(tables, events, receipt);
      return "written";
    },

    ...memoryRevisions(open),

    listBudgets: async (businessId, query) => pageOfBudgets(open().budgets.of(businessId), query),

    findBudgetByPublicToken: async (tokenHash) =>
      open()
        .budgets.all()
        .find((budget) => budget.publicTokenHash === tokenHash) ?? null,

    findOverdueBudgets: async (businessId, now, limit) => overdueOf(open().budgets.of(businessId), now, limit),

    findAllOverdueBudgets: async (now, limit) => overdueOf(open().budgets.all(), now, limit),
  };
}

/** The part of a commit that goes with the budget. */
function commitWith(tables: Tables, events: readonly DomainEvent[], receipt: Receipt | null): void {
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
