import { DEFAULT_MAILS } from "../../access/mail-settings.js";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { emailAddress } from "../../kernel/fields.js";
import type { BudgetContext } from "../budget-context.js";
import { type Mail, mailEntryOf } from "../mail.js";
import type { QueuedMail } from "./notices.js";
import { admitsMailTo, admitsShare } from "./recipient-limit.js";

/** An endpoint of webhooks, as far as a mail shows it. */
interface ShownEndpoint {
  readonly businessId: string;
  readonly id: string;
  readonly url: string;
}

/** The mail to the business about an endpoint that is disabled after failures; empty = none. Never rejects. */
export async function endpointMail(
  context: BudgetContext,
  endpoint: ShownEndpoint,
  now: Instant,
): Promise<readonly QueuedMail[]> {
  const { mailing } = context;
  const { businessId, id: endpointId, url } = endpoint;
  if (mailing === null) return [];
  try {
    const profile = (await context.findBusiness(businessId))?.profile;
    const email = emailAddress.safeParse(profile?.email);
    const { endpointDisabled } = (profile?.mails ?? DEFAULT_MAILS).seller;
    if (!endpointDisabled || !email.success) return [];
    if (!(await admitsShare(context, "endpoint", endpoint, now))) return [];
    if (!(await admitsMailTo(context, businessId, email.data, now))) return [];
    const actor: Actor = { kind: "system", businessId };
    const mail: Mail = {
      businessId,
      budgetId: endpointId,
      id: await context.ids.next(businessId),
      kind: "seller.endpointDisabled",
      status: "queued",
      to: email.data,
      lang: null,
      message: url,
      attempts: 0,
      dueAt: now,
      createdAt: now,
      createdBy: actorLabel(actor),
      sentAt: null,
      error: null,
    };
    return [{ mail, audit: await mailEntryOf(context.ids, actor, mail) }];
  } catch (error) {
    mailing.onError(error);
    return [];
  }
}
