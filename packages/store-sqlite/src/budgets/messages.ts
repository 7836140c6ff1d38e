import type { BudgetMessage, MessageStore } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";

const OF_BUDGET = "budgetkit_messages WHERE business_id = ? AND budget_id = ?";

export function sqliteMessages(connection: Connection): MessageStore {
  const list = pageReader(connection, { columns: "document", from: OF_BUDGET }, ([document]) =>
    asDocument<BudgetMessage>(document),
  );
  return {
    listMessages: (businessId, budgetId, limit, offset) =>
      list([idToFind(businessId), idToFind(budgetId)], limit, offset),
  };
}

export function messageWrites(connection: Connection): Pick<WriteHandlers, "message"> {
  const insert = connection.command(
    "INSERT INTO budgetkit_messages (business_id, budget_id, id, created_at, document) VALUES (?, ?, ?, ?, ?)",
  );
  return {
    message: ({ message }) => {
      const { businessId, budgetId, id, sentAt } = message;
      const document = JSON.stringify(message);
      const row = [idToFind(businessId), idToFind(budgetId), idToWrite(id), sentAt, document] as const;
      const added = { documentBytes: Buffer.byteLength(document) };
      return () => ({ added, apply: () => void insert(...row) });
    },
  };
}

export function messageConditions(connection: Connection): Pick<ConditionHandlers, "messages-below"> {
  const count = connection.value(`SELECT count(*) FROM ${OF_BUDGET}`);
  return {
    "messages-below": ({ budgetId, limit }, businessId) =>
      asInteger(count(idToFind(businessId), idToFind(budgetId))) < limit ? null : "message-limit",
  };
}
