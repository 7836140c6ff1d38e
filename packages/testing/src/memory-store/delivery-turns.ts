import { type Delivery, type Instant, isFinished } from "@budgetkit/core/store";
import type { Tables } from "./tables.js";

/** Of each subject to each subscriber: unless a delivery has its turn, the one with the lowest sequence begins its own. */
export function startTurns(tables: Tables, now: Instant): void {
  for (const next of nextTurns(tables)) {
    const deadlineAt = next.deadlineAt + (now - next.updatedAt);
    tables.deliveries.save(next.businessId, next.id, { ...next, nextAttemptAt: now, deadlineAt });
  }
}

/** The deliveries whose turn a claim would begin. */
export function nextTurns(tables: Tables): readonly Delivery[] {
  return [...subjectsOf(tables.deliveries.all())].flatMap(([first, ...others]) => {
    if ([first, ...others].some(({ nextAttemptAt }) => nextAttemptAt !== null)) return [];
    const next = others.reduce((lowest, other) => (isBefore(other, lowest) ? other : lowest), first);
    return followsUndispatched(tables, next) ? [] : [next];
  });
}

type NonEmpty<T> = [T, ...T[]];

/** The unfinished ordered deliveries. */
function subjectsOf(deliveries: readonly Delivery[]): Iterable<NonEmpty<Delivery>> {
  const subjects = new Map<string, NonEmpty<Delivery>>();
  for (const delivery of deliveries) {
    const { businessId, subscriber, order, status } = delivery;
    if (order === undefined || isFinished(status)) continue;
    const name = [businessId, subscriber.kind, subscriber.id, order.subject].join(" ");
    const known = subjects.get(name);
    if (known === undefined) subjects.set(name, [delivery]);
    else known.push(delivery);
  }
  return subjects.values();
}

function isBefore(a: Delivery, b: Delivery): boolean {
  const difference = (a.order?.sequence ?? 0) - (b.order?.sequence ?? 0);
  return (difference || Number(a.id) - Number(b.id)) < 0;
}

function followsUndispatched({ undispatched }: Tables, { businessId, order }: Delivery): boolean {
  return [...undispatched].some(
    (event) =>
      event.businessId === businessId &&
      `${event.type.split(".", 1)[0]} ${event.subjectId}` === order?.subject &&
      event.sequence < order.sequence,
  );
}
