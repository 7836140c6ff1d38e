import type { CustomerEmailFree, CustomerWrite } from "../catalog/catalog-commits.js";
import { type Customer, customerEmailKeyOf } from "../catalog/customer.js";
import { type Commit, commitOf, type Expected } from "../commit/commit.js";
import type { AuditEntry } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";
import type { Budget } from "./budget.js";
import type { LinkView, ViewDevice } from "./link-view-store.js";
import type { Mail } from "./mail.js";
import type { BudgetMessage } from "./message.js";
import type { Payment } from "./payment.js";

export type BudgetWrite =
  /**
   * A new budget, which rejects with IdTaken for an id that the business has; or the replacement of the stored one, which
   * is refused as `"stale"` unless it is at `expected`. A replacement with a greater `revision` keeps the stored budget as
   * a revision. The counters by status change with it.
   */
  | { readonly kind: "budget"; readonly budget: Budget; readonly expected: Expected }
  /** A payment, which never changes. Refused as taken when the budget has a payment with this reference. */
  | { readonly kind: "payment"; readonly payment: Payment }
  /**
   * Queues a mail. One that `startsCheck` also queues a check for reminders that is due at its creation; an earlier check
   * of the budget is due again, and a claim of it is lost. The bytes of the mail count for the quota.
   */
  | { readonly kind: "mail"; readonly mail: Mail }
  /**
   * Queues a check for reminders of a budget that is offered by its link, due at `since`, which it keeps. An earlier check
   * of the budget is due again as it is, and a claim of it is lost.
   */
  | { readonly kind: "reminder-check"; readonly budgetId: string; readonly since: Instant }
  /** A message, which never changes. Its bytes count for the quota. */
  | { readonly kind: "message"; readonly message: BudgetMessage }
  /** Counts a view. Refused as `"stale"` when `isFirst` is not so: the budget has views of any channel, or has none. */
  | { readonly kind: "link-view"; readonly view: LinkView; readonly isFirst: boolean }
  /**
   * Since when a customer wants no reminders of the business, by the recipient whose mail ended them; null = reminders
   * come. The first time of each recipient stands. Refused as `"unchanged"` when there is nothing to change.
   */
  | {
      readonly kind: "reminder-opt-out";
      readonly customerId: string;
      readonly recipient: string; // "" = unknown
      readonly since: Instant | null;
    };

export type BudgetCondition =
  /** The budget is stored at this version; else `"stale"`. */
  | { readonly kind: "budget-version"; readonly budgetId: string; readonly is: number }
  /** The budget has fewer messages than `limit`; else `"message-limit"`. Concurrent callers never exceed it. */
  | { readonly kind: "messages-below"; readonly budgetId: string; readonly limit: number }
  /** No view of the budget by the kind of device is later than `since`; else `"repeated"`. */
  | {
      readonly kind: "not-viewed-since";
      readonly budgetId: string;
      readonly device: ViewDevice;
      readonly since: Instant;
    };

export type MailWrite = Extract<BudgetWrite, { readonly kind: "mail" }>;
type ReminderCheckWrite = Extract<BudgetWrite, { readonly kind: "reminder-check" }>;
export type BudgetCommit = Commit<BudgetWrite, BudgetCondition>;
type Beside = Partial<Omit<BudgetCommit, "businessId" | "writes" | "conditions">>;

export function insertBudgetCommit(budget: Budget, beside: Beside = {}): BudgetCommit {
  return commitOf(budget.businessId, [{ kind: "budget", budget, expected: "absent" }], beside);
}

/**
 * A new budget with its new customer. Refused as taken when another customer has the id or the cuit; or the email, unless
 * `sharesEmail`.
 */
export function insertForCustomerCommit(
  { customer, sharesEmail }: { readonly customer: Customer; readonly sharesEmail: boolean },
  budget: Budget,
  beside: Beside = {},
): Commit<BudgetWrite | CustomerWrite, CustomerEmailFree> {
  const { email } = customer;
  const isFree = email === null || sharesEmail ? [] : [emailFree(email)];
  return {
    ...commitOf<BudgetWrite | CustomerWrite, CustomerEmailFree>(
      budget.businessId,
      [
        { kind: "customer", record: customer, expected: "absent" },
        { kind: "budget", budget, expected: "absent" },
      ],
      beside,
    ),
    conditions: isFree,
  };
}

