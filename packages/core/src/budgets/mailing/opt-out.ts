import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../../commit/match-committed.js";
import { makeAuditEntry } from "../../events/audit-entry.js";
import type { Actor } from "../../kernel/actor.js";
import { HOUR_MS, type Instant } from "../../kernel/clock.js";
import { notFound, type Problem, TOO_MANY_REQUESTS } from "../../kernel/problem.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { RateLimitStore } from "../../limits/rate-limit-store.js";
import { refusalOf } from "../../limits/rate-limiter.js";
import type { Budget } from "../budget.js";
import { reminderOptOutCommit } from "../budget-commits.js";
import type { BudgetContext } from "../budget-context.js";
import { publicTokenHash } from "../offer/public-token.js";

export const remindersViewSchema = z
  .object({
    /** True: the customer gets no reminders of this business. */
    remindersOff: z.boolean().describe("True: the customer gets no reminders of this business."),
    /** True: this link, of a mail, can let them come again. */
    resumable: z
      .boolean()
      .describe(
        "True: this link, with its `mail`, lets them come again: of the mail by which they were ended, or of a mail to the customer after an end by the link alone.",
      ),
    /** The name of the business; null = unknown. */
    business: z.string().nullable(),
    /** The language tag of the business; null = not given. */
    locale: z.string().nullable(),
    /** The color of the business; null = not given. */
    accentColor: z.string().nullable(),
  })
  .meta({ id: "Reminders" });
export type RemindersView = z.infer<typeof remindersViewSchema>;

/** What the address in a mail holds: the token of the link, which the business can read, and that of the mail. */
export interface ReminderLink {
  readonly token: string;
  readonly mailToken?: string | null | undefined; // null and absent = the link of the budget alone
}

/** Whether the customer behind a link gets reminders. Errors: not-found for an unknown or replaced token. */
export async function readReminders(
  context: BudgetContext,
  link: ReminderLink,
): Promise<Result<RemindersView, Problem>> {
  const budget = await findMailedBudget(context, link.token);
  return budget === null ? err(notFound("publicLink", "")) : ok(await viewOf(context, budget, link));
}

/**
 * Ends the reminders of the business to the customer behind a link, in the name of the recipient of the mail. The link of
 * the budget alone ends them too: older mails have no other. Writes nothing when that recipient has ended them already.
 * Errors: not-found as above.
 */
export async function stopReminders(
  context: BudgetContext,
  link: ReminderLink,
  now: Instant = context.clock.now(),
): Promise<Result<RemindersView, Problem>> {
  const budget = await findMailedBudget(context, link.token);
  if (budget === null) return err(notFound("publicLink", ""));
  const recipient = recipientOf(context, budget, link);
  if (!(await hasEnded(context, budget, recipient))) {
    await setReminders(context, { budget, link, wish: "off", recipient, now });
  }
  return ok(await viewOf(context, budget, link));
}

/** Whether stopReminders would end reminders: false for an unknown token, and when they have been ended already. */
export async function wouldStopReminders(context: BudgetContext, link: ReminderLink): Promise<boolean> {
  const budget = await findMailedBudget(context, link.token);
  return budget !== null && !(await hasEnded(context, budget, recipientOf(context, budget, link)));
}

/** Each change leaves an entry in the ledger, and everyone who has the link can make one. Ending is never refused. */
const RESUMPTIONS = { lengthMs: HOUR_MS, limit: 10 };

/**
 * Lets the reminders come again that the recipient of the mail has ended, and, for the customer's own address, those that
 * were ended by the link alone. Only a mail holds its token, so the business cannot do it, though it can read the link of
 * the budget and mail itself: what another recipient has ended stays. With `limits`, at most ten times an hour for each
 * customer. Errors: not-found as above; forbidden; a conflict when this mail can resume none; rate-limited.
 */
export async function resumeReminders(
  context: BudgetContext,
  link: ReminderLink,
  limits: RateLimitStore | null = null,
  now: Instant = context.clock.now(),
): Promise<Result<RemindersView, Problem>> {
  const budget = await findMailedBudget(context, link.token);
  if (budget === null) return err(notFound("publicLink", ""));
  if (recipientOf(context, budget, link) === NO_RECIPIENT) return err(notOfMail);
  const ended = await resumableIn(context, budget, link);
  if (ended.length === 0) {
    const view = await viewOf(context, budget, link);
    return view.remindersOff ? err(endedByAnother) : ok(view);
  }
  const subject = `reminders:${budget.businessId}:${budget.customerId}`;
  const refusal =
    limits === null ? null : refusalOf(await limits.consume(subject, [RESUMPTIONS], now), [RESUMPTIONS], now);
  if (refusal !== null) {
    const { limit, resetAt: resetAtMs } = refusal;
    return err({ kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs });
  }
  for (const recipient of ended) await setReminders(context, { budget, link, wish: "on", recipient, now });
  return ok(await viewOf(context, budget, link));
}

