import type { Subscriber, Tenant } from "./tenants.js";
import { Violation } from "./violation.js";
import type { World } from "./world.js";

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

/** Of an ordered subscriber, no event of a subject is called before the one ahead of it was accepted or given up. */
export function checkOrder({ receivers }: World, { subscribers }: Tenant): void {
  for (const { name, host, isOrdered } of subscribers) {
    if (!isOrdered) continue;
    const called = new Map<string, number>(); // by subject: the last event that was called first
    const seen = new Set<string>();
    for (const { body, headers, host: to } of receivers.calls) {
      const id = headers["webhook-id"] ?? "";
      if (to !== host || seen.has(id)) continue;
      seen.add(id);
      const { event, data, metadata } = JSON.parse(body);
      if (metadata.replay === true) continue;
      const subject = `${String(event).split(".")[0]} ${data.id}`;
      const before = called.get(subject) ?? 0;
      if (metadata.sequence < before) {
        const what = `event ${metadata.sequence} of ${subject} came to ${name} after ${before}`;
        throw new Violation("ordered events follow each other", what);
      }
      called.set(subject, metadata.sequence);
    }
  }
}
