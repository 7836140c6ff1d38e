import { asInteger, asPayment, idToFind, idToWrite, PAYMENT_COLUMNS, type PaymentStore } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { budgetReplacer } from "./budgets.js";
import type { BudgetsAndNames } from "./cached-budgets.js";

const COLUMNS = PAYMENT_COLUMNS.join(", ");

export function sqlitePayments(connection: Connection, cached: BudgetsAndNames): PaymentStore {
  const insert = connection.command(`INSERT INTO budgetkit_payments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const find = connection.row(
    `SELECT ${COLUMNS} FROM budgetkit_payments WHERE business_id = ? AND budget_id = ? AND reference = ?`,
  );
  const count = connection.value("SELECT count(*) FROM budgetkit_payments WHERE business_id = ? AND budget_id = ?");
  const list = connection.rows(
    `SELECT ${COLUMNS} FROM budgetkit_payments WHERE business_id = ? AND budget_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const prepareReplacement = budgetReplacer(connection, cached);

  return {
    recordPayment: async (payment, budget, expectedVersion, events, record) => {
      const business = idToFind(payment.businessId);
      const budgetId = idToFind(payment.budgetId);
      const { reference, amount, currency, paidAt, createdAt, createdBy } = payment;
      const id = idToWrite(payment.id);
      const replaceBudget = prepareReplacement(budget, expectedVersion, events, record);
      return connection.write(() => {
        if (find(business, budgetId, reference) !== null) return "taken";
        const outcome = replaceBudget();
        if (typeof outcome === "object") throw new TypeError("a payment numbers no budget");
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
