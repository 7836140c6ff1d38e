import type { EventToCommit } from "../events/delivery-plan.js";
import type { AuditEntry } from "../events/event.js";
import type { IdempotencyRecord } from "../idempotency/idempotency-store.js";
import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { StorageQuota } from "../limits/storage-quota.js";
import type { Budget } from "./budget.js";
import type { ReplaceOutcome } from "./budget-store.js";
import type { Mail, ReminderCheck } from "./mail.js";

/**
 * The port of mails: an outbox that commits with the budget, and its queue. An `audit` entry commits together with the
 * write, or not at all; null = none.
 */
export interface MailStore {
  /**
   * Queues a mail, and a check for reminders that is due at the mail's creation; an earlier check of the budget is due
   * again. The budget replaces the stored one as `replaceBudget` does; a budget at `expectedVersion` is only required
   * to be stored at that version. The bytes of the mail and the entry count for the quota. Outcomes are those of `replaceBudget`.
   */
  queueMail(
    mail: Mail,
    budget: Budget,
    expectedVersion: number,
    events: readonly EventToCommit[],
    idempotencyRecord: IdempotencyRecord | null,
    quota?: StorageQuota,
    audit?: AuditEntry | null,
  ): Promise<ReplaceOutcome>;

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

  /**
   * Records since when a customer wants no reminders of the business, by the recipient whose mail ended them; an empty
   * recipient = unknown. The first time of each recipient stands. Null removes that of this recipient alone. The entry
   * `audit` commits together with a change; without one there is none.
   */
  setReminderOptOut(
    businessId: string,
    customerId: string,
    recipient: string,
    since: Instant | null,
    audit?: AuditEntry | null,
  ): Promise<void>;

  /** Since when a customer wants no reminders, by `recipient` or by the first of all; null = reminders come. */
  findReminderOptOut(businessId: string, customerId: string, recipient?: string): Promise<Instant | null>;
}
