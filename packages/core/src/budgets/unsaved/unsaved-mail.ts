import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import type { Mail } from "../mail.js";
import type { MailFacts } from "../mailing/mail-facts.js";
import { newMail } from "../mailing/send-budget.js";
import type { PublicBudgetView } from "../offer/public-view.js";

/** What the mail of a budget would show that is sent as the view has it. Nothing is queued. */
export function unsavedMail(
  view: PublicBudgetView,
  { lang, message }: Pick<Mail, "lang" | "message">,
  actor: Actor,
  now: Instant,
): MailFacts {
  const budget = { businessId: actor.businessId, id: view.id, publicTokenHash: null };
  const mail = newMail({ to: "", lang, message }, actor, budget, "", now);
  const { business, publicUrl } = view;
  return { mail, business, view, publicUrl, unsubscribeUrl: null, message, customer: null };
}
