import { err, ok, type Result } from "neverthrow";
import type { BudgetStatus } from "../budgets/budget.js";
import { type Actor, hasScope, refuseUnlessReader } from "../kernel/actor.js";
import { DAY_MS } from "../kernel/clock.js";
import { exponentOf } from "../kernel/currency.js";
import { decimalText } from "../kernel/decimal.js";
import type { Problem } from "../kernel/problem.js";
import type { DeliveryStatus } from "../webhooks/delivery.js";
import type { BudgetSum } from "./dashboard-store.js";
import { windowOf } from "./period.js";
import type { UsageContext } from "./statistics.js";
import { averageResponseTimeOf, dailyUsageOf, summaryOf, topEndpointsOf } from "./statistics.js";
import type { DashboardStatistics, StatisticsQuery } from "./statistics-view.js";

const SOON_MS = 7 * DAY_MS;

/**
 * The dashboard of a business. Requests and webhooks cover a period that ends now; keys and budgets show their current
 * state, overdue budgets as EXPIRED. Errors: forbidden.
 */
export async function dashboardStatistics(
  context: UsageContext,
  actor: Actor,
  { period }: StatisticsQuery,
): Promise<Result<DashboardStatistics, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  if (!hasScope(actor, "READ_BUDGETS")) return err(budgetsUnread);
  const { businessId } = actor;
  const { store, clock } = context;
  const now = clock.now();
  const window = windowOf(period, now);
  const { totals, routes, days } = await summaryOf(context, businessId, null, window);
  const keys = await store.countKeys(businessId, now, now + SOON_MS);
  const deliveries = await store.countDeliveries(businessId, window.from);
  const budgets = await store.sumBudgets(businessId, now);
  return ok({
    period,
    requests: {
      total: totals.requests,
      successful: totals.requests - totals.errors,
      errors: totals.errors,
      averageResponseTime: averageResponseTimeOf(totals),
    },
    apiKeys: { byStatus: { ...keys.byStatus }, expiringSoon: keys.expiring },
    webhooks: webhooksOf(deliveries),
    budgets: budgetsOf(budgets),
    topEndpoints: topEndpointsOf(routes),
    dailyUsage: dailyUsageOf(days),
  });
}

const budgetsUnread: Problem = {
  kind: "forbidden",
  message: "The dashboard has figures of budgets, which need the scope READ_BUDGETS.",
};

function webhooksOf(deliveries: Readonly<Record<DeliveryStatus, number>>): DashboardStatistics["webhooks"] {
  const { delivered, failed, pending, retrying } = deliveries;
  return { delivered, failed, pending: pending + retrying, successRate: shareOf(delivered, delivered + failed) };
}

/** The outcomes of the conversion rate. An approved budget may be completed or archived later. */
const WON: readonly BudgetStatus[] = ["APPROVED", "COMPLETED", "ARCHIVED"];
const LOST: readonly BudgetStatus[] = ["REJECTED", "EXPIRED"];

function budgetsOf(sums: readonly BudgetSum[]): DashboardStatistics["budgets"] {
  const countOf = (statuses: readonly BudgetStatus[]): number =>
    sums.filter(({ status }) => statuses.includes(status)).reduce((count, { budgets }) => count + budgets, 0);
  const won = countOf(WON);
  return {
    byStatus: {
      PENDING: countOf(["PENDING"]),
      APPROVED: countOf(["APPROVED"]),
      REJECTED: countOf(["REJECTED"]),
      EXPIRED: countOf(["EXPIRED"]),
      DRAFT: countOf(["DRAFT"]),
      COMPLETED: countOf(["COMPLETED"]),
      ARCHIVED: countOf(["ARCHIVED"]),
      DELETED: countOf(["DELETED"]),
    },
    valueByCurrency: valueByCurrencyOf(sums),
    conversionRate: shareOf(won, won + countOf(LOST)),
  };
}

/** Adds in minor units as bigint, which is exact. */
function valueByCurrencyOf(sums: readonly BudgetSum[]): Record<string, number> {
  const totals = new Map<string, bigint>();
  for (const { status, currency, total } of sums) {
    if (status !== "DELETED") totals.set(currency, (totals.get(currency) ?? 0n) + total);
  }
  const sorted = [...totals].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([currency, total]) => [currency, majorOf(total, currency)]));
}

/** An exact sum in the currency's major unit. A sum beyond the largest amount becomes the nearest double. */
export function majorOf(minor: bigint, currency: string): number {
  return Number(decimalText({ digits: minor, scale: exponentOf(currency) }));
}

/** A part from 0 to 1, to four decimals; null = there is no whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
