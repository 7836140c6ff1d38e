import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { emailAddress } from "../../kernel/fields.js";
import { type PageRequest, paginationOf } from "../../kernel/page.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import { keepsChanging } from "../../kernel/retry-on-conflict.js";
import { type LimitRefusal, refusalOf } from "../../limits/rate-limiter.js";
import type { Budget } from "../budget.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { updated } from "../budget-event.js";
import { changeBudget, type Decision } from "../lifecycle/change-budget.js";
import { findBudget } from "../lifecycle/find-budget.js";
import { decideMove, submitBudget } from "../lifecycle/move-budget.js";
import { MAIL_LANGUAGES, type Mail, type MailList, type MailView, mailViewOf } from "../mail.js";
import { businessWindows, chargeBusiness, chargeRecipient, RECIPIENT_WINDOWS } from "../notices/recipient-limit.js";
import { mintPublicToken } from "../offer/public-token.js";
import { customersOf } from "../references/summaries.js";
import { linkOf, sealToken } from "../sharing/manage-link.js";

/** A text above the button of a mail. */
export const mailMessage = z.string().trim().min(1).max(5_000);

export const sendBudgetSchema = z
  .object({
    /** The recipient. Default: the customer's email. */
    to: emailAddress.nullish().describe("The recipient. Default: the customer's email."),
    /** A text above the button. */
    message: mailMessage.nullish().describe("A text above the button."),
    /** The language. Default: that of the business. */
    lang: z.enum(MAIL_LANGUAGES).nullish().describe("The language of the mail. Default: that of the business."),
  })
  .meta({ id: "SendBudget" });
/** The recipient, the text and the language of a mail. */
export interface SendBudget extends z.input<typeof sendBudgetSchema> {}
export type SendBudgetInput = z.output<typeof sendBudgetSchema>;

export interface SendDecision extends Decision {
  readonly mail: Mail;
}

/**
 * Queues a mail with the link of a budget. A draft becomes pending by a commit of its own, which numbers it; a budget
 * without a link gets one in the commit that queues the mail.
 * Errors: those of changeBudget; not-implemented without a mailer; INVALID_TRANSITION unless DRAFT or PENDING;
 * VALIDITY_IN_THE_PAST; NO_RECIPIENT; PUBLIC_LINK_UNREADABLE; rate-limited.
 */
export async function sendBudget(
  context: BudgetContext,
  actor: Actor,
  budgetId: string,
  input: SendBudgetInput,
  options: WriteOptions = {},
): Promise<Result<MailView, Problem>> {
  const { mailing } = context;
  if (mailing === null) return (await findBudget(context, actor.businessId, budgetId)).andThen(() => err(noMailer));
  const now = options.now ?? context.clock.now();
  const id = await context.ids.next(actor.businessId);
  const drafted = await submitDraft(context, actor, budgetId, input, { ...options, now });
  if (drafted.isErr()) return err(drafted.error);
  let isCharged = drafted.value;
  const undrawable = await mailing.undrawableIn(context, actor, budgetId, input.lang ?? null);
  const own = isCharged ? { ...options, expectedVersion: null } : options;
  const sent = await changeBudget<MailView, SendDecision>(
    context,
    actor,
    budgetId,
    { ...own, now },
    {
      decide: async (current) => {
        const open = openLink(context, current, now);
        if (open.isErr()) return err(open.error);
        const to = input.to ?? (await emailOf(context, current));
        if (to === null) return err(noRecipient);
        const refusal = isCharged ? null : await chargeMail(context, actor.businessId, to, now);
        if (refusal !== null) return err(refusal);
        isCharged = true;
        return ok({ ...open.value, mail: newMail({ ...input, to }, actor, open.value.budget, id, now) });
      },
      present: (_budget, _summaries, _actor, { mail }) => ({
        ...mailViewOf(mail),
        ...(undrawable.length === 0 ? {} : { undrawable: [...undrawable] }),
      }),
    },
  );
  if (sent.isOk()) mailing.wake();
  return sent;
}

