import type { Delivery } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import type { Subscriber, Tenant } from "../world/tenants.js";
import { count, type World } from "../world/world.js";
import { checkDelivery } from "./one-delivery.js";
import { checkOrder } from "./order.js";
import { checkReplays, isReplayed } from "./replays.js";
import { allDeliveries, allEvents, type Event } from "./stored.js";
import { receives } from "./subscriptions.js";

/** Every event went once to each of its subscribers, in order to those that want order, and to no other. */
export async function checkDeliveries(world: World, tenant: Tenant): Promise<void> {
  const [deliveries, events] = [await allDeliveries(world, tenant), await allEvents(world, tenant)];
  for (const delivery of deliveries) {
    checkDelivery(world, subscriberOf(tenant, delivery), delivery);
    count(world, `delivery ${delivery.status}`);
  }
  checkFilters(tenant, events, deliveries);
  checkOrder(world, tenant);
  const whole = await checkReached(world, tenant, events, deliveries);
  checkReplays(world, tenant, deliveries, whole);
  await checkCounts(world, tenant, deliveries);
}

function checkFilters(tenant: Tenant, events: readonly Event[], deliveries: readonly Delivery[]): void {
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const delivery of deliveries) {
    const [event, subscriber] = [byId.get(delivery.eventId ?? ""), subscriberOf(tenant, delivery)];
    if (event !== undefined && !receives(subscriber, event))
      throw new Violation("a filter lets only its events through", `event ${event.id} for ${subscriber.name}`);
  }
}

/** Returns the names of the subscribers that must have got every event. */
async function checkReached(
  world: World,
  tenant: Tenant,
  events: readonly Event[],
  deliveries: readonly Delivery[],
): Promise<Set<string>> {
  const pairs = deliveries
    .filter((delivery) => !isReplayed(delivery))
    .map((delivery) => `${delivery.eventId} for ${nameOf(delivery)}`);
  const twice = pairs.find((pair, index) => pairs.indexOf(pair) !== index);
  if (twice !== undefined) throw new Violation("an event goes once to a subscriber", `event ${twice}`);
  const known = new Set(pairs);
  const whole = new Set<string>();
  for (const subscriber of tenant.subscribers) {
    if (world.retentionMs !== null || (await missesEvents(world, tenant, subscriber))) continue;
    whole.add(subscriber.name);
    for (const event of events.filter((each) => receives(subscriber, each))) {
      const pair = `${event.id} for ${subscriber.name}`;
      if (!known.has(pair)) throw new Violation("every event reaches its subscribers", `event ${pair}`);
    }
  }
  return whole;
}

async function missesEvents({ store }: World, { businessId }: Tenant, { name, touched }: Subscriber): Promise<boolean> {
  const [kind, id = ""] = name.split(" ");
  if (touched || kind === "key") return touched;
  return (await store.findEndpoint(businessId, id))?.status !== "ACTIVE";
}

async function checkCounts({ store }: World, { businessId }: Tenant, deliveries: readonly Delivery[]): Promise<void> {
  const counted = await store.countDeliveries(businessId, 0);
  for (const [status, count] of Object.entries(counted)) {
    const recount = deliveries.filter((delivery) => delivery.status === status).length;
    if (recount !== count)
      throw new Violation("counters equal recounts", `${count} ${status} deliveries, not ${recount}`);
  }
}

function nameOf({ subscriber }: Delivery): string {
  return `${subscriber.kind} ${subscriber.id}`;
}

function subscriberOf({ subscribers }: Tenant, delivery: Delivery): Subscriber {
  const subscriber = subscribers.find(({ name }) => name === nameOf(delivery));
  if (subscriber !== undefined) return subscriber;
  throw new Violation("no business sees another", `delivery ${delivery.id} to ${nameOf(delivery)}`);
}
