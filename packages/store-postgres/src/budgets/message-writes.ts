import { asInteger, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Statements } from "../engine/statements.js";

export function messageWrites(statements: Statements): Pick<WriteHandlers, "message"> {
  const insert = statements.insert("@messages", {
    budget_id: "bigint",
    id: "bigint",
    created_at: "bigint",
    document: "text",
  });
  return {
    message: ({ message }) => {
      const { budgetId, id, sentAt } = message;
      const document = JSON.stringify(message);
      const row = [idToFind(budgetId), idToWrite(id), sentAt, document] as const;
      const added = { documentBytes: Buffer.byteLength(document) };
      return async (open) => ({ added, apply: () => insert(open, ...row) });
    },
  };
}

export function messageConditions(statements: Statements): Pick<ConditionHandlers, "messages-below"> {
  const count = statements.value("SELECT count(*) FROM @messages WHERE business_id = $1 AND budget_id = $2");
  return {
    "messages-below":
      ({ budgetId, limit }) =>
      async (open) =>
        asInteger(await count(open, idToFind(budgetId))) < limit ? null : "message-limit",
  };
}
