import type { AuditEntry } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { Mail, ReminderCheck } from "./mail.js";

/** The port of mails: the queue of the outbox. A mail commits together with the budget that it is of. */
export interface MailStore {
  /** The mails of a budget, newest first; at the same time the higher id, as an integer, first. */
  listMails(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Mail>>;

  /**
   * Claims mails of all businesses with `dueAt <= now`, the longest due first: each gets `dueAt = leaseUntil` and one
   * more attempt. Of several processes exactly one gets each mail. A lease that ends makes the mail due again.
   */
  claimMails(now: Instant, leaseUntil: Instant, limit: number): Promise<readonly Mail[]>;

  /** Replaces a claimed mail. False = another claim has followed: nothing is written. */
  settleMail(mail: Mail): Promise<boolean>;

  /** Claims checks with `dueAt <= now` as claimMails claims mails; `claims` counts the claims. */
  claimReminderChecks(now: Instant, leaseUntil: Instant, limit: number): Promise<readonly ReminderCheck[]>;

  /**
   * Replaces a claimed check, or removes it, and queues the reminder that it found due; null = none. False = another
   * claim or a new mail has followed: nothing is written.
   */
  settleReminderCheck(
    check: ReminderCheck,
    outcome: "replace" | "remove",
    reminder: Mail | null,
    audit?: AuditEntry | null,
  ): Promise<boolean>;

  /** Since when a customer wants no reminders, by `recipient` or by the first of all; null = reminders come. */
  findReminderOptOut(businessId: string, customerId: string, recipient?: string): Promise<Instant | null>;
}
