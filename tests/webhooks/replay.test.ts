import { type Actor, createBudgetService, type SendRequest, type Store } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { type ManualClock, manualClock, memoryStore, rounds, seededRandom } from "@budgetkit/testing";
import { afterEach, describe, expect, it } from "vitest";

const EVENTS = rounds({ small: 150, full: 10_000 });
/** Each tick reads all deliveries of the memory store. */
const EVENTS_IN_MEMORY = rounds({ small: 150, full: 1_000 });
const FAILING_PERCENT = 30;
const SECRET = "a secret for the replay, long enough to be one";

interface Payload {
  readonly event: string;
  readonly data: { readonly id: string; readonly budget: Record<string, unknown> | null };
  readonly metadata: {
    readonly delivery_id: string;
    readonly event_id: string;
    readonly sequence: number;
    readonly replay?: true;
  };
}

const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function worldOn(store: Store) {
  stores.push(store);
  await store.migrate();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const draw = drawOf(7);
  const bodies = new Map<string, string[]>(); // by delivery_id, each attempt
  const accepted: Payload[] = [];
  const send = async ({ body }: SendRequest) => {
    const payload: Payload = JSON.parse(body);
    const { delivery_id } = payload.metadata;
    bodies.set(delivery_id, [...(bodies.get(delivery_id) ?? []), body]);
    const responseCode = draw(100) < FAILING_PERCENT ? 500 : 204;
    if (responseCode === 204) accepted.push(payload);
    return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds: null, durationMs: 1 } as const;
  };
  const processOn = (port: Store) =>
    createBudgetService({
      store: port,
      secret: SECRET,
      clock,
      random: seededRandom(3),
      webhooks: { sender: { send } },
      onError: () => {},
    });
  const service = processOn(store);
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor: Actor = { kind: "system", businessId: business.id };
  return { store, clock, draw, service, processOn, actor, bodies, accepted };
}
type World = Awaited<ReturnType<typeof worldOn>>;

function drawOf(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => {
    const [high = 0, low = 0] = random.bytes(2);
    return (high * 256 + low) % below;
  };
}

/** Budgets that were created, changed, moved and deleted, with at least this many events. */
async function history({ service, actor, draw, clock }: World, events: number) {
  const ids: string[] = [];
  let made = 0;
  const stopCounting = service.on("*", () => {
    made += 1;
  });
  while (made < events) {
    clock.advance(1_000);
    const id = draw(4) === 0 ? undefined : ids[draw(ids.length + 1)];
    if (id === undefined) {
      const items = [{ description: `Chair ${made}`, quantity: 1 + draw(5), unitPrice: 10 + draw(90) }];
      ids.push(
        (await service.budgets.create(actor, { customerId: "ana", items, draft: draw(2) === 0 }))._unsafeUnwrap().id,
      );
      continue;
    }
    await changeBudget(service, actor, id, draw(6), made); // refused where it is no move of the budget
  }
  stopCounting();
  return { ids, made };
}

function changeBudget({ budgets }: World["service"], actor: Actor, id: string, kind: number, made: number) {
  if (kind === 0) return budgets.submit(actor, id);
  if (kind === 1) return budgets.update(actor, id, { status: "APPROVED" });
  if (kind === 2 && made % 5 === 0) return budgets.delete(actor, id);
  return budgets.update(actor, id, { notes: `Note ${made}` });
}

/** Ticks at each moment at which something falls due, until nothing waits any more. */
async function runOut(store: Store, clock: ManualClock, processes: readonly World["service"][]): Promise<void> {
  for (;;) {
    const counts = await Promise.all(processes.map((each) => each.webhooks.tick()));
    const isAtWork = counts.some(({ delivered, retrying, failed }) => delivered + retrying + failed > 0);
    const due = await store.nextDueAt();
    const running = await store.findRunningReplays(null, 1);
    if (due === null && running.length === 0) return;
    if (!isAtWork && due !== null) clock.set(Math.max(clock.now(), due));
  }
}

/** What a receiver holds that keeps the highest version of each budget. */
function rebuilt(payloads: readonly Payload[]): ReadonlyMap<string, Record<string, unknown>> {
  const budgets = new Map<string, Record<string, unknown>>();
  for (const { data } of payloads) {
    if (data.budget === null) continue;
    const former = budgets.get(data.id);
    if (former === undefined || Number(former.version) <= Number(data.budget.version))
      budgets.set(data.id, data.budget);
  }
  return budgets;
}

