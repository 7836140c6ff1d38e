import { err, ok, type Result } from "neverthrow";
import { type Actor, hasScope, refuseUnlessReader } from "../kernel/actor.js";
import { DAY_MS } from "../kernel/clock.js";
import { type LocalWeek, weeksAround } from "../kernel/dates.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { majorOf, shareOf } from "./dashboard.js";
import type { SalesOutcome } from "./sales-shares.js";
import type { CurrencySum, SalesSum } from "./sales-store.js";
import type { SalesQuery, SalesStatistics } from "./sales-view.js";
import type { UsageContext } from "./statistics.js";

const SOON_MS = 7 * DAY_MS;

/**
 * The sent budgets of a business by week, currency and outcome, and what is open. A budget counts in the week in which it
 * was first sent, by its present status; an overdue one as EXPIRED. Errors: forbidden.
 */
export async function salesStatistics(
  { store, clock }: Pick<UsageContext, "store" | "clock">,
  actor: Actor,
  { weeks }: SalesQuery,
): Promise<Result<SalesStatistics, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  if (!hasScope(actor, "READ_BUDGETS")) return err(budgetsUnread);
  const { businessId } = actor;
  const business = await store.findBusiness(businessId);
  if (business === null) return err(notFound("business", businessId));
  const now = clock.now();
  const shown = weeksAround(now, 2 * weeks, business.timeZone);
  const starts = shown.map(({ start }) => start);
  const [sums, open, budgets] = await Promise.all([
    store.sumSales(businessId, starts, now),
    store.sumOpen(businessId, now, now + SOON_MS),
    store.sumBudgets(businessId, now),
  ]);
  const present = sums.filter(({ period }) => period >= weeks);
  const former = sums.filter(({ period }) => period < weeks);
  return ok({
    timeZone: business.timeZone,
    weeks: shown.slice(weeks, -1).map((week, index) => weekOf(week, sumsOfPeriod(present, weeks + index))),
    waiting: byCurrency(budgets.filter(({ status }) => status === "PENDING")),
    won: byCurrency(ofOutcome(present, "won")),
    conversion: { ...conversionOf(present), previousRate: conversionOf(former).rate },
    toCollect: byCurrency(open.balances),
    depositsDue: open.depositsDue,
    expiringSoon: open.expiring,
  });
}

const budgetsUnread: Problem = {
  kind: "forbidden",
  message: "The sales are figures of budgets, which need the scope READ_BUDGETS.",
};

type Week = SalesStatistics["weeks"][number];
type Sum = SalesStatistics["won"][string];

function weekOf({ monday }: LocalWeek, sums: readonly SalesSum[]): Week {
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
  const sumOf = (currency: string, outcomes: readonly SalesOutcome[]) =>
    sumIn(
      currency,
      sums.filter((sum) => sum.currency === currency && outcomes.includes(sum.outcome)),
    );
  return {
    week: monday,
    byCurrency: Object.fromEntries(
      currencies.map((currency) => [
        currency,
        {
          won: sumOf(currency, ["won"]),
          waiting: sumOf(currency, ["waiting"]),
          lost: sumOf(currency, ["lost"]),
          sent: sumOf(currency, ["won", "waiting", "lost"]),
        },
      ]),
    ),
  };
}

function sumsOfPeriod(sums: readonly SalesSum[], period: number): readonly SalesSum[] {
  return sums.filter((sum) => sum.period === period);
}

function ofOutcome(sums: readonly SalesSum[], outcome: SalesOutcome): readonly SalesSum[] {
  return sums.filter((sum) => sum.outcome === outcome);
}

function byCurrency(sums: readonly CurrencySum[]): Record<string, Sum> {
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
  return Object.fromEntries(
    currencies.map((code) => [
      code,
      sumIn(
        code,
        sums.filter(({ currency }) => currency === code),
      ),
    ]),
  );
}

/** Adds in minor units as bigint, which is exact. */
function sumIn(currency: string, sums: readonly CurrencySum[]): Sum {
  const total = sums.reduce((sum, each) => sum + each.total, 0n);
  return { count: countOf(sums), value: majorOf(total, currency) };
}

function countOf(sums: readonly CurrencySum[]): number {
  return sums.reduce((sum, { budgets }) => sum + budgets, 0);
}

function conversionOf(sums: readonly SalesSum[]) {
  const won = countOf(ofOutcome(sums, "won"));
  const answered = won + countOf(ofOutcome(sums, "lost"));
  return { rate: shareOf(won, answered), answered, won };
}
