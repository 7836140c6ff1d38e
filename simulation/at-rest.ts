import { verifyWebhook } from "@budgetkit/core";
import type { Budget, Delivery } from "@budgetkit/core/store";
import { aBudgetQuery } from "@budgetkit/testing";
import { checkConsumers } from "./consumers.js";
import { checkLedger } from "./ledger.js";
import { checkReplays, isReplayed } from "./replays.js";
import { checkOrder, receives } from "./subscriptions.js";
import { LIMIT_PER_HOUR, type Subscriber, type Tenant } from "./tenants.js";
import { Violation } from "./violation.js";
import { MOST_SKEW_MS, type World } from "./world.js";

const HOUR_MS = 3_600_000;

/** Checked when all clients have ended, every process lives and nothing waits. */
export async function checkAtRest(world: World): Promise<void> {
  for (const tenant of world.tenants) {
    const budgets = await allBudgets(world, tenant);
    checkIntents(world, tenant, budgets);
    await checkCounters(world, tenant, budgets);
    await checkPayments(world, budgets);
    await checkDeliveries(world, tenant);
    await checkLedger(world, tenant);
    checkWindow(world, tenant);
  }
  await checkConsumers(world);
  checkBodies(world);
}

async function allBudgets({ store, scheduler }: World, { businessId }: Tenant): Promise<readonly Budget[]> {
  const { entries } = await store.listBudgets(businessId, queryAt(scheduler.now));
  return entries;
}

function queryAt(now: number) {
  return aBudgetQuery({ now, includeDeleted: true, order: "asc", limit: 10_000 });
}

/** Every acknowledged effect is there, and none is there twice. */
function checkIntents(
  { intents, intentOf, model }: World,
  { name, businessId }: Tenant,
  budgets: readonly Budget[],
): void {
  const counts = new Map<string, number>();
  for (const { id, metadata } of budgets) {
    const intent = intentOf.get(id) ?? String(metadata.intent);
    counts.set(intent, (counts.get(intent) ?? 0) + 1);
    if (model.budgets.get(id)?.tenant !== businessId)
      throw new Violation("no business sees another", `budget ${id} of ${name}`);
  }
  for (const [intent, count] of counts) {
    const { asked } = intents.get(intent) ?? { asked: 0 };
    if (count > asked)
      throw new Violation("one key, one effect", `${intent} made ${count} budgets, at most ${asked} were asked for`);
  }
  for (const { id, tenant } of model.budgets.values()) {
    if (tenant === businessId && !budgets.some((budget) => budget.id === id)) {
      throw new Violation("acknowledged writes stay", `budget ${id} of ${name} is gone`);
    }
  }
  for (const [intent, { done }] of intents) {
    const count = counts.get(intent);
    if (count !== undefined && count < done) {
      throw new Violation(
        "acknowledged writes stay",
        `${intent} was confirmed ${done} times, and made ${count} budgets`,
      );
    }
  }
}

/** The counters of lists and dashboards, and those of the quotas, equal a recount. */
async function checkCounters({ store, scheduler }: World, tenant: Tenant, budgets: readonly Budget[]): Promise<void> {
  const { businessId } = tenant;
  const counted = new Map<string, { budgets: number; total: bigint }>();
  for (const { status, currency, total } of budgets) {
    const name = `${status} ${currency}`;
    const sum = counted.get(name) ?? { budgets: 0, total: 0n };
    counted.set(name, { budgets: sum.budgets + 1, total: sum.total + BigInt(total) });
  }
  const sums = await store.sumBudgets(businessId, scheduler.now);
  for (const { status, currency, budgets: number, total } of sums) {
    const recount = counted.get(`${status} ${currency}`);
    if (recount?.budgets !== number || recount.total !== total) {
      throw new Violation(
        "counters equal recounts",
        `${number} ${status} budgets of ${total}, not ${recount?.budgets}`,
      );
    }
    counted.delete(`${status} ${currency}`);
  }
  if (counted.size > 0) throw new Violation("counters equal recounts", `no sum of ${[...counted.keys()].join(", ")}`);
  for (const status of new Set(budgets.map((budget) => budget.status))) {
    const page = await store.listBudgets(businessId, { ...queryAt(scheduler.now), status, limit: 1 });
    const recount = budgets.filter((budget) => budget.status === status).length;
    if (page.total !== recount)
      throw new Violation("counters equal recounts", `${page.total} ${status}, not ${recount}`);
  }
  const use = await store.measureStorage(businessId);
  if (use.budgets !== budgets.length) {
    throw new Violation("counters equal recounts", `the quota counts ${use.budgets} budgets, not ${budgets.length}`);
  }
}

