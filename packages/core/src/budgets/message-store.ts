import type { Page } from "../kernel/page.js";
import type { BudgetMessage } from "./message.js";

/** The port of messages: their reads. A message never changes. */
export interface MessageStore {
  /** The messages of a budget, newest first; at the same time the higher id, as an integer, first. */
  listMessages(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<BudgetMessage>>;
}
