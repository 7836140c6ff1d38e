import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import { HOUR_MS, type Instant, MINUTE_MS, toTimestamp } from "../../kernel/clock.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { type BudgetResults, budgetIds, forEachBudget } from "../each-budget.js";
import { changeBudget } from "../lifecycle/change-budget.js";
import { hasLinkOf, MAILS_READ, type Mail } from "../mail.js";
import { isUnanswered, wantsReminders } from "./queue-reminders.js";
import { chargeMail, emailOf, mailMessage, noMailer, openLink, type SendDecision } from "./send-budget.js";

export const remindBudgetsSchema = z
  .object({
    /** Ids of 1 to 100 budgets, each once. */
    budgetIds,
    /** A text above the button of each mail. */
    message: mailMessage.nullish().describe("A text above the button of each mail."),
  })
  .meta({ id: "RemindBudgets" });
/** The budgets to remind of, and the text of the mails. */
export interface RemindBudgets extends z.input<typeof remindBudgetsSchema> {}
export type RemindBudgetsInput = z.output<typeof remindBudgetsSchema>;

/** No customer gets a reminder by hand so soon after another one of the same budget. */
const PAUSE_MS = 20 * HOUR_MS;
/** Of two requests at once, one finds no mail of the other: this lets one of them pass. */
const AT_ONCE = [{ lengthMs: MINUTE_MS, limit: 1 }];

/**
 * Queues a reminder of each pending budget, to the recipient of its last mail, else to its customer. A budget without a
 * link gets one.
 * Errors: not-implemented without a mailer; a conflict when the claim of the key is lost. Of a budget: not-found,
 * NOT_REMINDABLE, REMINDERS_OFF, REMINDED_RECENTLY, NO_RECIPIENT, PUBLIC_LINK_UNREADABLE, rate-limited and those of
 * changeBudget.
 */
export async function remindBudgets(
  context: BudgetContext,
  actor: Actor,
  { budgetIds, message = null }: RemindBudgetsInput,
  options: Omit<WriteOptions, "expectedVersion"> = {},
): Promise<Result<BudgetResults, Problem>> {
  const { mailing } = context;
  if (mailing === null) return err(noMailer);
  const now = options.now ?? context.clock.now();
  const reminded = await forEachBudget(context, actor, budgetIds, options, (id) =>
    remindBudget(context, actor, id, message, now),
  );
  mailing.wake();
  return reminded;
}

async function remindBudget(
  context: BudgetContext,
  actor: Actor,
  budgetId: string,
  message: string | null,
  now: Instant,
): Promise<Result<null, Problem>> {
  const id = await context.ids.next(actor.businessId);
  let isCharged = false;
  return changeBudget<null, SendDecision>(
    context,
    actor,
    budgetId,
    { now },
    {
      decide: async (current) => {
        const { entries } = await context.store.listMails(actor.businessId, budgetId, MAILS_READ, 0);
        const sent = entries.filter(({ status }) => status === "sent" || status === "queued");
        const refusal = await refuseReminder(context, current, sent, now);
        if (refusal !== null) return err(refusal);
        const recipient = await recipientOf(context, current, sent);
        if (recipient === null) return err(noRecipient);
        const open = openLink(context, current, now);
        if (open.isErr()) return err(open.error);
        const full = isCharged ? null : await chargeReminder(context, current, recipient.to, now);
        if (full !== null) return err(full);
        isCharged = true;
        return ok({ ...open.value, mail: newReminder(open.value.budget, actor, { ...recipient, id, message }, now) });
      },
      present: () => null,
    },
  );
}

/** Null = its customer may be reminded of it now. */
async function refuseReminder(
  context: BudgetContext,
  budget: Budget,
  sent: readonly Mail[],
  now: Instant,
): Promise<Problem | null> {
  if (!isUnanswered(budget)) return notRemindable(budget);
  if (!(await wantsReminders(context, budget))) return remindersOff;
  const last = sent.find(({ kind }) => kind === "reminder");
  return last !== undefined && last.createdAt > now - PAUSE_MS ? remindedRecently(last.createdAt) : null;
}

type Recipient = Pick<Mail, "to" | "lang">;

/** Not the recipient of a link that was replaced since: possibly that person should not have the new one. */
async function recipientOf(context: BudgetContext, budget: Budget, sent: readonly Mail[]): Promise<Recipient | null> {
  const last = sent.find((mail) => mail.kind === "budget" && hasLinkOf(mail, budget));
  if (last !== undefined) return { to: last.to, lang: last.lang };
  const to = await emailOf(context, budget);
  return to === null ? null : { to, lang: null };
}

async function chargeReminder(
  context: BudgetContext,
  { businessId, id }: Budget,
  to: string,
  now: Instant,
): Promise<Problem | null> {
  const admission = await context.mailing?.limits.consume(`reminders:${businessId}:${id}`, AT_ONCE, now);
  if (admission !== undefined && admission.refusal !== null) return remindedRecently(now);
  return chargeMail(context, businessId, to, now);
}

function newReminder(
  { businessId, id: budgetId, publicTokenHash }: Budget,
  actor: Actor,
  given: Recipient & Pick<Mail, "id" | "message">,
  now: Instant,
): Mail {
  return {
    ...given,
    businessId,
    budgetId,
    kind: "reminder",
    status: "queued",
    ...(publicTokenHash === null ? {} : { linkHash: publicTokenHash }),
    attempts: 0,
    dueAt: now,
    createdAt: now,
    createdBy: actorLabel(actor),
    sentAt: null,
    error: null,
  };
}

function notRemindable({ status, acceptance }: Budget): Problem {
  const why = acceptance === null ? `is ${status}` : "was accepted";
  const message = `Only a budget that waits for an answer has reminders; this one ${why}.`;
  return brokenRule("NOT_REMINDABLE", message, { status });
}

const remindersOff = brokenRule("REMINDERS_OFF", "The customer has ended the reminders of this business.");

function remindedRecently(at: Instant): Problem {
  const message = `The customer got a reminder less than 20 hours ago. The next one is possible at ${toTimestamp(at + PAUSE_MS)}.`;
  return brokenRule("REMINDED_RECENTLY", message, { nextAt: toTimestamp(at + PAUSE_MS) });
}

const noRecipient = brokenRule("NO_RECIPIENT", "The customer has no email, and the budget was mailed to no one.");
