import type { Instant } from "../kernel/clock.js";
import type { SalesOutcome } from "./sales-shares.js";

/** The store's port for figures of sales. Its reads must be fast for any number of budgets. */
export interface SalesStore {
  /**
   * The business's sent budgets by period, outcome and currency, as of `now`: overdue ones count as lost. Period `n`
   * begins with the slot of `starts[n]` and ends before that of `starts[n + 1]`; `starts` are in order, and the last one
   * only ends a period. Empty groups are left out.
   * A store maintains the sums with each write of a budget, in the same transaction, so that a read scans the slots of
   * the periods and the overdue budgets, not the others.
   */
  sumSales(businessId: string, starts: readonly Instant[], now: Instant): Promise<readonly SalesSum[]>;

  /** What is open of the business's budgets, as of `now`. `until`: the end of the time in which budgets expire soon. */
  sumOpen(businessId: string, now: Instant, until: Instant): Promise<OpenSums>;
}

export interface SalesSum {
  readonly period: number; // from 0
  readonly outcome: SalesOutcome;
  readonly currency: string;
  readonly budgets: number;
  readonly total: bigint; // minor units; the sum may exceed the safe integers
}

export interface OpenSums {
  readonly balances: readonly CurrencySum[]; // of won budgets; without those that leave none
  readonly depositsDue: number; // PENDING budgets whose acceptance waits for a deposit
  readonly expiring: number; // PENDING budgets that expire after `now` and not after `until`
}

export interface CurrencySum {
  readonly currency: string;
  readonly budgets: number;
  readonly total: bigint; // minor units
}
