import { uncounted } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import type { Statements } from "../engine/statements.js";

export function paymentWrites(statements: Statements): Pick<WriteHandlers, "payment"> {
  const isTaken = statements.exists(
    "SELECT FROM @payments WHERE business_id = $1 AND budget_id = $2 AND reference = $3",
  );
  const insert = statements.insert("@payments", {
    budget_id: "bigint",
    reference: "text",
    id: "bigint",
    amount: "bigint",
    currency: "text",
    paid_at: "bigint",
    created_at: "bigint",
    created_by: "text",
  });

  return {
    payment: ({ payment }) => {
      const { reference, amount, currency, paidAt, createdAt, createdBy } = payment;
      const budget = idToFind(payment.budgetId);
      const row = [budget, reference, idToWrite(payment.id), amount, currency, paidAt, createdAt, createdBy] as const;
      return async (open) =>
        (await isTaken(open, budget, reference))
          ? { taken: "reference", value: reference }
          : uncounted(() => insert(open, ...row));
    },
  };
}
