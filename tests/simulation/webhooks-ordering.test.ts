import { setImmediate } from "node:timers/promises";
import { type Actor, createBudgetService, type SendOutcome, type SendRequest, type Store } from "@budgetkit/core";
import type { Delivery } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import {
  drawInteger,
  drawOne,
  type ManualClock,
  manualClock,
  memoryStore,
  rounds,
  seededRandom,
} from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { type Fate, type Process, startProcess } from "./crashing-process.js";

const PROCESSES = 3;
const MAX_CRASHES = 12;
const MAX_ROUNDS = 500;
const FATES: readonly Fate[] = ["fails", "dies-before", "dies-after"];
const UNFINISHED = ["pending", "retrying"];

/** One seed's world: what is stored outlives every process; the receiver is beyond all of them. */
interface Simulation {
  readonly draw: (below: number) => number;
  readonly clock: ManualClock;
  readonly store: Store;
  readonly actor: Actor;
  readonly ordered: Set<string>; // ids of the endpoints that want order
  readonly calls: { endpoint: string; subject: string; sequence: number }[]; // in the order in which they came
  readonly open: Map<string, string>; // calls that are not answered: by endpoint and subject, the id of the delivery
  readonly violations: string[]; // what a call must not have seen: an error of a receiver would count as a failed call
  readonly options: Parameters<typeof createBudgetService>[0];
}

interface Seen {
  crashes: number;
  failed: number;
  delivered: number;
  overtakes: number; // of endpoints without order
}

describe.each([
  ["the memory store", () => memoryStore(), rounds({ small: 20, full: 2_000 })],
  ["the SQLite store", () => sqliteStore(":memory:", { limiter: "memory" }), rounds({ small: 6, full: 500 })],
])("deliveries in order, of processes that crash, on %s", (_, makeStore, seeds) => {
  it("come one after the other of each subject, hold back no other, and all end", { timeout: 900_000 }, async () => {
    const seen: Seen = { crashes: 0, failed: 0, delivered: 0, overtakes: 0 };
    for (let seed = 1; seed <= seeds; seed += 1) {
      const store = makeStore();
      try {
        await setImmediate(); // lets the test runner reach this worker
        await store.migrate();
        await simulate(seed, store, seen);
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
      } finally {
        await store.close();
      }
    }
    // A simulation in which little happens would prove little.
    expect(seen.crashes).toBeGreaterThan(2 * seeds);
    expect(seen.overtakes).toBeGreaterThan(seeds);
    expect(Math.min(seen.failed, seen.delivered)).toBeGreaterThan(seeds);
  });
});

async function simulate(seed: number, store: Store, seen: Seen): Promise<void> {
  const simulation = await begin(seed, store);
  const { draw, clock, options, actor } = simulation;
  const api = createBudgetService(options); // takes the requests, and never dies here
  const sender = { send: (request: SendRequest) => receive(simulation, request) };
  let crashes = 0;
  const start = (): Process =>
    crashes >= MAX_CRASHES
      ? startProcess(options, sender, Number.POSITIVE_INFINITY, "fails")
      : startProcess(options, sender, 1 + draw(60), FATES[draw(FATES.length)] ?? "fails");
  const processes = Array.from({ length: PROCESSES }, start);
  const changes = await planChanges(simulation, api);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (let count = draw(4); count > 0; count -= 1) await changes.shift()?.();
    const startedAt = clock.now();
    const ends = await Promise.all(processes.map(({ service, death }) => Promise.race([tickOf(service), death])));
    const isCalm = processes.every((process, index) => ends[index] === "done" && !process.hasFaltered());
    for (const [index, process] of processes.entries()) {
      if (!process.hasFaltered()) continue;
      crashes += 1;
      processes[index] = start(); // at once, as a supervisor would
    }
    while (simulation.open.size > 0) await setImmediate(); // a call of a dead process ends within its lease
    const due = await store.nextDueAt();
    if (isCalm && due !== null) expect(due).toBeGreaterThan(startedAt); // nothing that may begin was left waiting
    const mayEvent = changes.length > 0 || (await store.findUndispatchedEvents(1)).length > 0;
    if (!mayEvent && due === null) {
      seen.crashes += crashes;
      return expectOrderKept(simulation, await deliveriesOf(store, actor), seen);
    }
    if (isCalm && due !== null && (!mayEvent || draw(2) === 0)) clock.set(Math.max(clock.now(), due));
  }
  throw new Error(`not at rest after ${MAX_ROUNDS} rounds`);
}

function tickOf(service: Process["service"]): Promise<"done" | "failed"> {
  return service.webhooks.tick().then(
    () => "done",
    () => "failed",
  );
}