const notOfMail: Problem = {
  kind: "forbidden",
  message: "Only the link in the mail by which the reminders were ended lets them come again.",
};

const endedByAnother: Problem = {
  kind: "conflict",
  message: "The reminders stay ended: this mail did not end them, and its recipient cannot let them come again.",
  details: {},
};

/** The token of a mail: names its recipient, and no one but the service can make or read it. */
export function mailTokenOf({ box }: Pick<BudgetContext, "box">, budget: Budget, to: string): string {
  return box.seal(digestOf(to), bindingOf(budget));
}

function digestOf(address: string): string {
  return sha256Hex(address.toLowerCase());
}

const NO_RECIPIENT = "";

/** The digest of the recipient that the token of a mail names. */
function recipientOf({ box }: BudgetContext, budget: Budget, { mailToken }: ReminderLink): string {
  return mailToken == null ? NO_RECIPIENT : (box.open(mailToken, bindingOf(budget)) ?? NO_RECIPIENT);
}

function bindingOf({ businessId, customerId }: Budget): string {
  return `reminders:${businessId}:${customerId}`;
}

async function hasEnded({ store }: BudgetContext, budget: Budget, recipient: string): Promise<boolean> {
  return (await store.findReminderOptOut(budget.businessId, budget.customerId, recipient)) !== null;
}

/** The recipients whose end of the reminders this link can undo. */
async function resumableIn(context: BudgetContext, budget: Budget, link: ReminderLink): Promise<readonly string[]> {
  const recipient = recipientOf(context, budget, link);
  if (recipient === NO_RECIPIENT) return [];
  const own = (await hasEnded(context, budget, recipient)) ? [recipient] : [];
  const since = await context.store.findReminderOptOut(budget.businessId, budget.customerId, NO_RECIPIENT);
  return since !== null && (await isCustomer(context, budget, recipient, since)) ? [...own, NO_RECIPIENT] : own;
}

/**
 * Whether the recipient of a mail is the customer of the catalog, as it was when the reminders were ended: else the
 * business could give the customer an address of its own, and let them come again.
 */
async function isCustomer(
  { store }: BudgetContext,
  budget: Budget,
  recipient: string,
  since: Instant,
): Promise<boolean> {
  const customer = await store.findRecord("customer", budget.businessId, budget.customerId);
  return customer !== null && customer.updatedAt < since && digestOf(customer.email ?? "") === recipient;
}

interface Wish {
  readonly budget: Budget;
  readonly link: ReminderLink;
  readonly wish: "on" | "off";
  readonly recipient: string; // whose end of the reminders is set or undone
  readonly now: Instant;
}

async function setReminders(context: BudgetContext, { budget, link, wish, recipient, now }: Wish): Promise<void> {
  const { id: budgetId, businessId, customerId } = budget;
  const customer: Actor = { kind: "customer", businessId, name: "customer" };
  const type = wish === "on" ? "reminders.resumed" : "reminders.stopped";
  const data = { budgetId, by: recipientOf(context, budget, link) === NO_RECIPIENT ? "link" : "mail" };
  const audit = await makeAuditEntry(context.ids, customer, { type, subjectId: customerId, now, data });
  const optOut = { customerId, recipient, since: wish === "on" ? null : now };
  const committed = await context.commit(reminderOptOutCommit(businessId, optOut, [audit]));
  matchCommitted(committed, { written: null, unchanged: null });
}

/** Also a deleted budget or a draft: its mails are in the customer's mailbox. */
async function findMailedBudget({ store }: BudgetContext, token: string): Promise<Budget | null> {
  const hash = publicTokenHash(token);
  return hash === null ? null : store.findBudgetByPublicToken(hash);
}

async function viewOf(context: BudgetContext, budget: Budget, link: ReminderLink): Promise<RemindersView> {
  const { businessId, customerId } = budget;
  const [since, ended, seller] = await Promise.all([
    context.store.findReminderOptOut(businessId, customerId),
    resumableIn(context, budget, link),
    context.findBusiness(businessId),
  ]);
  const { locale = null, accentColor = null } = seller?.profile ?? {};
  const name = seller?.name ?? null;
  return { remindersOff: since !== null, resumable: ended.length > 0, business: name, locale, accentColor };
}
