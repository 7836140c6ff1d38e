import type { Payment, PaymentStore } from "@budgetkit/core/store";
import { budgetReplacer } from "./budgets.js";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { asInteger, asText, type Row } from "./rows.js";

const COLUMNS = "business_id, budget_id, reference, id, amount, currency, paid_at, created_at, created_by";

export function sqlitePayments(connection: Connection): PaymentStore {
  const insert = connection.command(`INSERT INTO budgetkit_payments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const find = connection.row(
    `SELECT ${COLUMNS} FROM budgetkit_payments WHERE business_id = ? AND budget_id = ? AND reference = ?`,
  );
  const count = connection.value("SELECT count(*) FROM budgetkit_payments WHERE business_id = ? AND budget_id = ?");
  const list = connection.rows(
    `SELECT ${COLUMNS} FROM budgetkit_payments WHERE business_id = ? AND budget_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const prepareReplacement = budgetReplacer(connection);

  return {
    recordPayment: async (payment, budget, expectedVersion, events, receipt) => {
      const business = idToFind(payment.businessId);
      const budgetId = idToFind(payment.budgetId);
      const { reference, amount, currency, paidAt, createdAt, createdBy } = payment;
      const id = idToWrite(payment.id);
      const replaceBudget = prepareReplacement(budget, expectedVersion, events, receipt);
      return connection.write(() => {
        if (find(business, budgetId, reference) !== null) return "taken";
        const outcome = replaceBudget();
        if (outcome !== "written") return outcome;
        insert(business, budgetId, reference, id, amount, currency, paidAt, createdAt, createdBy);
        return "written";
      });
    },

    findPayment: (businessId, budgetId, reference) =>
      connection.read(() => {
        const row = find(idToFind(businessId), idToFind(budgetId), reference);
        return row === null ? null : asPayment(row);
      }),

    countPayments: (businessId, budgetId) =>
      connection.read(() => asInteger(count(idToFind(businessId), idToFind(budgetId)))),

    listPayments: (businessId, budgetId, limit, offset) =>
      connection.snapshot(() => {
        const key = [idToFind(businessId), idToFind(budgetId)];
        const entries = list(...key, limit, offset).map(asPayment);
        return { entries, total: asInteger(count(...key)), nextCursor: null };
      }),
  };
}

function asPayment([business, budget, reference, id, amount, currency, paidAt, createdAt, createdBy]: Row): Payment {
  return {
    businessId: String(asInteger(business)),
    budgetId: String(asInteger(budget)),
    reference: asText(reference),
    id: String(asInteger(id)),
    amount: asInteger(amount),
    currency: asText(currency),
    paidAt: asInteger(paidAt),
    createdAt: asInteger(createdAt),
    createdBy: asText(createdBy),
  };
}
