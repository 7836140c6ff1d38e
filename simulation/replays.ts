import type { Delivery } from "@budgetkit/core/store";
import { type Client, call } from "./client.js";
import type { KnownEntry } from "./ledger.js";
import { receives } from "./subscriptions.js";
import type { Subscriber, Tenant } from "./tenants.js";
import { Violation } from "./violation.js";
import type { World } from "./world.js";

/** Starts a replay to an endpoint, looks at it, and cancels it now and then. */
export async function replayEvents({ world, name, tenant, pick, draw }: Client): Promise<void> {
  const subscriber = pick(tenant.subscribers.filter((each) => each.name.startsWith("endpoint")));
  if (subscriber === undefined) return;
  const path = `/api/developer/webhooks/${idOf(subscriber)}/replay`;
  const ask = { action: "replay", tenant, path, as: "owner" } as const;
  const newest = world.ledgers.get(tenant.businessId)?.length ?? 0;
  const body = { fromSequence: 1 + draw(newest + 1) };
  await Promise.all(
    Array.from({ length: draw(4) === 0 ? 2 : 1 }, () => call(world, name, { ...ask, method: "POST", body })),
  );
  if (draw(3) === 0) await call(world, name, { ...ask, method: "GET" });
  if (draw(3) === 0) await call(world, name, { ...ask, method: "DELETE" });
}

/** Whether a replay has further steps to take. One to an endpoint that is disabled waits. */
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

/** The entries that a replay went through, as the ledger has it; the end of a running one is open. */
interface Range {
  readonly first: number;
  until: number;
  isOpen: boolean;
}

/** Every event of a range was sent once a replay, and none was sent besides. */
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

function idOf({ name }: Subscriber): string {
  return name.split(" ")[1] ?? "";
}
