import { customerNameIn } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { emailAddress } from "../../kernel/fields.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { hasLinkOf, isToCustomer, MAILS_READ, type Mail } from "../mail.js";
import { findOfferedBudget } from "../offer/offered-budget.js";
import type { PublicBudgetView } from "../offer/public-view.js";
import { type SellerView, sellerViewOf } from "../offer/seller-view.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { linkOf } from "../sharing/manage-link.js";
import { openPublicLink } from "../sharing/public-link.js";
import { mailTokenOf } from "./opt-out.js";
import { mayRemind } from "./queue-reminders.js";

/** What a mail shows. */
export interface MailFacts {
  readonly mail: Mail;
  readonly business: SellerView;
  readonly view: Omit<PublicBudgetView, "publicUrl"> | null; // null = a mail about an endpoint
  readonly publicUrl: string | null; // of the budget's page; null = a mail to the business
  readonly unsubscribeUrl: string | null; // null = no reminder
  readonly message: string | null; // in the words of the side that acted; null = none
  readonly written?: readonly Written[]; // what `message` was made of, the oldest first; absent = not known
  readonly logo?: string; // its address; absent = below the page
  readonly customer: MailedCustomer | null; // of a mail to the business; null = the customer is the recipient, or none
}

/** A message or a request for a change. */
interface Written {
  readonly kind: "message" | "changeRequest";
  readonly sentAt: Instant;
  readonly message: string;
}

interface MailedCustomer {
  readonly name: string | null; // null = not known, as the email
  readonly email: string | null;
}

/** Null = there is nothing to send any more. */
export async function mailFactsOf(context: BudgetContext, mail: Mail, now: Instant): Promise<MailFacts | null> {
  if (mail.kind === "seller.endpointDisabled") return endpointFacts(context, mail);
  const stored = await context.store.findBudget(mail.businessId, mail.budgetId);
  if (stored === null || stored.deletion !== null) return null;
  const budget = asOf(stored, now);
  if (!(await isWanted(context, mail, budget))) return null;
  return isToCustomer(mail) ? customerFacts(context, mail, budget, now) : sellerFacts(context, mail, budget, now);
}

/** Whether the budget is still in the state that the mail is about. */
async function isWanted(context: BudgetContext, mail: Mail, budget: Budget): Promise<boolean> {
  const { status, acceptance } = budget;
  switch (mail.kind) {
    case "budget":
      return status === "PENDING";
    case "reminder":
      return mayRemind(context, budget);
    case "customer.accepted":
      return acceptance !== null || budget.approvedAt !== null;
    case "customer.newVersion":
      return status === "PENDING" && acceptance === null && !(await isSentSince(context, mail));
    case "customer.message":
      return status !== "DRAFT";
    case "seller.expiring":
      return status === "PENDING" && acceptance === null && budget.validUntil !== null;
    default:
      return true;
  }
}

/** Whether a caller has sent the budget since: that mail shows the new version. */
async function isSentSince({ store }: BudgetContext, { businessId, budgetId, createdAt }: Mail): Promise<boolean> {
  const { entries } = await store.listMails(businessId, budgetId, MAILS_READ, 0);
  return entries.some(
    (each) =>
      each.kind === "budget" && each.createdAt >= createdAt && (each.status === "sent" || each.status === "queued"),
  );
}

async function customerFacts(
  context: BudgetContext,
  mail: Mail,
  budget: Budget,
  now: Instant,
): Promise<MailFacts | null> {
  if (budget.publicTokenHash === null || !hasLinkOf(mail, budget)) return null;
  const link = linkOf(context, budget);
  if (link.isErr()) return null;
  const { publicToken, publicUrl } = link.value;
  const opened = await openPublicLink(context, publicToken, now);
  if (opened.isErr()) return null;
  const unsubscribeUrl =
    mail.kind === "reminder" ? `${publicUrl}/unsubscribe?mail=${mailTokenOf(context, budget, mail.to)}` : null;
  const { value: view } = opened;
  const message = mail.kind === "customer.message" ? textOf(mail, await writtenSince(context, mail, [])) : mail.message;
  return { mail, business: view.business, view, publicUrl, unsubscribeUrl, message, customer: null };
}

async function sellerFacts(
  context: BudgetContext,
  mail: Mail,
  budget: Budget,
  now: Instant,
): Promise<MailFacts | null> {
  const { businessId, id } = budget;
  const offered = await findOfferedBudget(context, { kind: "system", businessId }, id, now);
  if (offered.isErr()) return null;
  const { view } = offered.value;
  const { customers } = await customersOf(context, businessId, [budget]);
  const email = emailAddress.safeParse(customers.get(budget.customerId)?.email);
  // Who has not given a name in an answer is "customer".
  const given = mail.actedBy === undefined ? null : customerNameIn(mail.actedBy);
  const customer = {
    name: given === null || given === "customer" ? view.customer.name : given,
    email: email.success ? email.data : null,
  };
  const shown = { business: view.business, view, publicUrl: null, unsubscribeUrl: null };
  if (mail.kind !== "seller.asked") return { mail, ...shown, message: mail.message, customer };
  const requests = (budget.changeRequests ?? []).map(({ at: sentAt, message }) => {
    return { kind: "changeRequest", sentAt, message } as const;
  });
  const written = await writtenSince(context, mail, requests);
  return { mail, ...shown, message: textOf(mail, written), written, customer };
}

/** Messages of one side, and its requests for a change, that follow one another are one mail. */
async function writtenSince(context: BudgetContext, mail: Mail, requests: readonly Written[]): Promise<Written[]> {
  const { businessId, budgetId, createdAt } = mail;
  const isOfCustomer = mail.kind === "seller.asked";
  const { entries } = await context.store.listMessages(businessId, budgetId, MAX_GATHERED, 0);
  const messages = entries.filter(({ by }) => (customerNameIn(by) !== null) === isOfCustomer);
  const texts = messages.map(({ sentAt, message }) => ({ kind: "message", sentAt, message }) as const);
  const written = [...texts, ...requests].filter(({ sentAt }) => sentAt >= createdAt);
  return written.sort((a, b) => a.sentAt - b.sentAt);
}

function textOf(mail: Mail, written: readonly Written[]): string | null {
  return written.length === 0 ? mail.message : written.map(({ message }) => message).join("\n\n");
}

/** Of the last messages, in a mail. */
const MAX_GATHERED = 20;

async function endpointFacts(context: BudgetContext, mail: Mail): Promise<MailFacts | null> {
  const seller = await context.findBusiness(mail.businessId);
  if (seller === null) return null;
  const shown = { view: null, publicUrl: null, unsubscribeUrl: null, customer: null };
  return { mail, business: sellerViewOf(seller), message: mail.message, ...shown };
}
