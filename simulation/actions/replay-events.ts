import { idOf } from "../world/tenants.js";
import { type Client, call } from "./client.js";

/** Starts a replay to an endpoint. On some seeds it reads or cancels it. */
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