async function stored({ service, actor }: World, ids: readonly string[]): Promise<Map<string, unknown>> {
  const budgets = new Map<string, unknown>();
  for (const id of ids) {
    const read = await service.budgets.get(actor, id);
    if (read.isErr()) continue; // deleted
    const { availableActions: _, ...budget } = read.value;
    budgets.set(id, JSON.parse(JSON.stringify(budget)));
  }
  return budgets;
}

const SETTINGS = {
  url: "https://hooks.example/late",
  events: ["budget.*" as const],
  retryPolicy: { delaysSeconds: [0, ...Array.from({ length: 9 }, () => 5)] },
};

describe.each([
  ["memory", "subject", EVENTS_IN_MEMORY, () => memoryStore()],
  ["SQLite", "none", EVENTS, () => sqliteStore(":memory:")],
] as const)(
  "an endpoint that is added late, on the %s store, with the ordering %s",
  (_name, ordering, events, open) => {
    it("rebuilds every budget from a replay, with a third of its calls failing", { timeout: 600_000 }, async () => {
      const world = await worldOn(open());
      const { service, actor, store, clock, accepted, bodies } = world;
      const { ids, made } = await history(world, events);
      await service.webhooks.tick();
      expect(bodies.size).toBe(0);
      const { id } = (await service.webhooks.create(actor, { ...SETTINGS, ordering }))._unsafeUnwrap();
      const started = (await service.webhooks.replay(actor, id, { fromSequence: 1 }))._unsafeUnwrap();
      await runOut(store, clock, [service]);
      const ended = (await service.webhooks.getReplay(actor, id))._unsafeUnwrap();
      expect(ended).toMatchObject({ id: started.id, status: "finished", nextSequence: ended.untilSequence + 1 });
      expect(ended.sent).toBe(made);
      expect(bodies.size).toBe(ended.sent);
      expect(rebuilt(accepted)).toEqual(await stored(world, ids));
      expectOnce(world);
      const attempts = [...bodies.values()].flat().length;
      expect(attempts / bodies.size).toBeGreaterThan(1.25);
    });

    it("a replay sends each event once, though processes die on the way", { timeout: 600_000 }, async () => {
      const world = await worldOn(open());
      const { service, actor, store, clock, processOn, accepted, bodies } = world;
      const { ids } = await history(world, events);
      const { id } = (await service.webhooks.create(actor, { ...SETTINGS, ordering }))._unsafeUnwrap();
      (await service.webhooks.replay(actor, id, { fromSequence: 1 }))._unsafeUnwrap();
      let deaths = 0;
      for (const fate of ["before", "after", "before", "after"] as const) {
        const dying = processOn(
          dyingAtStep(store, fate, () => {
            deaths += 1;
          }),
        );
        await Promise.allSettled([dying.webhooks.tick(), processOn(store).webhooks.tick()]);
        clock.advance(61_000); // what the dead one had leased is free again
      }
      await runOut(store, clock, [processOn(store), processOn(store)]);
      expect(deaths).toBeGreaterThan(1);
      const ended = (await service.webhooks.getReplay(actor, id))._unsafeUnwrap();
      expect(ended.status).toBe("finished");
      expect(bodies.size).toBe(ended.sent);
      expect(rebuilt(accepted)).toEqual(await stored(world, ids));
      expectOnce(world);
    });
  },
);

/** No event twice but for the attempts of one delivery, which send the same bytes; each is marked. */
function expectOnce({ bodies }: World): void {
  const payloads = [...bodies.values()].map(([first = ""]): Payload => JSON.parse(first));
  expect(new Set(payloads.map(({ metadata }) => metadata.event_id)).size).toBe(payloads.length);
  expect(payloads.every(({ metadata }) => metadata.replay === true)).toBe(true);
  for (const attempts of bodies.values()) expect(new Set(attempts).size).toBe(1);
}

/** The store of a process that is killed at its first step, before or after the commit: no call works from then on. */
function dyingAtStep(store: Store, fate: "before" | "after", onDeath: () => void): Store {
  let isDead = false;
  const die = (): never => {
    if (!isDead) onDeath();
    isDead = true;
    throw new Error("killed");
  };
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...args: readonly unknown[]) => {
        if (isDead) die();
        const isLast = name === "writeReplay";
        if (isLast && fate === "before") die();
        const answer = await Reflect.apply(member, target, args);
        return isLast ? die() : answer;
      };
    },
  });
}
