import type { Instant } from "../kernel/clock.js";

/** A message about a budget, from the business or its customer. Messages never change, and leave the budget as it is. */
export interface BudgetMessage {
  readonly businessId: string;
  readonly budgetId: string;
  readonly id: string;
  readonly message: string; // plain text
  readonly by: string; // an actor's label: a customer's is from the link, any other from the business
  readonly sentAt: Instant;
}

/** Characters of one message. */
export const MAX_MESSAGE = 2_000;

/** Messages of one budget. */
export const MAX_MESSAGES = 500;

/** Messages of one budget beyond which only the business writes. */
export const MAX_MESSAGES_OF_CUSTOMER = 400;
