import { aBudget, aBusiness, anEvent, manualClock, memoryStore, outcomeOf, seededRandom } from "@budgetkit/testing";
import { afterEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import { insertBusinessCommit } from "./access/access-commits.js";
import { insertBudgetCommit } from "./budgets/budget-commits.js";
import { auditCommit } from "./commit/commit.js";
import { createBudgetService } from "./create-service.js";
import { EventsRefused } from "./events/follow-events.js";
import { StoreUnavailable } from "./kernel/problem.js";
import type { LoggedEvents } from "./service-event-log.js";
import type { BudgetEventData } from "./service-events.js";
import type { Store } from "./store.js";

const input = { customerId: "c", items: [{ description: "Chair", quantity: 1, unitPrice: 10 }] };

async function logWorld(store: Store = memoryStore()) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const onError = vi.fn();
  const secret = "a secret of at least thirty-two characters";
  const service = createBudgetService({ store, secret, clock, random: seededRandom(1), onError });
  onTestFinished(() => service.stop());
  const business = aBusiness(); // without an entry of its creation
  await store.commit(insertBusinessCommit(business));
  const actor = { kind: "system", businessId: business.id } as const;
  return {
    service,
    store,
    clock,
    actor,
    onError,
    /** An event of a new budget. */
    create: async () => (await service.budgets.create(actor, input))._unsafeUnwrap().id,
    /** An entry that only an audit reads. */
    audit: (id: string) =>
      outcomeOf(
        store,
        auditCommit({
          ...anEvent({ id, businessId: business.id, occurredAt: clock.now() }),
          type: "user.login_failed",
        }),
      ),
    read: async (query: Parameters<typeof service.events.read>[1] = {}) =>
      (await service.events.read(actor, query))._unsafeUnwrap(),
  };
}

const sequencesOf = ({ events }: LoggedEvents) => events.map(({ sequence }) => sequence);

afterEach(() => vi.useRealTimers());

describe("reading events", () => {
  it("reads events in the order of their commits, with a cursor to continue from", async () => {
    const { create, service, actor, read } = await logWorld();
    const id = await create();
    for (let count = 0; count < 4; count += 1) await create();
    await service.budgets.update(actor, id, { notes: "x" });
    const first = await read({ limit: 4 });
    expect(sequencesOf(first)).toEqual([1, 2, 3, 4]);
    expect(first).toMatchObject({ cursor: 4, hasMore: true });
    const second = await read({ after: first.cursor, limit: 4 });
    expect(second.events.map(({ type }) => type)).toEqual(["budget.created", "budget.updated"]);
    expect(second).toMatchObject({ cursor: 6, hasMore: false });
    expect(await read({ after: 6 })).toEqual({ events: [], cursor: 6, hasMore: false });
  });

  it("types the data of each event by its name", async () => {
    const { create, read } = await logWorld();
    await create();
    const [event] = (await read()).events;
    if (event?.type !== "budget.created") throw new Error("another event");
    expectTypeOf(event.data).toEqualTypeOf<BudgetEventData>();
    expect(event.data).toMatchObject({ customerId: "c", total: 10 });
  });

  it("leaves out audit entries and unrequested events, and moves the cursor past them", async () => {
    const { create, audit, service, actor, read } = await logWorld();
    const id = await create();
    await audit("a1");
    await service.budgets.update(actor, id, { notes: "x" });
    await audit("a2");
    expect(await read()).toMatchObject({ cursor: 4, events: [{ sequence: 1 }, { sequence: 3 }] });
    expect(await read({ events: ["*.updated"] })).toMatchObject({ cursor: 4, events: [{ sequence: 3 }] });
    expect(await read({ events: ["customer.*"], limit: 2 })).toEqual({ events: [], cursor: 2, hasMore: true });
  });

  it("refuses a cursor before the first kept event, and returns where the log continues (CURSOR_TOO_OLD)", async () => {
    const { create, service, store, actor, read } = await logWorld();
    for (let count = 0; count < 3; count += 1) await create();
    await store.pruneLedger(actor.businessId, { sequence: 2, hash: null, checkpoint: "" }, 0);
    const refused = (await service.events.read(actor, { after: 1 }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "CURSOR_TOO_OLD", details: { after: 1, resumeAfter: 2 } });
    expect(sequencesOf(await read({ after: 2 }))).toEqual([3]);
    const following = service.events.follow(actor, { after: 0 });
    await expect(following.next()).rejects.toThrow(EventsRefused);
  });

  it("refuses a cursor that is too old also while no event is kept (CURSOR_TOO_OLD)", async () => {
    const { create, service, store, actor, read } = await logWorld();
    for (let count = 0; count < 3; count += 1) await create();
    await store.pruneLedger(actor.businessId, { sequence: 3, hash: null, checkpoint: "" }, 0);
    const refused = (await service.events.read(actor, { after: 2 }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "CURSOR_TOO_OLD", details: { after: 2, resumeAfter: 3 } });
    expect(await read({ after: 3 })).toEqual({ events: [], cursor: 3, hasMore: false });
    const ahead = (await service.events.read(actor, { after: 4 }))._unsafeUnwrapErr();
    expect(ahead).toMatchObject({ rule: "CURSOR_AHEAD", details: { after: 4, newest: 3 } });
  });

  it("refuses a cursor of another log (CURSOR_AHEAD), and readers without a login", async () => {
    const { create, service, actor } = await logWorld();
    await create();
    const ahead = (await service.events.read(actor, { after: 2 }))._unsafeUnwrapErr();
    expect(ahead).toMatchObject({ rule: "CURSOR_AHEAD", details: { after: 2, newest: 1 } });
    const key = { kind: "key", businessId: actor.businessId, id: "5", scopes: ["READ_BUDGETS"] } as const;
    expect((await service.events.read(key))._unsafeUnwrapErr().kind).toBe("forbidden");
    const withoutBusiness = { kind: "system", businessId: "" } as const;
    await expect(service.events.follow(withoutBusiness).next()).rejects.toThrow(RangeError);
  });
});

