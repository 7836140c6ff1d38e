import type { Delivery } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import type { ReceivedCall } from "../world/receivers.js";
import type { Subscriber, Tenant } from "../world/tenants.js";
import { count, type World } from "../world/world.js";
import { allDeliveries } from "./stored.js";

const INVARIANT = "ordered events follow each other";

/** Which event a callback brings. */
interface Brought {
  readonly id: string; // of the delivery
  readonly sequence: number;
  readonly subject: string;
  readonly isReplay: boolean;
}

function broughtBy(body: string): Brought {
  const { event, data, metadata } = JSON.parse(body);
  const { delivery_id: id, sequence, replay } = metadata;
  return { id, sequence, subject: `${String(event).split(".")[0]} ${data.id}`, isReplay: replay === true };
}

/**
 * An ordered subscriber gets the events of a subject by their sequences. In a punctual world this holds for every call,
 * else for the first call of each event: a process that hangs may repeat a call late.
 */
export function checkOrder(world: World, { subscribers }: Tenant): void {
  const { receivers, kind } = world;
  for (const { name, host, isOrdered } of subscribers) {
    const called = new Map<string, number>(); // by subject: the highest sequence
    const seen = new Set<string>();
    for (const call of receivers.calls.filter((each) => each.host === host)) {
      const { id, sequence, subject, isReplay } = broughtBy(call.body);
      if (isReplay || (seen.has(id) && !kind.isPunctual)) continue;
      seen.add(id);
      const before = called.get(subject) ?? 0;
      called.set(subject, Math.max(sequence, before));
      if (sequence >= before) continue;
      if (isOrdered) throw new Violation(INVARIANT, `event ${sequence} of ${subject} came to ${name} after ${before}`);
      count(world, "call out of order");
    }
  }
}

/**
 * Checked in the step in which a call begins: no other call of its delivery is in flight. Of an ordered subscriber, no
 * earlier event of the subject has an unfinished delivery or waits for its fan-out, and no call of the subject is in flight.
 */
export async function checkBeginning(world: World, call: ReceivedCall): Promise<void> {
  const { store, scheduler, tenants, receivers } = world;
  const others = receivers.openCalls().filter((open) => open !== call && open.host === call.host);
  const id = call.headers["webhook-id"] ?? "";
  if (others.some(({ headers }) => headers["webhook-id"] === id))
    throw new Violation("one call of a delivery at a time", `delivery ${id}`);
  const tenant = tenants.find(({ subscribers }) => subscribers.some(({ host }) => host === call.host));
  const subscriber = tenant?.subscribers.find(({ host }) => host === call.host);
  if (tenant === undefined || subscriber?.isOrdered !== true) return;
  const { sequence, subject } = broughtBy(call.body);
  const isEarlier = (other: Pick<Brought, "subject" | "sequence">) =>
    other.subject === subject && other.sequence < sequence;
  const fail = (why: string): never => {
    throw new Violation(INVARIANT, `event ${sequence} of ${subject} is called at ${subscriber.name} ${why}`);
  };
  const { deliveries, events } = await scheduler.outside(async () => ({
    deliveries: await unfinishedDeliveries(world, tenant, subscriber),
    events: await store.findUndispatchedEvents(1_000),
  }));
  if (deliveries.some(({ body }) => isEarlier(broughtBy(body)))) fail("while one before it is unfinished");
  for (const { businessId, type, subjectId, sequence: at } of events) {
    const isSame = businessId === tenant.businessId;
    if (isSame && isEarlier({ subject: `${type.split(".")[0]} ${subjectId}`, sequence: at }))
      fail("while one before it has no delivery");
  }
  if (others.some(({ body }) => broughtBy(body).subject === subject)) fail("during another call");
}

async function unfinishedDeliveries(world: World, tenant: Tenant, { name }: Subscriber): Promise<readonly Delivery[]> {
  const deliveries = await allDeliveries(world, tenant);
  return deliveries.filter(({ subscriber: { kind, id }, status }) => {
    return `${kind} ${id}` === name && (status === "pending" || status === "retrying");
  });
}
