import type { Payment, PaymentStore } from "@budgetkit/core/store";
import { replacementArgument } from "./budgets.js";
import { pageAndTotal } from "./conditions.js";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite, textToFind } from "./ids.js";
import { asInteger, asOneOf, asText, type Row } from "./rows.js";

const COLUMNS = [
  "business_id",
  "budget_id",
  "reference",
  "id",
  "amount",
  "currency",
  "paid_at",
  "created_at",
  "created_by",
];
const OF_BUDGET = "FROM @payments WHERE business_id = $1 AND budget_id = $2";

export function postgresPayments(connection: Connection): PaymentStore {
  const find = connection.row(`SELECT ${COLUMNS.join(", ")} ${OF_BUDGET} AND reference = $3`);
  const count = connection.value(`SELECT count(*) ${OF_BUDGET}`);

  return {
    recordPayment: async (payment, budget, expectedVersion, events, receipt) => {
      const argument = replacementArgument(budget, expectedVersion, events, receipt);
      const row = { ...paymentRow(payment), id: idToWrite(payment.id) };
      const answer = await connection.commit("record_payment", row.business_id, { ...argument, payment: row });
      return asOneOf(["written", "stale", "receipt-lost", "taken"], answer);
    },

    findPayment: async (businessId, budgetId, reference) => {
      const row = await find(idToFind(businessId), idToFind(budgetId), textToFind(reference));
      return row === null ? null : asPayment(row);
    },

    countPayments: async (businessId, budgetId) => asInteger(await count(idToFind(businessId), idToFind(budgetId))),

    listPayments: async (businessId, budgetId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n ${OF_BUDGET}`,
        page: `SELECT ${COLUMNS.join(", ")} ${OF_BUDGET} ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: COLUMNS,
        values: [idToFind(businessId), idToFind(budgetId)],
        limit,
        offset,
      });
      return { entries: rows.map(asPayment), total, nextCursor: null };
    },
  };
}

function paymentRow({ businessId, budgetId, id, reference, amount, currency, paidAt, createdAt, createdBy }: Payment) {
  return {
    business_id: idToFind(businessId),
    budget_id: idToFind(budgetId),
    reference,
    id: idToFind(id),
    amount,
    currency,
    paid_at: paidAt,
    created_at: createdAt,
    created_by: createdBy,
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
