import { setImmediate } from "node:timers/promises";
import { type Actor, createBudgetService, type SendOutcome, type SendRequest, type Store } from "@budgetkit/core";
import type { Delivery } from "@budgetkit/core/store";
import { type ManualClock, manualClock, memoryStore, rounds, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { type Fate, startProcess } from "./crashing-process.js";

const SEEDS = rounds({ small: 240, full: 2_000 });
const MAX_CRASHES = 12;
const MAX_ROUNDS = 2_000;
/** What a crash may cost: the lease of what was under way. Besides, receivers take their time, one after the other. */
const STUCK_MS = 60_000;
const SLACK_MS = 15 * 60_000;
/** A round begins no call later than this after it began itself. */
const TICK_BUDGET_MS = 30_000;
const SECRET = "a secret for the simulation, long enough";
const POLICIES = [[0, 60, 300, 1_800, 7_200, 43_200], [0, 5, 5], [0], [0, 1, 1, 1]];
const DEFAULT_POLICY = POLICIES[0] ?? [];
const FATES: readonly Fate[] = ["fails", "dies-before", "dies-after"];

/** One seed's world: what is stored outlives every process; the receiver is beyond all of them. */
interface Simulation {
  readonly draw: (below: number) => number;
  readonly pick: <T>(entries: readonly T[]) => T;
  readonly clock: ManualClock;
  readonly store: Store;
  readonly actor: Actor;
  readonly api: ReturnType<typeof createBudgetService>; // the process that takes requests, which never dies here
  readonly policies: Map<string, readonly number[]>; // by subscriber
  readonly left: Set<string>; // subscribers that were removed, disabled or revoked during the run
  readonly calls: Map<string, SendRequest[]>; // by delivery_id, as the receiver saw them
  readonly accepted: Set<string>; // delivery_ids that were answered with 2xx
  readonly gone: Set<string>; // delivery_ids that were answered with 410
  readonly options: Parameters<typeof createBudgetService>[0];
}

interface Outcome {
  readonly crashes: number;
  readonly deliveries: readonly Delivery[];
}

describe("deliveries in a world of crashes", () => {
  it("are never lost, never stuck, never too many and always the same", { timeout: 900_000 }, async () => {
    const seen = { crashes: 0, delivered: 0, failed: 0, cancelled: 0, pending: 0, retrying: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      try {
        await setImmediate(); // lets the test runner reach this worker: it gives up after a minute
        const { crashes, deliveries } = await simulate(seed);
        seen.crashes += crashes;
        for (const { status } of deliveries) seen[status] += 1;
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    // A simulation in which little happens would prove little.
    expect(seen.crashes).toBeGreaterThan(2.5 * SEEDS);
    expect(seen.delivered).toBeGreaterThan(5 * SEEDS);
    expect(seen.failed).toBeGreaterThan(SEEDS);
    expect(seen.cancelled).toBeGreaterThan(0.08 * SEEDS);
    expect(seen.pending + seen.retrying).toBe(0);
  });
});

async function simulate(seed: number): Promise<Outcome> {
  const simulation = await begin(seed);
  const { draw, pick, clock, store, options } = simulation;
  const script = planChanges(simulation);
  const sender = { send: (request: SendRequest) => receive(simulation, request) };
  const living = () => startProcess(options, sender, Number.POSITIVE_INFINITY, "fails");
  const doomed = () => startProcess(options, sender, 1 + draw(60), pick(FATES));
  const rival = draw(3) === 0 ? living() : null; // another process on the same store, at the same time
  let crashes = 0;
  let process = doomed();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    while ((script[0]?.at ?? Number.POSITIVE_INFINITY) <= clock.now()) await script.shift()?.change();
    const startedAt = clock.now();
    const ticking = process.service.webhooks.tick().then(
      () => "done" as const,
      () => "failed" as const,
    );
    const [outcome] = await Promise.all([Promise.race([ticking, process.death]), rival?.service.webhooks.tick()]);
    const hadTime = clock.now() - startedAt <= TICK_BUDGET_MS;
    if (outcome === "done" && hadTime && !process.hasFaltered()) await expectNothingOverdue(store, startedAt);
    if (process.hasFaltered()) {
      crashes += 1;
      process = crashes < MAX_CRASHES ? doomed() : living();
      continue; // at once, as a supervisor would
    }
    const next = await nextMoment(simulation, script[0]?.at ?? null);
    if (next === null) return { crashes, deliveries: await expectPromisesKept(simulation, crashes) };
    clock.set(Math.max(clock.now(), next));
  }
  throw new Error(`not at rest after ${MAX_ROUNDS} rounds`);
}

async function begin(seed: number): Promise<Simulation> {
  const random = seededRandom(seed);
  const [a = 0, b = 0] = seededRandom(seed).bytes(2);
  const fates = seededRandom(seed * 65_537 + a * 256 + b);
  const draw = (below: number): number => {
    const [high = 0, low = 0] = fates.bytes(2);
    return (high * 256 + low) % below;
  };
  const pick = <T>(entries: readonly T[]): T => {
    for (const entry of entries.slice(draw(entries.length))) return entry;
    throw new RangeError("nothing to pick from");
  };
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const store = memoryStore();
  const options = { store, secret: SECRET, clock, random, onError: () => {} };
  const api = createBudgetService(options);
  const business = (await api.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor: Actor = { kind: "system", businessId: business.id };
  const policies = new Map<string, readonly number[]>();
  for (let count = 1 + draw(3); count > 0; count -= 1) {
    const delaysSeconds = pick(POLICIES);
    const settings = { url: "https://hooks.example/", retryPolicy: { delaysSeconds: [...delaysSeconds] } };
    const made = (await api.webhooks.create(actor, settings))._unsafeUnwrap();
    policies.set(`endpoint ${made.id}`, delaysSeconds);
  }
  const key = { name: "Shop", scopes: ["READ_BUDGETS" as const], webhookUrl: "https://hooks.example/key" };
  const made = (await api.keys.create(actor, key))._unsafeUnwrap();
  policies.set(`key ${made.id}`, DEFAULT_POLICY);
  return {
    draw,
    pick,
    clock,
    store,
    actor,
    api,
    policies,
    left: new Set(),
    calls: new Map(),
    accepted: new Set(),
    gone: new Set(),
    options,
  };
}

interface Change {
  readonly at: number;
  readonly change: () => Promise<unknown>;
}

/** What people do meanwhile: budgets, and now and then a subscriber that goes. */
function planChanges({ draw, pick, clock, api, actor, policies, left }: Simulation): Change[] {
  const changes: Change[] = [];
  const soon = () => clock.now() + draw(2) * draw(40_000) * 100;
  for (let count = 1 + draw(4); count > 0; count -= 1) {
    const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
    changes.push({
      at: soon(),
      change: async () => {
        const budget = (await api.budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
        if (draw(2) === 0) (await api.budgets.update(actor, budget.id, { status: "APPROVED" }))._unsafeUnwrap();
      },
    });
  }
  if (draw(4) === 0) {
    const subscriber = pick([...policies.keys()]);
    const [kind, id = ""] = subscriber.split(" ");
    changes.push({
      at: soon(),
      change: async () => {
        left.add(subscriber);
        if (kind === "key") (await api.keys.revoke(actor, id))._unsafeUnwrap();
        else if (draw(2) === 0) (await api.webhooks.delete(actor, id))._unsafeUnwrap();
        else (await api.webhooks.update(actor, id, { status: "DISABLED" }))._unsafeUnwrap();
      },
    });
  }
  return changes.sort((a, b) => a.at - b.at);
}

/** A receiver in all its moods. Time passes while it makes up its mind. */
async function receive({ draw, clock, calls, accepted, gone }: Simulation, request: SendRequest): Promise<SendOutcome> {
  const id = request.headers["webhook-id"] ?? "";
  calls.set(id, [...(calls.get(id) ?? []), request]);
  const durationMs = draw(10) === 0 ? draw(30_000) : draw(200);
  clock.advance(durationMs);
  const mood = draw(100);
  if (mood < 12) return { kind: "failed", error: "No whole answer came.", durationMs };
  const responseCode = mood < 60 ? 204 : mood < 62 ? 410 : mood < 80 ? 500 : mood < 90 ? 503 : 302;
  if (responseCode === 204) accepted.add(id);
  if (responseCode === 410) gone.add(id);
  const retryAfterSeconds = responseCode === 503 ? draw(100_000) : null;
  return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds, durationMs };
}

/** When something happens next; null = nothing does. */
async function nextMoment({ store, clock }: Simulation, change: number | null): Promise<number | null> {
  if ((await store.findUndispatchedEvents(1)).length > 0) return clock.now();
  const due = await store.nextDueAt();
  if (due === null || change === null) return due ?? change;
  return Math.min(due, change);
}

/** What was due when an undisturbed round began has been seen to: nothing waits longer than lease and sweep. */
async function expectNothingOverdue(store: Store, startedAt: number): Promise<void> {
  const due = await store.nextDueAt();
  if (due !== null) expect(due).toBeGreaterThan(startedAt);
}

async function expectPromisesKept(simulation: Simulation, crashes: number): Promise<readonly Delivery[]> {
  const { store, actor, policies, left, calls, accepted, gone } = simulation;
  const everything = { subscriber: null, status: null, eventType: null, limit: 10_000, offset: 0 };
  const deliveries = (await store.listDeliveries(actor.businessId, everything)).entries;
  const all = { type: null, subjectId: null, since: null, until: null, limit: 10_000, offset: 0 };
  const entries = (await store.listEvents(actor.businessId, all)).entries; // audit entries of keys and endpoints too
  const events = entries.filter(({ type }) => type.startsWith("budget."));
  await expectEachDeliveredOnce(simulation, events, deliveries);
  for (const delivery of deliveries) {
    const { id, status, attempts, deadlineAt, updatedAt } = delivery;
    const policy = policies.get(nameOf(delivery)) ?? [];
    const received = calls.get(id) ?? [];
    expect(["delivered", "failed", "cancelled"]).toContain(status);
    expect(updatedAt).toBeLessThanOrEqual(deadlineAt + crashes * STUCK_MS + SLACK_MS);
    expect(received.length).toBeLessThanOrEqual(policy.length);
    // A claim beyond the last attempt is refunded by the worker that finds it, unless the delivery is cancelled first.
    if (status !== "cancelled") expect(attempts).toBeLessThanOrEqual(policy.length);
    expect(received.length).toBeLessThanOrEqual(attempts);
    expect(new Set(received.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
    for (const { body } of received) expect(body).toBe(delivery.body);
    expect(JSON.parse(delivery.body).metadata.delivery_id).toBe(id);
    if (status === "delivered") expect(accepted.has(id)).toBe(true);
    if (status === "failed") expect(attempts === policy.length || gone.has(id) || hasRunOut(delivery)).toBe(true);
    if (status === "cancelled") expect(left.has(nameOf(delivery)) || (await isDisabled(store, delivery))).toBe(true);
  }
  return deliveries;
}

/** The next attempt would have come after the deadline. */
function hasRunOut({ createdAt, deadlineAt, updatedAt }: Delivery): boolean {
  return updatedAt > createdAt + (deadlineAt - createdAt) / 3;
}

async function expectEachDeliveredOnce(
  { store, actor, policies, left }: Simulation,
  events: readonly { readonly id: string }[],
  deliveries: readonly Delivery[],
): Promise<void> {
  const pairs = deliveries.map((delivery) => `${delivery.eventId} ${nameOf(delivery)}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(await store.findUndispatchedEvents(1)).toEqual([]);
  for (const subscriber of policies.keys()) {
    const [kind, id = ""] = subscriber.split(" ");
    const isGone = kind === "endpoint" && (await store.findEndpoint(actor.businessId, id))?.status === "DISABLED";
    if (left.has(subscriber) || isGone) continue;
    for (const event of events) expect(pairs).toContain(`${event.id} ${subscriber}`);
  }
}

async function isDisabled(store: Store, { businessId, subscriber }: Delivery): Promise<boolean> {
  if (subscriber.kind === "key") return false;
  return (await store.findEndpoint(businessId, subscriber.id))?.status === "DISABLED";
}

function nameOf({ subscriber }: Delivery): string {
  return `${subscriber.kind} ${subscriber.id}`;
}