/** Submits a draft whose mail nothing refuses. True = it was one, and its mail is charged. */
async function submitDraft(
  context: BudgetContext,
  actor: Actor,
  budgetId: string,
  input: SendBudgetInput,
  { now, expectedVersion }: WriteOptions & { readonly now: Instant },
): Promise<Result<boolean, Problem>> {
  const draft = await context.store.findBudget(actor.businessId, budgetId);
  if (draft === null || draft.deletion !== null || draft.status !== "DRAFT") return ok(false);
  const to = input.to ?? (await emailOf(context, draft));
  if (to === null) return err(noRecipient);
  const refusal = await chargeMail(context, actor.businessId, to, now);
  if (refusal !== null) return err(refusal);
  const options = { now, expectedVersion: expectedVersion ?? null };
  return (await submitBudget(context, actor, budgetId, options)).map(() => true);
}

/** The budget as the customer can open it: with a link that can be read. Errors: INVALID_TRANSITION unless PENDING. */
export function openLink(context: BudgetContext, current: Budget, now: Instant): Result<Decision, Problem> {
  if (current.status !== "PENDING") {
    const moved = decideMove(current, "PENDING", "submit", now, { fields: ["status"], reason: null });
    return moved.andThen(() => err(keepsChanging("budget", current.id)));
  }
  if (current.publicTokenHash !== null) {
    return linkOf(context, current).map(() => ({ budget: current, events: [], leavesBudget: true }));
  }
  const { token, hash } = mintPublicToken(context.random);
  return ok({
    budget: { ...current, publicTokenHash: hash, sealedPublicToken: sealToken(context, current, token) },
    events: [updated(current.status, ["publicLink"])],
  });
}

/** The customer's address; null = none, or none that is an address. */
export async function emailOf(context: BudgetContext, budget: Budget): Promise<string | null> {
  const { customers } = await customersOf(context, budget.businessId, [budget]);
  const parsed = emailAddress.safeParse(customers.get(budget.customerId)?.email);
  return parsed.success ? parsed.data : null;
}

/** A mail that waits to be sent. */
export function newMail(
  { to, lang, message }: SendBudgetInput & { readonly to: string },
  actor: Actor,
  { businessId, id: budgetId, publicTokenHash: linkHash }: Pick<Budget, "businessId" | "id" | "publicTokenHash">,
  id: string,
  now: Instant,
): Mail {
  return {
    businessId,
    budgetId,
    id,
    kind: "budget",
    status: "queued",
    to,
    lang: lang ?? null,
    message: message ?? null,
    ...(linkHash === null ? {} : { linkHash }),
    attempts: 0,
    dueAt: now,
    createdAt: now,
    createdBy: actorLabel(actor),
    sentAt: null,
    error: null,
  };
}

/** A leaked key must not become a source of spam. */
export async function chargeMail(
  context: BudgetContext,
  businessId: string,
  to: string,
  now: Instant,
): Promise<Problem | null> {
  const { mailing } = context;
  if (mailing === null) return noMailer;
  const charged = await chargeBusiness(context, businessId, now);
  const refusal = charged === null ? null : refusalOf(charged, businessWindows(mailing.perHour), now);
  if (refusal !== null) return tooManyMails(`A business sends at most ${refusal.limit} mails an hour.`, refusal);
  const admission = await chargeRecipient(context, businessId, to, now);
  const full = admission === null ? null : refusalOf(admission, RECIPIENT_WINDOWS, now);
  return full === null
    ? null
    : tooManyMails(`A business sends at most ${full.limit} mails a day to one address.`, full);
}

function tooManyMails(message: string, { limit, resetAt: resetAtMs }: LimitRefusal): Problem {
  return { kind: "rate-limited", message, limit, remaining: 0, resetAtMs };
}

export const noMailer: Problem = {
  kind: "not-implemented",
  message:
    "This service was set up without a mailer for budgets: its option `mailer`, or SMTP_URL of the standalone server.",
};

const noRecipient = brokenRule("NO_RECIPIENT", "The customer has no email: name the recipient in `to`.", {
  field: "to",
});

/** The mails of a budget, newest first, and whether its customer wants no reminders. Errors: those of findBudget. */
export async function listMails(
  context: BudgetContext,
  { businessId }: Actor,
  budgetId: string,
  request: PageRequest,
): Promise<Result<MailList, Problem>> {
  const budget = await findBudget(context, businessId, budgetId);
  if (budget.isErr()) return err(budget.error);
  const page = await context.store.listMails(businessId, budgetId, request.limit, (request.page - 1) * request.limit);
  const since = await context.store.findReminderOptOut(businessId, budget.value.customerId);
  const off = since === null ? {} : { remindersOffSince: toTimestamp(since) };
  return ok({ data: page.entries.map(mailViewOf), pagination: paginationOf(request, page), ...off });
}
