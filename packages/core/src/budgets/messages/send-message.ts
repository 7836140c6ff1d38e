import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../../commit/match-committed.js";
import { claimLost } from "../../idempotency/write-options.js";
import { type Actor, actorLabel, type Origin } from "../../kernel/actor.js";
import { at } from "../../kernel/arrays.js";
import { HOUR_MS, type Instant, MINUTE_MS } from "../../kernel/clock.js";
import { SIZES } from "../../kernel/fields.js";
import { brokenRule, notFound, type Problem, TOO_MANY_REQUESTS } from "../../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../../kernel/retry-on-conflict.js";
import type { RateLimitStore } from "../../limits/rate-limit-store.js";
import { refusalOf } from "../../limits/rate-limiter.js";
import { quotaExceeded } from "../../limits/storage-quota.js";
import type { Budget } from "../budget.js";
import { sendMessageCommit } from "../budget-commits.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { budgetEventOf } from "../budget-event.js";
import { findBudget } from "../lifecycle/find-budget.js";
import { type BudgetMessage, MAX_MESSAGE, MAX_MESSAGES, MAX_MESSAGES_OF_CUSTOMER } from "../message.js";
import { type MessageView, messageViewOf, type PublicMessageView } from "../message-view.js";
import { commitTelling, mailsOf, type QueuedMail } from "../notices/notices.js";
import { findByToken } from "../offer/public-token.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";

const message = z.string().trim().min(1).max(MAX_MESSAGE).describe("Plain text.");

export const sendMessageSchema = z
  .object({
    /** Plain text. */
    message,
  })
  .meta({ id: "SendMessage" });
/** A message of the business to the customer of a budget. */
export interface SendMessage extends z.input<typeof sendMessageSchema> {}
export type SendMessageInput = z.output<typeof sendMessageSchema>;

export const sendLinkMessageSchema = z
  .object({
    /** Who writes. */
    name: z.string().trim().min(1).max(SIZES.name).describe("Who writes."),
    /** Plain text. */
    message,
  })
  .meta({ id: "SendPublicMessage" });
export type SendLinkMessageInput = z.output<typeof sendLinkMessageSchema>;

/**
 * Sends a message of the business. It changes neither the budget nor its version, so an offer that was shown stays valid.
 * Errors: those of findBudget; TOO_MANY_MESSAGES; QUOTA_EXCEEDED; a conflict when the claim of the key is lost.
 */
export async function sendMessage(
  context: BudgetContext,
  actor: Actor,
  budgetId: string,
  input: SendMessageInput,
  options: WriteOptions = {},
): Promise<Result<MessageView, Problem>> {
  const budget = await findBudget(context, actor.businessId, budgetId);
  if (budget.isErr()) return err(budget.error);
  return commitMessage(context, actor, budget.value, input.message, MAX_MESSAGES, options);
}

/** Where a message of a customer came from. */
interface LinkSender {
  readonly origin?: Origin;
  readonly limits?: RateLimitStore; // absent = unlimited, for calls in process
}

/**
 * Sends a message of the customer. Its bytes count for the quota of the business, which does not refuse it.
 * Errors: not-found, as for the page of the link; rate-limited; TOO_MANY_MESSAGES.
 */
