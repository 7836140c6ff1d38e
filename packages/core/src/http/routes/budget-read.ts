import type { NamedBudget } from "../../budgets/budget-store.js";
import { isOverdue } from "../../budgets/overdue.js";
import { budgetReadOf } from "../../budgets/reading/read-budgets.js";
import { availableActionsOf } from "../../budgets/transitions.js";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { readTagOf } from "../headers/preconditions.js";
import { JSON_TYPE } from "../render-reply.js";
import type { ContentReply } from "../route.js";

interface KeptReply {
  readonly shown: string; // what a reply depends on beside the budget
  readonly reply: ContentReply;
}

/** The last reply of each budget that a store keeps, as long as it keeps the budget. Others are not frozen. */
const replies = new WeakMap<NamedBudget, KeptReply>();

/** In characters; a longer reply is written each time. */
const LONGEST_KEPT = 8_192;

/**
 * The reply to a read of one budget. To write it takes longer than the rest of a read, so it is written once for an object
 * that the store returns again. Of the time and the caller it depends on the status and the actions alone.
 */
export function budgetReadReply(found: NamedBudget, actor: Actor, now: Instant): ContentReply {
  const status = isOverdue(found.budget, now) ? "EXPIRED" : found.budget.status;
  const shown = `${status} ${availableActionsOf(status, actor).join()}`;
  const known = replies.get(found);
  if (known?.shown === shown) return known.reply;
  const data = budgetReadOf(found, actor, now);
  const body = JSON.stringify({ data });
  const reply = { content: { headers: { "content-type": JSON_TYPE, etag: readTagOf(data.version, body) }, body } };
  if (Object.isFrozen(found) && body.length <= LONGEST_KEPT) replies.set(found, { shown, reply });
  return reply;
}
