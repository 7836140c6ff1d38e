import type { Subscriber } from "../world/tenants.js";

interface LoggedData {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whether an event is for a subscriber: docs/webhooks.md, Filters. */
export function receives({ filter }: Subscriber, { type, data }: LoggedData): boolean {
  if (!type.startsWith("budget.") || filter === null) return type.startsWith("budget.");
  const { status, minimumTotal } = filter;
  if (status !== undefined && !status.some((each) => each === data.status)) return false;
  return minimumTotal === undefined || reaches(minimumTotal, data);
}

function reaches({ amount, currency }: { amount: number; currency: string }, data: LoggedData["data"]): boolean {
  return data.currency === currency && typeof data.total === "number" && data.total >= amount;
}