export async function sendLinkMessage(
  context: BudgetContext,
  token: string,
  { name, message }: SendLinkMessageInput,
  now: Instant = context.clock.now(),
  { origin, limits }: LinkSender = {},
): Promise<Result<PublicMessageView, Problem>> {
  const budget = await findByToken(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const refusal = limits === undefined ? null : await charge(limits, budget, now);
  if (refusal !== null) return err(refusal);
  const { businessId } = budget;
  const actor: Actor = { kind: "customer", businessId, name, ...(origin === undefined ? {} : { origin }) };
  const sent = await commitMessage(context, actor, budget, message, MAX_MESSAGES_OF_CUSTOMER, { now });
  return sent.map(({ budgetId: _budget, sentBy: _label, ...shown }) => shown);
}

const OF_LINK = [{ lengthMs: HOUR_MS, limit: 30 }];
const OF_BUSINESS = [{ lengthMs: HOUR_MS, limit: 1_000 }];

/** What one link is refused does not count for its business, so that one link cannot fill the share of all others alone. */
async function charge(limits: RateLimitStore, { businessId, id }: Budget, now: Instant): Promise<Problem | null> {
  const shares = [
    { subject: `messages:link:${businessId}:${id}`, windows: OF_LINK },
    { subject: `messages:business:${businessId}`, windows: OF_BUSINESS },
  ];
  for (const { subject, windows } of shares) {
    const refusal = refusalOf(await limits.consume(subject, windows, now), windows, now);
    if (refusal === null) continue;
    const { limit, resetAt: resetAtMs } = refusal;
    return { kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs };
  }
  return null;
}

/** A message that is sent again so soon is a second click, a form that was sent again or a retry of a program. */
const REPEATED_MS = MINUTE_MS;
/** Messages of a budget, newest first, in which the same one is looked for. */
const RECENT = 20;
/** Messages that others send at the same time. */
const ATTEMPTS = 32;

/** The same message of the same sender within a minute is answered by the first one. */
async function commitMessage(
  context: BudgetContext,
  actor: Actor,
  stored: Budget,
  text: string,
  max: number,
  { now = context.clock.now(), claim }: WriteOptions,
): Promise<Result<MessageView, Problem>> {
  const { store } = context;
  const { businessId } = actor;
  const budget = asOf(stored, now);
  const by = actorLabel(actor);
  let prepared: Promise<PreparedMessage> | null = null;
  const attempt = async () => {
    const { entries, total } = await store.listMessages(businessId, budget.id, RECENT, 0);
    const sent = entries.find((each) => each.by === by && each.message === text && now - each.sentAt < REPEATED_MS);
    if (sent !== undefined) return ok(await viewOf(context, sent));
    if (total >= max) return err(tooMany);
    prepared ??= prepareMessage(context, actor, budget, text, now);
    const { message, view, beside, mails } = await prepared;
    const commit = sendMessageCommit(message, total + 1, beside);
    const committed = await commitTelling(context, commit, mails, { claim, result: view });
    const outcome = matchCommitted(committed, {
      written: () => ok(view),
      "message-limit": () => STALE, // decided again: the same message, the last place, or neither
      "claim-lost": () => err(claimLost),
      "quota-exceeded": async () => err(await quotaExceeded(store, businessId, context.quota, false)),
    });
    return outcome();
  };
  return retryOnConflict(attempt, () => keepsChanging("budget", budget.id), ATTEMPTS);
}

interface PreparedMessage {
  readonly message: BudgetMessage;
  readonly view: MessageView;
  readonly beside: NonNullable<Parameters<typeof sendMessageCommit>[2]>;
  readonly mails: readonly QueuedMail[]; // charged to their recipients, so they are made once
}

async function prepareMessage(
  context: BudgetContext,
  actor: Actor,
  budget: Budget,
  text: string,
  now: Instant,
): Promise<PreparedMessage> {
  const { businessId } = actor;
  const [ids, summaries] = await Promise.all([
    context.ids.take(businessId, 2),
    customersOf(context, businessId, [budget]),
  ]);
  const by = actorLabel(actor);
  const message: BudgetMessage = { businessId, budgetId: budget.id, id: at(ids, 0), message: text, by, sentAt: now };
  const view = await viewOf(context, message);
  const { status } = budget;
  const change = { fields: [], from: status, to: status, reason: null };
  const draft = { type: "budget.message_sent", ...change, data: { message: view } } as const;
  const events = [budgetEventOf(draft, at(ids, 1), budget, summaries, actor, now)];
  const quota = actor.kind === "customer" ? null : context.quota;
  const kind = actor.kind === "customer" ? "seller.asked" : "customer.message";
  const mails = await mailsOf(context, budget, actor, [{ kind, message: text }], now);
  return { message, view, beside: { events, quota }, mails };
}

async function viewOf(context: BudgetContext, message: BudgetMessage): Promise<MessageView> {
  const seller = await context.findBusiness(message.businessId);
  return messageViewOf({ ...message, kind: "message" }, message.budgetId, seller?.name ?? null);
}

const tooMany = brokenRule(
  "TOO_MANY_MESSAGES",
  `A budget has at most ${MAX_MESSAGES} messages, and beyond ${MAX_MESSAGES_OF_CUSTOMER} only the business writes. Use another way to get in touch.`,
  { max: MAX_MESSAGES },
);