async function begin(seed: number, store: Store): Promise<Simulation> {
  const fates = seededRandom(seed * 7_919);
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const random = seededRandom(seed);
  const options = { store, secret: "a secret for the simulation, long enough", clock, random, onError: () => {} };
  const api = createBudgetService(options);
  const business = (await api.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor: Actor = { kind: "system", businessId: business.id };
  const ordered = new Set<string>();
  for (const ordering of ["subject", "none", "subject"] as const) {
    const delaysSeconds = drawOne(fates, [[0, 60, 300], [0, 5], [0]]);
    const endpoint = { url: "https://hooks.example/", ordering, retryPolicy: { delaysSeconds } };
    const { id } = (await api.webhooks.create(actor, endpoint))._unsafeUnwrap();
    if (ordering === "subject") ordered.add(id);
  }
  const draw = (below: number) => drawInteger(fates, below);
  return { draw, clock, store, actor, ordered, calls: [], open: new Map(), violations: [], options };
}

/** What people do meanwhile: changes of a few budgets. */
async function planChanges(
  { draw, actor }: Simulation,
  api: ReturnType<typeof createBudgetService>,
): Promise<(() => Promise<unknown>)[]> {
  const draft = { customerId: "c", items: [{ description: "Chair", quantity: 1, unitPrice: 10 }] };
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await api.budgets.create(actor, draft))._unsafeUnwrap().id);
  }
  return Array.from({ length: 10 + draw(10) }, (_, change) => async () => {
    (await api.budgets.update(actor, ids[draw(ids.length)] ?? "", { notes: `Change ${change}` }))._unsafeUnwrap();
  });
}

/** A receiver that fails often. It sees what is stored while it is called. */
async function receive(simulation: Simulation, request: SendRequest): Promise<SendOutcome> {
  const { draw, clock, store, actor, ordered, calls, open, violations } = simulation;
  const deliveryId = request.headers["webhook-id"] ?? "";
  const stored = await deliveriesOf(store, actor);
  const called = stored.find(({ id }) => id === deliveryId);
  const endpoint = called?.subscriber.id ?? "";
  const { sequence, subject } = nameOf(request.body);
  const lane = `${endpoint} ${subject}`;
  calls.push({ endpoint, subject, sequence });
  if (ordered.has(endpoint)) {
    const isEarlier = (name: ReturnType<typeof nameOf>) => name.subject === subject && name.sequence < sequence;
    const waiting = stored.filter(
      ({ subscriber, status }) => subscriber.id === endpoint && UNFINISHED.includes(status),
    );
    if (waiting.some(({ body }) => isEarlier(nameOf(body)))) violations.push(`${lane}: ${sequence} is early`);
    for (const event of await store.findUndispatchedEvents(1_000)) {
      if (isEarlier({ sequence: event.sequence, subject: event.subjectId })) violations.push(`${lane}: a gap`);
    }
    if (![undefined, deliveryId].includes(open.get(lane))) violations.push(`${lane}: two calls at once`);
    open.set(lane, deliveryId);
  }
  for (let turns = draw(4); turns > 0; turns -= 1) await setImmediate();
  const durationMs = draw(200);
  clock.advance(durationMs);
  open.delete(lane);
  if (draw(10) === 0) return { kind: "failed", error: "No whole answer came.", durationMs };
  const responseCode = draw(100) < 60 ? 204 : 500;
  return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds: null, durationMs };
}

function nameOf(body: string): { readonly sequence: number; readonly subject: string } {
  const { metadata, data } = JSON.parse(body);
  return { sequence: metadata.sequence, subject: data.id };
}

async function deliveriesOf(store: Store, { businessId }: Actor): Promise<readonly Delivery[]> {
  const everything = { subscriber: null, status: null, eventType: null, limit: 10_000, offset: 0 };
  return (await store.listDeliveries(businessId, everything)).entries;
}

function expectOrderKept(
  { ordered, calls, violations }: Simulation,
  deliveries: readonly Delivery[],
  seen: Seen,
): void {
  expect(violations).toEqual([]);
  for (const { status } of deliveries) {
    expect(UNFINISHED).not.toContain(status);
    if (status === "failed" || status === "delivered") seen[status] += 1;
  }
  const last = new Map<string, number>();
  for (const { endpoint, subject, sequence } of calls) {
    const lane = `${endpoint} ${subject}`;
    const isLate = sequence < (last.get(lane) ?? 0);
    if (ordered.has(endpoint)) expect(isLate).toBe(false);
    else if (isLate) seen.overtakes += 1;
    last.set(lane, Math.max(sequence, last.get(lane) ?? 0));
  }
}
