import type { Payment, PaymentStore } from "@budgetkit/core/store";
import { appendEvents } from "./events.js";
import { completeClaim, receiptHolds } from "./idempotency.js";
import { bytesOf, countUse } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";

export function memoryPayments(open: OpenTables): PaymentStore {
  return {
    recordPayment: async (payment, budget, expectedVersion, events, receipt) => {
      const tables = open();
      const { businessId } = payment;
      const payments = paymentsOf(tables, businessId, payment.budgetId);
      if (payments.some(({ reference }) => reference === payment.reference)) return "taken";
      const stored = tables.budgets.find(businessId, budget.id);
      if (stored?.version !== expectedVersion) return "stale";
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      tables.payments.save(businessId, payment.budgetId, [...payments, payment]);
      tables.budgets.save(businessId, budget.id, budget);
      countUse(tables, businessId, { documentBytes: bytesOf(budget) - bytesOf(stored) });
      appendEvents(tables, events);
      completeClaim(tables, receipt);
      return "written";
    },

    findPayment: async (businessId, budgetId, reference) =>
      paymentsOf(open(), businessId, budgetId).find((payment) => payment.reference === reference) ?? null,

    countPayments: async (businessId, budgetId) => paymentsOf(open(), businessId, budgetId).length,

    listPayments: async (businessId, budgetId, limit, offset) => {
      const payments = [...paymentsOf(open(), businessId, budgetId)].sort(newestFirst);
      return { entries: payments.slice(offset, offset + limit), total: payments.length, nextCursor: null };
    },
  };
}

function paymentsOf({ payments }: Tables, businessId: string, budgetId: string): readonly Payment[] {
  return payments.find(businessId, budgetId) ?? [];
}

function newestFirst(a: Payment, b: Payment): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