async function checkPayments({ store }: World, budgets: readonly Budget[]): Promise<void> {
  for (const { businessId, id, paid, total } of budgets) {
    const { entries } = await store.listPayments(businessId, id, 1_000, 0);
    const sum = entries.reduce((all, { amount }) => all + amount, 0);
    if (sum !== paid || paid > total)
      throw new Violation("payments sum up", `budget ${id}: ${sum}, ${paid} of ${total}`);
    const references = new Set(entries.map(({ reference }) => reference));
    if (references.size !== entries.length) throw new Violation("one reference, one payment", `budget ${id}`);
  }
}

async function checkDeliveries(world: World, tenant: Tenant): Promise<void> {
  const { store } = world;
  const { businessId } = tenant;
  const query = { subscriber: null, status: null, eventType: null, limit: 10_000, offset: 0 };
  const { entries } = await store.listDeliveries(businessId, query);
  const all = { type: null, subjectId: null, since: null, until: null, limit: 10_000, offset: 0 };
  const events = (await store.listEvents(businessId, all)).entries;
  for (const delivery of entries) checkDelivery(world, tenant, delivery);
  const pairs = entries
    .filter((delivery) => !isReplayed(delivery))
    .map((delivery) => `${delivery.eventId} for ${nameOf(delivery)}`);
  const twice = pairs.find((pair, index) => pairs.indexOf(pair) !== index);
  if (twice !== undefined) throw new Violation("an event goes once to a subscriber", `event ${twice}`);
  const known = new Set(pairs);
  const types = new Map(events.map((event) => [event.id, event]));
  for (const delivery of entries) {
    const [event, subscriber] = [types.get(delivery.eventId ?? ""), subscriberOf(tenant, delivery)];
    if (event !== undefined && !receives(subscriber, event))
      throw new Violation("a filter lets only its events through", `event ${event.id} for ${subscriber.name}`);
  }
  checkOrder(world, tenant);
  const whole = new Set<string>(); // subscribers that got every event
  for (const subscriber of tenant.subscribers) {
    if (world.retentionMs !== null || (await missesEvents(world, tenant, subscriber))) continue;
    whole.add(subscriber.name);
    for (const event of events.filter((each) => receives(subscriber, each))) {
      const pair = `${event.id} for ${subscriber.name}`;
      if (!known.has(pair)) throw new Violation("every event reaches its subscribers", `event ${pair}`);
    }
  }
  checkReplays(world, tenant, entries, whole);
  const counted = await store.countDeliveries(businessId, 0);
  for (const [status, count] of Object.entries(counted)) {
    const recount = entries.filter((delivery) => delivery.status === status).length;
    if (recount !== count)
      throw new Violation("counters equal recounts", `${count} ${status} deliveries, not ${recount}`);
  }
}

async function missesEvents({ store }: World, { businessId }: Tenant, { name, touched }: Subscriber): Promise<boolean> {
  const [kind, id = ""] = name.split(" ");
  if (touched || kind === "key") return touched;
  return (await store.findEndpoint(businessId, id))?.status !== "ACTIVE";
}

function nameOf({ subscriber }: Delivery): string {
  return `${subscriber.kind} ${subscriber.id}`;
}

function subscriberOf({ subscribers }: Tenant, delivery: Delivery): Subscriber {
  const subscriber = subscribers.find(({ name }) => name === nameOf(delivery));
  if (subscriber !== undefined) return subscriber;
  throw new Violation("no business sees another", `delivery ${delivery.id} to ${nameOf(delivery)}`);
}

