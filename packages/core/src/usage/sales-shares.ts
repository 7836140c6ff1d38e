import type { Budget, BudgetStatus } from "../budgets/budget.js";
import { payableOf } from "../budgets/price-figures.js";
import { type Instant, MINUTE_MS } from "../kernel/clock.js";
import type { Minor } from "../kernel/money.js";

/** What became of a sent budget. */
export const SALES_OUTCOMES = ["won", "waiting", "lost"] as const;
export type SalesOutcome = (typeof SALES_OUTCOMES)[number];

/** The kinds of sums: an outcome, the balance that a won budget leaves, or an acceptance that waits for its deposit. */
type SalesKind = SalesOutcome | "balance" | "deposit";

/** What one budget adds to one sum of a business. */
export interface SalesShare {
  readonly kind: SalesKind;
  readonly slot: number; // in which it was sent, see slotOf; NO_SLOT = the sum is of any time
  readonly currency: string;
  readonly amount: Minor;
}

/** The fields of a budget that the sums depend on. */
export interface Sold extends Pick<Budget, "status" | "currency" | "total" | "paid"> {
  readonly withheld: Minor; // 0 = nothing
  readonly sentAt: Instant; // of a draft: when it was created
  readonly isAccepted: boolean; // an acceptance waits for payments
}

/** All offsets of time zones are multiples of a quarter of an hour, so every local week consists of whole slots. */
export const SLOT_MS = 15 * MINUTE_MS;

export const NO_SLOT = 0;

export function slotOf(at: Instant): number {
  return Math.floor(at / SLOT_MS);
}

/** An approved budget may be completed or archived later. */
const OUTCOMES: Readonly<Record<BudgetStatus, SalesOutcome | null>> = {
  DRAFT: null,
  PENDING: "waiting",
  APPROVED: "won",
  COMPLETED: "won",
  ARCHIVED: "won",
  REJECTED: "lost",
  EXPIRED: "lost",
  DELETED: null,
};

export function soldOf(budget: Budget): Sold {
  const { status, currency, total, paid, withheld = 0, sentAt = budget.createdAt, acceptance } = budget;
  return { status, currency, total, paid, withheld, sentAt, isAccepted: acceptance !== null };
}

/** What a budget adds to the sums, by its stored status: stores count overdue ones as lost when they read. */
export function salesSharesOf(budget: Sold): readonly SalesShare[] {
  const { status, currency, total } = budget;
  const kind = OUTCOMES[status];
  if (kind === null) return [];
  const share = { kind, slot: slotOf(budget.sentAt), currency, amount: total };
  if (kind === "waiting" && budget.isAccepted) {
    return [share, { kind: "deposit", slot: NO_SLOT, currency, amount: 0 }];
  }
  const balance = payableOf(budget) - budget.paid;
  if (kind === "won" && balance > 0) return [share, { kind: "balance", slot: NO_SLOT, currency, amount: balance }];
  return [share];
}

/** A change of one sum. */
export interface SalesChange {
  readonly share: Omit<SalesShare, "amount">;
  readonly budgets: number;
  readonly amount: Minor;
}

/** What the sums change by when a budget is replaced; `from`: null = it is new. */
export function salesChangesOf(from: Sold | null, to: Sold): readonly SalesChange[] {
  const changes = new Map<string, SalesChange>();
  const note = ({ amount, ...share }: SalesShare, sign: 1 | -1) => {
    const key = `${share.kind} ${share.slot} ${share.currency}`;
    const former = changes.get(key) ?? { share, budgets: 0, amount: 0 };
    changes.set(key, { share, budgets: former.budgets + sign, amount: former.amount + sign * amount });
  };
  for (const share of from === null ? [] : salesSharesOf(from)) note(share, -1);
  for (const share of salesSharesOf(to)) note(share, 1);
  return [...changes.values()].filter(({ budgets, amount }) => budgets !== 0 || amount !== 0);
}