describe("following events", () => {
  it("following yields the existing events, and then each commit of this process without a poll", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // no poll ever comes
    const { create, service, actor } = await logWorld();
    await create();
    const following = service.events.follow(actor);
    expect(sequencesOf((await following.next()).value ?? fail())).toEqual([1]);
    for (let sequence = 2; sequence < 10; sequence += 1) {
      const next = following.next();
      await create();
      expect(sequencesOf((await next).value ?? fail())).toEqual([sequence]);
    }
    await following.return();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("following goes through a long backlog with one wait at a time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { create, service, actor } = await logWorld();
    for (let count = 0; count < 20; count += 1) await create();
    const following = service.events.follow(actor, { limit: 1 });
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      expect(sequencesOf((await following.next()).value ?? fail())).toEqual([sequence]);
      expect(vi.getTimerCount()).toBe(1);
    }
    await following.return();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("following wakes for commits of other processes when the store reports them, and then stops listening", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const listeners = new Set<() => void>();
    const store = Object.assign(memoryStore(), {
      onWork: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    const { service, actor } = await logWorld(store);
    const following = service.events.follow(actor);
    const next = following.next();
    await vi.waitFor(() => expect(listeners.size).toBe(1));
    const other = await otherProcess(store, actor);
    for (const wake of listeners) wake();
    expect(sequencesOf((await next).value ?? fail())).toEqual([other]);
    await following.return();
    expect(listeners.size).toBe(0);
  });

  it("following polls where the store reports nothing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { service, store, actor } = await logWorld();
    const following = service.events.follow(actor);
    const next = following.next();
    await otherProcess(store, actor);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sequencesOf((await next).value ?? fail())).toEqual([1]);
    await following.return();
  });

  it("following ends on the signal and when the service stops, and leaves no timer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { create, service, actor } = await logWorld();
    const leaving = new AbortController();
    const first = service.events.follow(actor, { signal: leaving.signal }).next();
    const second = service.events.follow(actor).next();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    leaving.abort();
    expect(await first).toEqual({ done: true, value: undefined });
    await service.stop();
    expect(await second).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);
    await create();
    const again = service.events.follow(actor);
    expect(sequencesOf((await again.next()).value ?? fail())).toEqual([1]);
    await again.return();
    const aborted = service.events.follow(actor, { signal: leaving.signal });
    expect(await aborted.next()).toEqual({ done: true, value: undefined });
  });

  it("following outlives an outage of the store, and reports it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { create, service, store, actor, onError } = await logWorld();
    const outage = new StoreUnavailable("the disk is full");
    vi.spyOn(store, "readLedger").mockRejectedValueOnce(outage);
    const following = service.events.follow(actor);
    const next = following.next();
    await vi.waitFor(() => expect(onError).toHaveBeenCalledWith(outage));
    await create();
    expect(sequencesOf((await next).value ?? fail())).toEqual([1]);
    await following.return();
  });
});

/** Commits an event as another process would: nothing in this one learns of it. */
async function otherProcess(store: Store, actor: { readonly businessId: string }): Promise<number> {
  const { businessId } = actor;
  await store.commit(
    insertBudgetCommit(aBudget({ businessId, id: "900" }), { events: [anEvent({ businessId, id: "901" })] }),
  );
  const query = { type: null, subjectId: null, since: null, until: null, limit: 1, offset: 0 };
  return (await store.listEvents(businessId, query)).entries[0]?.sequence ?? 0;
}

function fail(): never {
  throw new Error("the iteration has ended");
}

it("hides events about records that a MEMBER may not read, in reads and while following", async () => {
  const { service, actor, create } = await logWorld();
  await service.customers.create(actor, { name: "Ana", phone: "+52 55 1234" });
  await service.products.create(actor, { name: "Oak table", sku: "OAK-1", unitPrice: 450 });
  await create();
  const user = { kind: "user", businessId: actor.businessId, id: "7", role: "MEMBER", sessionId: null } as const;
  const member = { ...user, scopes: ["READ_PRODUCTS"] } as const;
  const batch = (await service.events.read(member))._unsafeUnwrap();
  expect(batch.events.map(({ type }) => type)).toEqual(["product.created"]);
  expect(batch.cursor).toBe(3);
  for await (const { events } of service.events.follow(member)) {
    expect(events.map(({ type }) => type)).toEqual(["product.created"]);
    break;
  }
  expect((await service.events.read(user))._unsafeUnwrap().events).toEqual([]);
});
