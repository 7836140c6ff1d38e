import { type Change, type Payment, type PaymentStore, type Refusal, uncounted } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";

export function memoryPayments(open: OpenTables): PaymentStore {
  return {
    findPayment: async (businessId, budgetId, reference) =>
      paymentsOf(open(), businessId, budgetId).find((payment) => payment.reference === reference) ?? null,

    countPayments: async (businessId, budgetId) => paymentsOf(open(), businessId, budgetId).length,

    listPayments: async (businessId, budgetId, limit, offset) => {
      const payments = [...paymentsOf(open(), businessId, budgetId)].sort(newestFirst);
      return { entries: payments.slice(offset, offset + limit), total: payments.length, nextCursor: null };
    },
  };
}

export function paymentChange(tables: Tables, payment: Payment): Change | Refusal {
  const { businessId, budgetId, reference } = payment;
  const payments = paymentsOf(tables, businessId, budgetId);
  if (payments.some((each) => each.reference === reference)) return { taken: "reference", value: reference };
  return uncounted(() => tables.payments.save(businessId, budgetId, [...payments, payment]));
}

function paymentsOf({ payments }: Tables, businessId: string, budgetId: string): readonly Payment[] {
  return payments.find(businessId, budgetId) ?? [];
}

function newestFirst(a: Payment, b: Payment): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
