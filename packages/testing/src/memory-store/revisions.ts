import type { Budget, BudgetStore } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";

/** Keeps the stored budget as a revision before it is replaced. */
export function keepRevision({ revisions }: Tables, budget: Budget): void {
  revisions.add(budget.businessId, keyOf(budget.id, budget.revision), budget);
}

export function memoryRevisions(open: OpenTables): Pick<BudgetStore, "findRevision" | "listRevisions"> {
  function find(businessId: string, id: string, revision: number): Budget | null {
    const present = open().budgets.find(businessId, id);
    return present?.revision === revision ? present : open().revisions.find(businessId, keyOf(id, revision));
  }

  return {
    findRevision: async (businessId, id, revision) => find(businessId, id, revision),

    listRevisions: async (businessId, id, limit, offset) => {
      const total = open().budgets.find(businessId, id)?.revision ?? 0;
      const newest = total - offset;
      const numbers = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, index) => newest - index);
      const entries = numbers.flatMap((revision) => find(businessId, id, revision) ?? []);
      return { entries, total, nextCursor: null };
    },
  };
}

function keyOf(id: string, revision: number): string {
  return `${id}/${revision}`;
}
