import type { NamedBudget } from "../../budgets/budget-store.js";
import { isOverdue } from "../../budgets/overdue.js";
import { budgetReadOf } from "../../budgets/reading/read-budgets.js";
import { availableActionsOf } from "../../budgets/transitions.js";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { readTagOf } from "../headers/preconditions.js";
import { JSON_TYPE } from "../render-reply.js";
import type { ContentReply } from "../route.js";

/** The replies to reads of budgets that a store keeps, for as long as it keeps them. */
const written = new WeakMap<NamedBudget, Map<string, ContentReply>>();

/**
 * The reply to a read of one budget. Writing it takes longer than everything else about a read, so it is written once for
 * each object that the store returns again. Of the time and the caller it depends on the status and the actions alone.
 */
export function budgetReadReply(found: NamedBudget, actor: Actor, now: Instant): ContentReply {
  if (!Object.isFrozen(found)) return writeReply(found, actor, now);
  const replies = written.get(found) ?? new Map<string, ContentReply>();
  const status = isOverdue(found.budget, now) ? "EXPIRED" : found.budget.status;
  const shown = `${status} ${availableActionsOf(status, actor).join()}`;
  const reply = replies.get(shown) ?? writeReply(found, actor, now);
  written.set(found, replies.set(shown, reply));
  return reply;
}

function writeReply(found: NamedBudget, actor: Actor, now: Instant): ContentReply {
  const data = budgetReadOf(found, actor, now);
  const text = JSON.stringify({ data });
  return { content: { headers: { "content-type": JSON_TYPE, etag: readTagOf(data.version, text) }, body: text } };
}