/** It has ended, within its schedule, and only with a reason. */
function checkDelivery({ receivers, recovered }: World, tenant: Tenant, delivery: Delivery): void {
  const { id, status, attempts, body } = delivery;
  const subscriber = subscriberOf(tenant, delivery);
  if (status === "pending" || status === "retrying") throw new Violation("every delivery ends", `${id} is ${status}`);
  const calls = receivers.calls.filter(({ headers }) => headers["webhook-id"] === id);
  if (calls.some((call) => call.body !== body)) throw new Violation("the bytes never change", `delivery ${id}`);
  if (calls.some(({ host }) => host !== subscriber.host))
    throw new Violation("no business sees another", `delivery ${id}`);
  const accepted = calls.some((call) => call.status !== null && call.status < 300);
  if (status === "delivered" && !accepted) throw new Violation("delivered means accepted", `delivery ${id}`);
  if (recovered.has(subscriber.name)) return; // each time begins another schedule
  const { length } = subscriber.delaysSeconds;
  if (calls.length > length) throw new Violation("a schedule ends", `delivery ${id} was sent ${calls.length} times`);
  if (calls.length > attempts)
    throw new Violation("a claimed attempt counts", `delivery ${id}: ${calls.length} of ${attempts}`);
  if (status === "failed" && attempts < length && !hasRunOut(delivery) && !receivers.gone.has(subscriber.host)) {
    throw new Violation("a schedule is used up", `delivery ${id} failed after ${attempts} of ${length} attempts`);
  }
  if (status === "cancelled" && !subscriber.touched && !receivers.gone.has(subscriber.host)) {
    throw new Violation("a cancellation has its reason", `delivery ${id}`);
  }
}

/** The next attempt would have come after the deadline. */
function hasRunOut({ createdAt, deadlineAt, updatedAt }: Delivery): boolean {
  return updatedAt > createdAt + (deadlineAt - createdAt) / 3;
}

/** Every callback is signed with its subscriber's secret, and holds nothing of another business. */
function checkBodies({ receivers, tenants }: World): void {
  const bodies = new Map<string, string>();
  for (const { host, headers, body } of receivers.calls) {
    const tenant = tenants.find(({ subscribers }) => subscribers.some((each) => each.host === host));
    const secret = tenant?.subscribers.find((each) => each.host === host)?.secret ?? "";
    const at = Number(headers["webhook-timestamp"]) * 1_000;
    const verified = verifyWebhook(headers, body, secret, { now: at });
    if (!verified.ok) throw new Violation("callbacks are signed", `to ${host}: ${verified.reason}`);
    const id = headers["webhook-id"] ?? "";
    if ((bodies.get(id) ?? body) !== body) throw new Violation("the bytes never change", `delivery ${id}`);
    bodies.set(id, body);
    if (verified.event.metadata.delivery_id !== id) throw new Violation("the bytes never change", `delivery ${id}`);
  }
}

/** In no hour are more requests admitted than the key has, and none is refused while there is room. */
function checkWindow({ exchanges }: World, tenant: Tenant): void {
  const sent = exchanges.filter(({ as }) => as === tenant.limited);
  const admitted = sent.filter(({ status }) => status !== null && status !== 429 && status !== 503 && status !== 401);
  const windowMs = HOUR_MS - 2 * MOST_SKEW_MS;
  for (const { startAt } of admitted) {
    const within = admitted.filter((each) => each.startAt >= startAt && each.endAt < startAt + windowMs);
    if (within.length > LIMIT_PER_HOUR) {
      throw new Violation("a window never admits too many", `${within.length} within an hour, of ${LIMIT_PER_HOUR}`);
    }
  }
  for (const refused of sent.filter(({ status }) => status === 429)) {
    const since = refused.startAt - HOUR_MS - 2 * MOST_SKEW_MS;
    const possible = sent.filter((each) => each.status !== 429 && each.endAt >= since && each.startAt <= refused.endAt);
    if (possible.length < LIMIT_PER_HOUR) {
      throw new Violation(
        "a window has room until it is full",
        `refused after ${possible.length} of ${LIMIT_PER_HOUR}`,
      );
    }
  }
}
