import type { BudgetMessage, Change, MessageStore } from "@budgetkit/core/store";
import { bytesOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import type { ConditionOf } from "./write-of.js";

export function memoryMessages(open: OpenTables): MessageStore {
  return {
    listMessages: async (businessId, budgetId, limit, offset) => {
      const found = messagesOf(open(), businessId, budgetId).sort(newestFirst);
      return { entries: found.slice(offset, offset + limit), total: found.length, nextCursor: null };
    },
  };
}

export function messageChange({ messages }: Tables, message: BudgetMessage): Change {
  const { businessId, id } = message;
  messages.assertFree(businessId, id);
  return {
    added: { documentBytes: bytesOf(message) },
    apply: () => messages.save(businessId, id, message),
  };
}

export function hasMessagesBelow(
  tables: Tables,
  businessId: string,
  { budgetId, limit }: ConditionOf<"messages-below">,
): boolean {
  return messagesOf(tables, businessId, budgetId).length < limit;
}

function messagesOf({ messages }: Tables, businessId: string, budgetId: string): BudgetMessage[] {
  return messages.of(businessId).filter((message) => message.budgetId === budgetId);
}

function newestFirst(a: BudgetMessage, b: BudgetMessage): number {
  return b.sentAt - a.sentAt || Number(b.id) - Number(a.id);
}
