import { type Ask, type Exchange, isRecord, type Json } from "../world/exchange.js";
import type { SimulatedProcess } from "../world/process.js";
import type { Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";

/** A client. It draws from its own stream, so that it does the same when shrinking leaves out another client. */
export interface Client {
  readonly world: World;
  readonly name: string;
  readonly tenant: Tenant;
  readonly other: Tenant;
  draw(below: number): number;
  pick<T>(entries: readonly T[]): T | undefined;
}

export const BUDGETS = "/api/public/budgets";

/** Sends one request to a process that the seed picks, or to the `wanted` one while it lives. */
export async function call(world: World, client: string, ask: Ask, wanted?: SimulatedProcess): Promise<Exchange> {
  const { scheduler, trace, processes } = world;
  await scheduler.pass(null, `request of ${client}`);
  let living = processes.filter(({ owner }) => owner.isAlive);
  while (living.length === 0) {
    await scheduler.pass(null, `${client} finds no process`, 250);
    living = processes.filter(({ owner }) => owner.isAlive);
  }
  const process = wanted?.owner.isAlive === true ? wanted : living[scheduler.draw(living.length)];
  if (process === undefined) throw new Error("no process was picked");
  const exchange: Exchange = {
    ...ask,
    client,
    startStep: scheduler.steps,
    startAt: scheduler.now,
    shownVersion: world.model.budgets.get(ask.budgetId ?? "")?.acknowledged ?? 0,
    endStep: Number.POSITIVE_INFINITY,
    endAt: Number.POSITIVE_INFINITY,
    status: null,
    isReplay: false,
    text: "",
    json: {},
  };
  world.exchanges.push(exchange);
  trace.add(scheduler.steps, scheduler.now, client, `→ ${process.owner.name}: ${described(ask)}`);
  scheduler.current = process.owner;
  const answer = await Promise.race([process.service.handle(requestOf(ask)), process.death]);
  exchange.endStep = scheduler.steps;
  exchange.endAt = scheduler.now;
  if (answer !== "dead") {
    exchange.status = answer.status;
    exchange.isReplay = answer.headers["idempotent-replayed"] === "true";
    exchange.text = typeof answer.body === "string" ? answer.body : "";
    exchange.json = parsed(exchange.text);
  }
  trace.add(scheduler.steps, scheduler.now, client, `← ${answered(exchange)}`);
  world.answered.push(exchange);
  return exchange;
}

const MOST_TRIES = 12;

/** Retries a request until an answer decides it, like a client after a lost answer. */
export async function insist(world: World, client: string, ask: Ask): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const exchange = await call(world, client, ask);
    const { status } = exchange;
    const isDecided = status !== null && status !== 503 && status !== 409;
    if (isDecided || tries >= MOST_TRIES) return exchange;
    await world.scheduler.pass(null, `${client} waits to try again`, 200 + world.scheduler.draw(40_000));
  }
}

function requestOf({ method, path, as, body, idempotencyKey, ifMatch, tenant }: Ask) {
  const headers: Record<string, string> = { accept: "application/json" };
  if (as === "owner") headers.authorization = `Bearer owner-of-${tenant.businessId}`;
  else if (as !== null) headers.authorization = `Bearer ${as.key}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  if (ifMatch !== undefined) headers["if-match"] = `"${ifMatch}"`;
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
  return {
    method,
    target: path,
    header: (name: string) => headers[name] ?? null,
    readBody: async () => bytes,
    streamBody: async function* () {
      yield bytes;
    },
    peerAddress: "192.0.2.1",
    original: null,
  };
}

function parsed(text: string): Json {
  if (!text.startsWith("{")) return {};
  return JSON.parse(text);
}

function described({ tenant, method, path, body, idempotencyKey, as }: Ask): string {
  const who = as === null ? "a customer" : tenant.name;
  const key = idempotencyKey === undefined ? "" : ` once as ${idempotencyKey}`;
  return `${who} ${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}${key}`;
}

function answered({ status, json, isReplay }: Exchange): string {
  if (status === null) return "no answer: the process died";
  const { data, error, details } = json;
  const shown = isRecord(data) ? summaryOf(data) : error === undefined ? "" : ` ${JSON.stringify({ error, details })}`;
  return `${status}${isReplay ? " (replayed)" : ""}${shown}`;
}

function summaryOf({ id, version, status, total }: Json): string {
  return ` budget ${String(id)} version ${String(version)} ${String(status)} total ${String(total)}`;
}
