import type { NoticeKind } from "../../access/mail-settings.js";
import { DAY_MS, HOUR_MS, type Instant } from "../../kernel/clock.js";
import { emailKeyOf } from "../../kernel/email-address.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { Admission } from "../../limits/rate-limit-store.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";

/** Mails of a business to one address, of every kind. */
const MAILS_PER_RECIPIENT = 100;
export const RECIPIENT_WINDOWS = [{ lengthMs: DAY_MS, limit: MAILS_PER_RECIPIENT }];

/** Charges one mail to the day of its recipient. Null = without a mailer. */
export async function chargeRecipient(
  { mailing }: Pick<BudgetContext, "mailing">,
  businessId: string,
  to: string,
  now: Instant,
): Promise<Admission | null> {
  if (mailing === null) return null;
  const subject = `mails:${businessId}:${sha256Hex(emailKeyOf(to))}`;
  return mailing.limits.consume(subject, RECIPIENT_WINDOWS, now);
}

/** Whether the business may mail this address once more today, which is then charged. */
export async function admitsMailTo(
  context: Pick<BudgetContext, "mailing">,
  businessId: string,
  to: string,
  now: Instant,
): Promise<boolean> {
  const admission = await chargeRecipient(context, businessId, to, now);
  return admission !== null && admission.refusal === null;
}

/** Charges one mail that a caller can cause to the hour of the business. Null = without a mailer. */
export async function chargeBusiness(
  { mailing }: Pick<BudgetContext, "mailing">,
  businessId: string,
  now: Instant,
): Promise<Admission | null> {
  if (mailing === null) return null;
  return mailing.limits.consume(`mails:${businessId}`, businessWindows(mailing.perHour), now);
}

export function businessWindows(limit: number) {
  return [{ lengthMs: HOUR_MS, limit }];
}

/** Mails to a business of one source, which leave most of the day of their recipient to others. */
const SHARES = { asked: 20, endpoint: 5 };

/** Whether the words about one budget, or the failures of one endpoint, may be mailed once more today. */
export async function admitsShare(
  { mailing }: Pick<BudgetContext, "mailing">,
  source: keyof typeof SHARES,
  { businessId, id }: { readonly businessId: string; readonly id: string },
  now: Instant,
): Promise<boolean> {
  if (mailing === null) return false;
  const windows = [{ lengthMs: DAY_MS, limit: SHARES[source] }];
  return (await mailing.limits.consume(`mails:${source}:${businessId}:${id}`, windows, now)).refusal === null;
}

/** Whether a notice may be mailed, which is then charged. Acts of a leaked key must not become a source of spam. */
export async function admitsNotice(
  context: Pick<BudgetContext, "mailing">,
  budget: Pick<Budget, "businessId" | "id">,
  kind: NoticeKind,
  to: string,
  now: Instant,
): Promise<boolean> {
  const { businessId } = budget;
  if (kind === "seller.asked" && !(await admitsShare(context, "asked", budget, now))) return false;
  if (!(await admitsMailTo(context, businessId, to, now))) return false;
  return !kind.startsWith("customer.") || (await chargeBusiness(context, businessId, now))?.refusal === null;
}
