import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { Budget } from "./budget.js";
import type { BudgetMessage } from "./message.js";
import type { MessageStore } from "./message-store.js";

/** One entry of the conversation about a budget. */
export interface ThreadEntry {
  readonly id: string;
  readonly kind: "message" | "changeRequest";
  readonly message: string;
  readonly by: string; // an actor's label
  readonly sentAt: Instant;
}

/**
 * A part of the conversation about a budget, newest first: its messages and its requests for changes. The budget holds at
 * most a few requests, so the part needs only messages whose place is that much before it.
 */
export async function readThread(
  store: MessageStore,
  budget: Budget,
  limit: number,
  offset: number,
): Promise<Page<ThreadEntry>> {
  const requests = budget.changeRequests?.length ?? 0;
  const skipped = Math.max(0, offset - requests);
  const found = await store.listMessages(budget.businessId, budget.id, offset + limit - skipped, skipped);
  const entries = threadOf(budget, found.entries).slice(offset - skipped, offset - skipped + limit);
  return { entries, total: found.total + requests, nextCursor: null };
}

/** The messages, which are newest first, with the requests of the budget. Of one moment, messages are the newer ones. */
export function threadOf({ changeRequests = [] }: Budget, messages: readonly BudgetMessage[]): ThreadEntry[] {
  const requests = changeRequests.map(entryOfRequest).reverse();
  return [...messages.map(entryOf), ...requests].sort((a, b) => b.sentAt - a.sentAt); // stable
}

function entryOf({ id, message, by, sentAt }: BudgetMessage): ThreadEntry {
  return { id, kind: "message", message, by, sentAt };
}

/** Requests have no ids: their places in the budget never change. */
function entryOfRequest(
  { message, by, at }: NonNullable<Budget["changeRequests"]>[number],
  index: number,
): ThreadEntry {
  return { id: `change-${index + 1}`, kind: "changeRequest", message, by, sentAt: at };
}
