import { type Ask, type Exchange, isRecord } from "../world/exchange.js";
import { amountsOf, type Line, type Status } from "../world/model.js";
import type { LinkEnding, Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";
import { BUDGETS, type Client, call, insist } from "./client.js";

export async function createBudget({ world, name, tenant, draw }: Client): Promise<string | null> {
  const intent = `${name} of ${world.seed}`;
  const lines = drawLines(tenant, draw);
  const taxRate = draw(3) === 0 ? 0 : 0.21;
  const isDraft = draw(5) === 0;
  const discountAmount = draw(3) === 0 ? draw(100) / 100 : 0;
  const body = {
    customerId: "ana",
    items: lines,
    taxRate,
    discountAmount,
    notes: tenant.mark,
    metadata: { intent },
    ...(isDraft ? { draft: true } : {}),
    ...(draw(3) === 0 ? { validUntil: new Date(world.scheduler.now + 5_000 + draw(600_000)).toISOString() } : {}),
  };
  const ask: Ask = {
    action: "create",
    tenant,
    method: "POST",
    path: BUDGETS,
    as: tenant.key,
    body,
    to: isDraft ? "DRAFT" : "PENDING",
    amounts: amountsOf(lines, taxRate, Math.round(discountAmount * 100)),
  };
  return once(world, name, tenant, intent, draw(4) === 0 ? null : `key of ${name}`, ask, draw(3) === 0);
}

/**
 * Creates a budget once: by repeated requests with one key, some of them concurrent, or by a single one without. Returns
 * its id.
 */
async function once(
  world: World,
  name: string,
  tenant: Tenant,
  intent: string,
  key: string | null,
  ask: Ask,
  isHasty: boolean,
): Promise<string | null> {
  const known = world.intents.get(intent) ?? { asked: 0, done: 0 };
  known.asked += 1;
  world.intents.set(intent, known);
  const keyed = key === null ? ask : { ...ask, idempotencyKey: key.replaceAll(" ", "-") };
  const tries =
    key === null ? [call(world, name, ask)] : Array.from({ length: isHasty ? 2 : 1 }, () => insist(world, name, keyed));
  const answers = await Promise.all(tries);
  const made = answers.find(({ status }) => status === 201);
  if (made === undefined) {
    const isRefused = answers.every(({ status }) => status !== null && status >= 400 && status < 500 && status !== 409);
    if (isRefused) known.asked -= 1;
    return null;
  }
  known.done += 1;
  const { data } = made.json;
  if (!isRecord(data)) return null;
  const id = String(data.id);
  if (!tenant.budgets.includes(id)) {
    tenant.budgets.push(id);
    world.intentOf.set(id, intent);
  }
  return id;
}

function drawLines({ mark }: Tenant, draw: (below: number) => number): Line[] {
  return Array.from({ length: 1 + draw(3) }, (_, index) => ({
    description: `Item ${index} ${mark}`,
    quantity: (1 + draw(400)) / 100,
    unitPrice: (100 + draw(9_000)) / 100,
  }));
}

function known({ tenant, pick }: Client): string | undefined {
  return pick(tenant.budgets.slice(-3)); // few, so that clients meet
}

function askOf({ tenant, draw }: Client, id: string, rest: Partial<Ask> & Pick<Ask, "action" | "method">): Ask {
  return { tenant, path: `${BUDGETS}/${id}`, as: draw(8) === 0 ? "owner" : tenant.key, budgetId: id, ...rest };
}

export async function answerBudget(client: Client): Promise<void> {
  const id = known(client);
  const to = client.pick<Status>(["APPROVED", "APPROVED", "REJECTED", "PENDING", "EXPIRED"]);
  if (id === undefined || to === undefined) return;
  const body = { status: to, ...(client.draw(4) === 0 ? { notes: `${client.name} ${client.tenant.mark}` } : {}) };
  await call(client.world, client.name, askOf(client, id, { action: "update", method: "PUT", body, to }));
}

export async function editBudget(client: Client): Promise<void> {
  const { draw, tenant, name, world } = client;
  const id = known(client);
  if (id === undefined) return;
  const lines = drawLines(tenant, draw);
  const content = draw(2) === 0;
  const body = content
    ? { items: lines, taxRate: 0.1, discountAmount: 0 }
    : { metadata: { intent: world.intentOf.get(id), edited: name } };
  const amounts = content ? { amounts: amountsOf(lines, 0.1, 0) } : {};
  if (draw(3) > 0) {
    await call(world, name, askOf(client, id, { action: "edit", method: "PUT", body, ...amounts }));
    return;
  }
  const read = await call(world, name, askOf(client, id, { action: "read", method: "GET" }));
  const version = versionIn(read);
  if (version === null) return;
  const ask = askOf(client, id, { action: "edit", method: "PUT", body, ...amounts, ifMatch: version });
  await call(world, name, ask);
}

/** Several changes of one budget, so that deliveries of one subject wait for each other. */
export async function editOften(client: Client): Promise<void> {
  const { draw, tenant, name, world } = client;
  const id = known(client) ?? (await createBudget(client));
  if (id === null) return;
  for (let left = 2 + draw(4); left > 0; left -= 1) {
    const body = { notes: `${left} further changes by ${name} ${tenant.mark}` };
    await call(world, name, askOf(client, id, { action: "edit", method: "PUT", body }));
  }
}

function versionIn({ status, json: { data } }: Exchange): number | null {
  return status === 200 && isRecord(data) && typeof data.version === "number" ? data.version : null;
}

const ACTS: readonly (readonly [string, Status])[] = [
  ["submit", "PENDING"],
  ["withdraw", "DRAFT"],
  ["complete", "COMPLETED"],
  ["archive", "ARCHIVED"],
  ["reopen", "PENDING"],
];

export async function moveBudget(client: Client): Promise<void> {
  const { draw, name, world } = client;
  const id = known(client);
  const act = client.pick(ACTS);
  if (id === undefined || act === undefined) return;
  const [action, to] = act;
  const path = `${BUDGETS}/${id}/${action}`;
  const body = action === "reopen" ? { body: { reason: "changed" } } : {};
  const key = draw(2) === 0 ? { idempotencyKey: `${action}-by-${name.replaceAll(" ", "-")}` } : {};
  const ask = askOf(client, id, { action, method: "POST", path, to, ...body, ...key });
  await (draw(2) === 0 && "idempotencyKey" in key ? insist : call)(world, name, ask);
}

export async function payBudget(client: Client): Promise<void> {
  const { draw, name, world } = client;
  const id = known(client);
  if (id === undefined) return;
  const reference = `payment-${draw(3)}`;
  const body = { amount: (1 + draw(25)) * 10 + Number(reference.at(-1)), reference };
  const path = `${BUDGETS}/${id}/payments`;
  const second = { amount: 95, reference: "second" };
  if (draw(2) === 0) await call(world, name, askOf(client, id, { action: "pay", method: "POST", path, body: second }));
  const ask = askOf(client, id, { action: "pay", method: "POST", path, body });
  await (draw(2) === 0 ? call(world, name, ask) : Promise.all([insist(world, name, ask), insist(world, name, ask)]));
}

export async function deleteOrRestore(client: Client): Promise<void> {
  const id = known(client);
  if (id === undefined) return;
  const { name, world } = client;
  await call(world, name, askOf(client, id, { action: "delete", method: "DELETE", to: "DELETED" }));
  if (client.draw(2) === 0) return;
  const path = `${BUDGETS}/${id}/restore`;
  await call(world, name, askOf(client, id, { action: "restore", method: "POST", path }));
}

/** The customer opens the link, and answers the version that it shows. Some links end before that. */
export async function useLink(client: Client): Promise<void> {
  const { world, name, tenant, draw } = client;
  const id = known(client);
  if (id === undefined) return;
  const path = `${BUDGETS}/${id}/public-link`;
  const body = draw(4) === 0 ? { rotate: true } : {};
  const ending = "rotate" in body ? endLinks(client, id) : null;
  const made = await call(world, name, askOf(client, id, { action: "link", method: "POST", path, body }));
  if (ending !== null && made.status !== null && made.status < 300) ending.endStep = made.endStep;
  const { data } = made.json;
  if (!isRecord(data) || typeof data.publicToken !== "string") return;
  const token = data.publicToken;
  tenant.links.push({ budgetId: id, token, made });
  const opened = await openLink(client, id, token);
  if (draw(6) === 0) {
    const end = endLinks(client, id);
    const ended = await call(world, name, askOf(client, id, { action: "unlink", method: "DELETE", path }));
    if (ended.status === 200) end.endStep = ended.endStep;
  }
  const version = versionIn(opened);
  if (version !== null) await answerLink(client, id, token, opened.json.data, version);
}

function openLink({ world, name, tenant }: Client, budgetId: string, token: string): Promise<Exchange> {
  const ask: Ask = { action: "open", tenant, method: "GET", path: `/p/${token}`, as: null, budgetId, token };
  return call(world, name, ask);
}

async function answerLink(client: Client, budgetId: string, token: string, shown: unknown, version: number) {
  const { world, name, tenant, draw } = client;
  const answer = (["accept", "accept", "decline", "request-change"] as const)[draw(4)] ?? "accept";
  const hash = isRecord(shown) && typeof shown.hash === "string" ? { hash: shown.hash } : {};
  const words = answer === "request-change" ? { message: `Cheaper ${tenant.mark}` } : hash;
  const body = { version, name: "Ana", ...words };
  const to: { to?: Status } = answer === "accept" ? { to: "APPROVED" } : answer === "decline" ? { to: "REJECTED" } : {};
  const path = `/p/${token}/${answer}`;
  await call(world, name, { action: answer, tenant, method: "POST", path, as: null, budgetId, token, body, ...to });
}

function endLinks({ tenant, world }: Client, budgetId: string): LinkEnding {
  const ending: LinkEnding = { budgetId, startStep: world.scheduler.steps, endStep: null };
  tenant.linkEndings.push(ending);
  return ending;
}

/** Approves a budget at the millisecond of its expiry, or one millisecond before or after. */
export async function answerAtExpiry(client: Client): Promise<void> {
  const { world, name, draw } = client;
  const id = draw(3) === 0 ? known(client) : await createBudget(client);
  if (id === undefined || id === null) return;
  const inMs = 1_000 + draw(20_000);
  const validUntil = world.scheduler.now + inMs;
  const body = { validUntil: new Date(validUntil).toISOString() };
  await call(world, name, askOf(client, id, { action: "edit", method: "PUT", body }));
  const process = client.pick(world.processes.filter(({ owner }) => owner.isAlive)); // its clock decides
  const beside = draw(2) === 0 ? 0 : draw(3) - 1;
  const waitMs = Math.max(0, validUntil - (process?.skewMs ?? 0) - world.scheduler.now + beside);
  await world.scheduler.pass(null, `${name} waits for the expiry of ${id}`, waitMs);
  const approve = () =>
    call(
      world,
      name,
      askOf(client, id, { action: "update", method: "PUT", body: { status: "APPROVED" }, to: "APPROVED" }),
      process,
    );
  await Promise.all(draw(2) === 0 ? [approve(), approve()] : [approve()]);
}

export async function duplicateBudget(client: Client): Promise<void> {
  const { world, name, tenant } = client;
  const id = known(client);
  const intent = id === undefined ? undefined : world.intentOf.get(id);
  if (id === undefined || intent === undefined) return;
  const path = `${BUDGETS}/${id}/duplicate`;
  const ask = askOf(client, id, { action: "duplicate", method: "POST", path });
  await once(world, name, tenant, intent, `copy by ${name}`, { ...ask, as: tenant.key }, client.draw(3) === 0);
}

export async function readBudget(client: Client): Promise<void> {
  const { world, name, tenant } = client;
  const id = known(client);
  if (id !== undefined) await call(world, name, askOf(client, id, { action: "read", method: "GET" }));
  await call(world, name, { action: "list", tenant, method: "GET", path: `${BUDGETS}?limit=100`, as: tenant.key });
}
