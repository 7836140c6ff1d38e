import { aBudget, anEvent, FIXTURE_TIME, type ManualClock, manualClock, memoryStore } from "@budgetkit/testing";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { insertBudgetCommit } from "../budgets/budget-commits.js";
import type { Store } from "../store.js";
import type { DomainEvent } from "./event.js";
import { createEventListeners, type EventListeners } from "./event-listeners.js";
import { createPendingEvents, type PendingEvents } from "./pending-events.js";

const connection = {};
const first = anEvent({ id: "90" });
const second = anEvent({ id: "91", type: "budget.approved" });

describe("events of transactions of the host", () => {
  let store: Store;
  let clock: ManualClock;
  let listeners: EventListeners;
  let held: PendingEvents;
  let heard: string[];

  beforeEach(() => {
    store = memoryStore();
    clock = manualClock(new Date(FIXTURE_TIME).toISOString());
    listeners = createEventListeners(() => {});
    held = createPendingEvents(store, listeners, clock);
    heard = [];
    listeners.on("*", ({ id }) => heard.push(id));
  });

  /** The host's commit: the events are in the outbox from now on. */
  const commit = (...events: DomainEvent[]) => store.commit(insertBudgetCommit(aBudget(), { events }));

  async function release(released?: object): Promise<void> {
    await held.release(released);
    await new Promise(setImmediate);
  }

  it("reach the handlers once each after the commit, in the order of their writes", async () => {
    held.hold(connection, [first, second]);
    await release(connection);
    expect(heard).toEqual([]);
    await commit(first, second);
    await Promise.all([release(connection), release()]);
    await release();
    expect(heard).toEqual(["90", "91"]);
  });

  it("are released for one connection, or for all", async () => {
    held.hold(connection, [first]);
    await commit(first);
    await release({});
    expect(heard).toEqual([]);
    await release();
    expect(heard).toEqual(["90"]);
  });

  it("are not released when other events are committed", async () => {
    held.hold(connection, [first]);
    await commit(
      anEvent({ id: "92" }),
      anEvent({ id: "90", subjectId: "11" }),
      anEvent({ id: "90", type: "budget.deleted" }),
    );
    await release();
    expect(heard).toEqual([]);
  });

  it("are looked up in batches of a thousand", async () => {
    const events = Array.from({ length: 2_500 }, (_, index) => anEvent({ id: String(1_000 + index) }));
    held.hold(connection, events);
    await commit(...events);
    const asked = vi.spyOn(store, "placesOfEvents");
    const listed = vi.spyOn(store, "listEvents");
    await release();
    expect(heard).toEqual(events.map(({ id }) => id));
    expect(asked).toHaveBeenCalledTimes(3);
    expect(listed).not.toHaveBeenCalled();
  });

  it("are dropped after a minute", async () => {
    held.hold(connection, [first]);
    clock.advance(59_999);
    await release();
    await commit(first, second);
    held.hold(connection, [second]);
    await release();
    expect(heard).toEqual(["90", "91"]);

    held.hold(connection, [anEvent({ id: "93" })]);
    clock.advance(60_000);
    await release();
    await store.commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "93" })] }));
    await release();
    expect(heard).toEqual(["90", "91"]);
  });

  it("are not kept without a handler", async () => {
    const quiet = createEventListeners(() => {});
    const unheard = createPendingEvents(store, quiet, clock);
    quiet.on("budget.approved", ({ id }) => heard.push(id));
    unheard.hold(connection, [first, second]);
    quiet.on("*", ({ id }) => heard.push(id));
    await commit(first, second);
    await unheard.release();
    await new Promise(setImmediate);
    expect(heard).toEqual(["91", "91"]);
  });
});
