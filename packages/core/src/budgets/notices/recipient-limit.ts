import { DAY_MS, type Instant } from "../../kernel/clock.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { Admission } from "../../limits/rate-limit-store.js";
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
  const subject = `mails:${businessId}:${sha256Hex(to.toLowerCase())}`;
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