function emailFree(email: string): CustomerEmailFree {
  return { kind: "customer-email-free", emailKey: customerEmailKeyOf(email) };
}

export function replaceBudgetCommit(budget: Budget, expected: number, beside: Beside = {}): BudgetCommit {
  return commitOf(budget.businessId, [{ kind: "budget", budget, expected }], beside);
}

/** A payment together with the budget that counts it. */
export function recordPaymentCommit(
  payment: Payment,
  budget: Budget,
  expected: number,
  beside: Beside = {},
): BudgetCommit {
  return commitOf<BudgetWrite, BudgetCondition>(
    budget.businessId,
    [
      { kind: "payment", payment },
      { kind: "budget", budget, expected },
    ],
    beside,
  );
}

/** A mail of a budget. A budget that is still at `expected` is not written again: it is only required to be stored so. */
export function queueMailCommit(mail: Mail, budget: Budget, expected: number, beside: Beside = {}): BudgetCommit {
  const queued: BudgetWrite = { kind: "mail", mail };
  if (budget.version !== expected) {
    return commitOf<BudgetWrite, BudgetCondition>(
      budget.businessId,
      [{ kind: "budget", budget, expected }, queued],
      beside,
    );
  }
  const conditions = [{ kind: "budget-version", budgetId: budget.id, is: expected }] as const;
  return { ...commitOf<BudgetWrite, BudgetCondition>(budget.businessId, [queued], beside), conditions };
}

/** A changed budget, with the payment or the mail that the same decision writes beside it. */
export function changeBudgetCommit(
  { payment, mail }: { readonly payment?: Payment; readonly mail?: Mail },
  budget: Budget,
  expected: number,
  beside: Beside = {},
): BudgetCommit {
  if (payment !== undefined) return recordPaymentCommit(payment, budget, expected, beside);
  if (mail !== undefined) return queueMailCommit(mail, budget, expected, beside);
  return replaceBudgetCommit(budget, expected, beside);
}

/** The commit, which also queues a check for reminders of the budget. */
export function withReminderCheck<W, C>(
  commit: Commit<W, C>,
  budgetId: string,
  since: Instant,
): Commit<W | ReminderCheckWrite, C> {
  return { ...commit, writes: [...commit.writes, { kind: "reminder-check", budgetId, since }] };
}

/** A message of a budget that has fewer than `limit`. The budget stays as it is, in any version. */
export function sendMessageCommit(message: BudgetMessage, limit: number, beside: Beside = {}): BudgetCommit {
  const { businessId, budgetId } = message;
  return {
    ...commitOf<BudgetWrite, BudgetCondition>(businessId, [{ kind: "message", message }], beside),
    conditions: [{ kind: "messages-below", budgetId, limit }],
  };
}

/**
 * A displayed page, unless a device of its kind viewed the budget less than `gapMs` before. Only the first view has events.
 */
export function countViewCommit(view: LinkView, gapMs: number, isFirst: boolean, beside: Beside = {}): BudgetCommit {
  const { budgetId, device, at } = view;
  const conditions = [{ kind: "not-viewed-since", budgetId, device, since: at - gapMs }] as const;
  return {
    ...commitOf<BudgetWrite, BudgetCondition>(view.businessId, [{ kind: "link-view", view, isFirst }], beside),
    conditions,
  };
}

export function reminderOptOutCommit(
  businessId: string,
  { customerId, recipient, since }: { customerId: string; recipient: string; since: Instant | null },
  audit: readonly AuditEntry[] = [],
): BudgetCommit {
  return commitOf(businessId, [{ kind: "reminder-opt-out", customerId, recipient, since }], { audit });
}

type BudgetWritten = Extract<BudgetWrite, { readonly kind: "budget" }>;

/** The budget that a commit with a numbering numbers. Throws a TypeError for a commit without one. */
export function budgetToNumber(writes: readonly { readonly kind: string }[]): Budget {
  const write = writes.find((each): each is BudgetWritten => each.kind === "budget");
  if (write === undefined) throw new TypeError("a commit with a numbering writes a budget");
  return write.budget;
}
