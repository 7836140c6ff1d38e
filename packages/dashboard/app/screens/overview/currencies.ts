import type { Sales } from "@budgetkit/client";

type Sums = Sales["won"];

/** All currencies of the figures: that of the business first, then by the number of budgets. */
export function currenciesOf(sales: Sales, own: string | null): readonly string[] {
  const counts = new Map<string, number>();
  const add = (currency: string, count: number) => counts.set(currency, (counts.get(currency) ?? 0) + count);
  for (const sums of [sales.waiting, sales.won, sales.toCollect]) {
    for (const [currency, { count }] of Object.entries(sums)) add(currency, count);
  }
  for (const { byCurrency } of sales.weeks) {
    for (const [currency, { sent }] of Object.entries(byCurrency)) add(currency, sent.count);
  }
  return [...counts]
    .sort(([left, few], [right, many]) => many - few || left.localeCompare(right))
    .map(([currency]) => currency)
    .sort((left, right) => Number(right === own) - Number(left === own));
}

export function countOf(sums: Sums): number {
  return Object.values(sums).reduce((count, sum) => count + sum.count, 0);
}

/** The sums in the order of the currencies; those that are nothing are left out. */
export function inOrder(sums: Sums, currencies: readonly string[]) {
  return currencies.flatMap((currency) => {
    const sum = sums[currency];
    return sum === undefined || sum.count === 0 ? [] : [{ currency, value: sum.value }];
  });
}
