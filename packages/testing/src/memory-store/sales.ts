import {
  asOf,
  type Budget,
  type CurrencySum,
  type SalesStore,
  type SalesSum,
  salesSharesOf,
  slotOf,
  soldOf,
} from "@budgetkit/core/store";
import type { OpenTables } from "./tables.js";

export function memorySales(open: OpenTables): SalesStore {
  const sharesOf = (budget: Budget, now: number) => salesSharesOf(soldOf(asOf(budget, now)));
  return {
    sumSales: async (businessId, starts, now) => {
      const slots = starts.map(slotOf);
      const sums = new Map<string, SalesSum>();
      for (const budget of open().budgets.of(businessId)) {
        for (const { kind, slot, currency, amount } of sharesOf(budget, now)) {
          const period = slots.filter((first) => first <= slot).length - 1;
          if (kind === "balance" || kind === "deposit" || period < 0 || period === slots.length - 1) continue;
          const key = `${String(period).padStart(4, "0")} ${kind} ${currency}`;
          const sum = sums.get(key) ?? { period, outcome: kind, currency, budgets: 0, total: 0n };
          sums.set(key, { ...sum, budgets: sum.budgets + 1, total: sum.total + BigInt(amount) });
        }
      }
      return inOrder(sums);
    },

    sumOpen: async (businessId, now, until) => {
      const balances = new Map<string, CurrencySum>();
      let depositsDue = 0;
      let expiring = 0;
      for (const budget of open().budgets.of(businessId)) {
        const { status, validUntil } = budget;
        if (status === "PENDING" && validUntil !== null && validUntil > now && validUntil <= until) expiring += 1;
        for (const { kind, currency, amount } of sharesOf(budget, now)) {
          if (kind === "deposit") depositsDue += 1;
          if (kind !== "balance") continue;
          const sum = balances.get(currency) ?? { currency, budgets: 0, total: 0n };
          balances.set(currency, { currency, budgets: sum.budgets + 1, total: sum.total + BigInt(amount) });
        }
      }
      return { balances: inOrder(balances), depositsDue, expiring };
    },
  };
}

function inOrder<T>(sums: ReadonlyMap<string, T>): readonly T[] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
