import type { Ask, Json } from "../world/exchange.js";
import { idOf } from "../world/tenants.js";
import { BUDGETS, type Client, call } from "./client.js";

/** A client of one business names records of the other. */
export async function readOthers({ world, name, tenant, other, draw, pick }: Client): Promise<void> {
  const id = pick(other.budgets);
  if (id === undefined) return;
  const asks: readonly (readonly [Ask["method"], string, Json | undefined])[] = [
    ["GET", "", undefined],
    ["PUT", "", { status: "APPROVED" }],
    ["DELETE", "", undefined],
    ["POST", "/public-link", {}],
    ["POST", "/duplicate", undefined],
    ["GET", "/payments", undefined],
    ["GET", "/revisions", undefined],
    ["POST", "/complete", undefined],
  ];
  const [method, rest, body] = asks[draw(asks.length)] ?? ["GET", "", undefined];
  const content = body === undefined ? {} : { body };
  const path = `${BUDGETS}/${id}${rest}`;
  await call(world, name, { action: "foreign", tenant, method, path, as: tenant.key, foreign: true, ...content });
}

/** More requests than the key may make in an hour, and on some seeds more of them later in the hour. */
export async function hurry({ world, name, tenant, draw }: Client): Promise<void> {
  const ask: Ask = { action: "list", tenant, method: "GET", path: `${BUDGETS}?limit=1`, as: tenant.limited };
  const send = () => call(world, name, ask);
  await Promise.all(Array.from({ length: 3 + draw(9) }, send));
  if (draw(2) === 0) return;
  world.scheduler.now += 60_000 * draw(58);
  await Promise.all(Array.from({ length: 1 + draw(4) }, send));
}

export async function changeEndpoint({ world, name, tenant, pick, draw }: Client): Promise<void> {
  const subscriber = pick(tenant.subscribers.filter((each) => each.name.startsWith("endpoint")));
  if (subscriber === undefined || draw(2) === 0) return;
  subscriber.touched = true;
  const path = `/api/developer/webhooks/${idOf(subscriber)}`;
  const ask = { action: "endpoint", tenant, path, as: "owner" } as const;
  const status = draw(2) === 0 ? "ACTIVE" : "DISABLED";
  if (draw(3) === 0) await call(world, name, { ...ask, method: "DELETE" });
  else await call(world, name, { ...ask, method: "PUT", body: { status } });
}

/** Revokes or suspends a key. After the answer, every process refuses it. */
export async function endKey({ world, name, tenant, draw }: Client): Promise<void> {
  const { spare } = tenant;
  for (const subscriber of tenant.subscribers) if (subscriber.name === `key ${spare.id}`) subscriber.touched = true;
  const use = () => {
    const path = `${BUDGETS}?limit=1`;
    return call(world, name, { action: "use of a key", tenant, method: "GET", path, as: spare });
  };
  await use();
  spare.endingSince ??= world.scheduler.steps;
  const ask = { action: "end of a key", tenant, path: `/api-keys/${spare.id}`, as: "owner" } as const;
  const ended = await (draw(2) === 0
    ? call(world, name, { ...ask, method: "DELETE" })
    : call(world, name, { ...ask, method: "PUT", body: { status: "SUSPENDED" } }));
  if (ended.status === 200) spare.refusedFrom ??= world.scheduler.steps;
  await Promise.all([use(), use()]);
}

export async function recoverDeliveries({ world, name, tenant, pick }: Client): Promise<void> {
  const subscriber = pick(tenant.subscribers.filter((each) => each.name.startsWith("endpoint")));
  if (subscriber === undefined) return;
  const path = `/api/developer/webhooks/${idOf(subscriber)}/recover`;
  const body = { since: new Date(world.scheduler.now - 3_600_000).toISOString() };
  world.recovered.add(subscriber.name);
  await call(world, name, { action: "recover", tenant, method: "POST", path, as: "owner", body });
}

export async function readDashboard({ world, name, tenant }: Client): Promise<void> {
  const path = "/api/developer/dashboard/stats";
  await call(world, name, { action: "dashboard", tenant, method: "GET", path, as: "owner" });
  await call(world, name, { action: "events", tenant, method: "GET", path: "/api/developer/events", as: "owner" });
}
