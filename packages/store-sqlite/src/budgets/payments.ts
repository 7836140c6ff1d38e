import { type PaymentStore, uncounted } from "@budgetkit/core/store";
import { asInteger, asPayment, idToFind, idToWrite, orNull, PAYMENT_COLUMNS } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";

const COLUMNS = PAYMENT_COLUMNS.join(", ");
const OF_BUDGET = "budgetkit_payments WHERE business_id = ? AND budget_id = ?";

export function sqlitePayments(connection: Connection): PaymentStore {
  const find = connection.row(
    `SELECT ${COLUMNS} FROM budgetkit_payments WHERE business_id = ? AND budget_id = ? AND reference = ?`,
  );
  const count = connection.value(`SELECT count(*) FROM ${OF_BUDGET}`);
  const list = pageReader(connection, { columns: COLUMNS, from: OF_BUDGET }, asPayment);

  return {
    findPayment: (businessId, budgetId, reference) =>
      connection.read(() => orNull(find(idToFind(businessId), idToFind(budgetId), reference), asPayment)),

    countPayments: (businessId, budgetId) =>
      connection.read(() => asInteger(count(idToFind(businessId), idToFind(budgetId)))),

    listPayments: (businessId, budgetId, limit, offset) =>
      list([idToFind(businessId), idToFind(budgetId)], limit, offset),
  };
}

export function paymentWrites(connection: Connection): Pick<WriteHandlers, "payment"> {
  const isTaken = connection.exists(
    "SELECT 1 FROM budgetkit_payments WHERE business_id = ? AND budget_id = ? AND reference = ?",
  );
  const insert = connection.command(`INSERT INTO budgetkit_payments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);

  return {
    payment: ({ payment }) => {
      const { reference, amount, currency, paidAt, createdAt, createdBy } = payment;
      const key = [idToFind(payment.businessId), idToFind(payment.budgetId), reference] as const;
      const row = [...key, idToWrite(payment.id), amount, currency, paidAt, createdAt, createdBy] as const;
      return () => (isTaken(...key) ? { taken: "reference", value: reference } : uncounted(() => void insert(...row)));
    },
  };
}
