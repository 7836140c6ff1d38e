import type { Delivery } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import { idOf, type Tenant } from "../world/tenants.js";
import type { KnownEntry, World } from "../world/world.js";
import { receives } from "./subscriptions.js";

/** Whether a replay has further steps. A replay to a disabled endpoint waits, and does not count. */
export async function areReplaysRunning({ store, tenants }: World): Promise<boolean> {
  for (const { businessId, subscribers } of tenants) {
    for (const subscriber of subscribers) {
      const replay = await store.findReplay(businessId, idOf(subscriber));
      if (replay?.status !== "running") continue;
      if ((await store.findEndpoint(businessId, idOf(subscriber)))?.status === "ACTIVE") return true;
    }
  }
  return false;
}

export function isReplayed({ body }: Pick<Delivery, "body">): boolean {
  return JSON.parse(body).metadata.replay === true;
}

/** The entries of a replay, from the ledger. */
interface Range {
  readonly first: number;
  until: number;
  isOpen: boolean;
}

/** A replay sends every event of its range once, and no other event. */
export function checkReplays(world: World, tenant: Tenant, deliveries: readonly Delivery[], whole: Set<string>): void {
  const entries = world.ledgers.get(tenant.businessId) ?? [];
  const sent = new Map<string, number>();
  for (const delivery of deliveries.filter(isReplayed)) {
    const { sequence } = JSON.parse(delivery.body).metadata;
    const pair = `event ${sequence} for endpoint ${delivery.subscriber.id}`;
    sent.set(pair, (sent.get(pair) ?? 0) + 1);
  }
  for (const subscriber of tenant.subscribers) {
    const ranges = rangesOf(entries, idOf(subscriber));
    for (const [index, entry] of entries.entries()) {
      const pair = `event ${index + 1} for ${subscriber.name}`;
      const count = sent.get(pair) ?? 0;
      const covering = ranges.filter(({ first, until }) => first <= index + 1 && index + 1 <= until);
      const most = receives(subscriber, entry) ? covering.length : 0;
      const least = whole.has(subscriber.name) ? covering.filter(({ isOpen }) => !isOpen).length : 0;
      if (count > most || count < Math.min(least, most)) {
        throw new Violation("a replay sends each event once", `${pair} was sent ${count} times, not ${most}`);
      }
    }
  }
}

function rangesOf(entries: readonly KnownEntry[], endpointId: string): readonly Range[] {
  const ranges: Range[] = [];
  for (const { type, subjectId, data } of entries) {
    if (subjectId !== endpointId) continue;
    if (type === "webhook.replay_started")
      ranges.push({ first: numberIn(data, "firstSequence"), until: numberIn(data, "untilSequence"), isOpen: false });
    const last = ranges.at(-1);
    if (type === "webhook.replay_cancelled" && last !== undefined) last.until = numberIn(data, "nextSequence") - 1;
    if (type === "webhook.deleted" && last !== undefined) last.isOpen = true;
  }
  return ranges;
}

function numberIn({ changes }: KnownEntry["data"], field: string): number {
  const { to } = (changes as Record<string, { to?: unknown }> | undefined)?.[field] ?? {};
  if (typeof to !== "number") throw new Error(`the entry has no ${field}: ${JSON.stringify(changes)}`);
  return to;
}
