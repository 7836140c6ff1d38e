import type { Budget, Delivery } from "@budgetkit/core/store";
import { aBudgetQuery } from "@budgetkit/testing";
import type { Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";

type Store = World["store"];
export type Event = Awaited<ReturnType<Store["listEvents"]>>["entries"][number];

const ALL = { limit: 10_000, offset: 0 };

/** Every budget, deleted ones included. */
export function queryAt(now: number) {
  return aBudgetQuery({ now, includeDeleted: true, order: "asc", limit: ALL.limit });
}

export async function allBudgets({ store, scheduler }: World, { businessId }: Tenant): Promise<readonly Budget[]> {
  return (await store.listBudgets(businessId, queryAt(scheduler.now))).entries;
}

export async function allDeliveries({ store }: World, { businessId }: Tenant): Promise<readonly Delivery[]> {
  return (await store.listDeliveries(businessId, { subscriber: null, status: null, eventType: null, ...ALL })).entries;
}

export async function allEvents({ store }: World, { businessId }: Tenant): Promise<readonly Event[]> {
  return (await store.listEvents(businessId, { type: null, subjectId: null, since: null, until: null, ...ALL }))
    .entries;
}
