import { setImmediate as nextTurn } from "node:timers/promises";
import { aBudget, anEvent } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isPending } from "../../testing/is-pending.js";
import { answered, type Script, type WebhookWorld, webhookWorld } from "../../testing/webhook-world.js";
import type { Delivery } from "../delivery.js";
import type { WebhookEndpoint } from "../endpoint.js";

/** A world with a started dispatcher, which knows the subscribers from the fan-out of a first event. */
async function startedWorld(
  overrides: Parameters<typeof webhookWorld>[0] = {},
  { script, endpoint = {} }: { readonly script?: Script; readonly endpoint?: Partial<WebhookEndpoint> } = {},
) {
  const world = await webhookWorld(overrides, script);
  await world.endpoint(endpoint);
  world.dispatcher.start();
  onTestFinished(() => world.dispatcher.stop());
  const commit = committer(world);
  await commit("1");
  await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered"]));
  const fanOut = vi.spyOn(world.store, "fanOut");
  return { ...world, commit, fanOut };
}

function committer({ dispatcher, store, clock }: WebhookWorld) {
  return async (id: string, insert = store.insertBudget) => {
    const event = anEvent({ id: `9${id}`, subjectId: id, occurredAt: clock.now() });
    const outcome = await dispatcher.commit([event], (events) => insert(aBudget({ id }), events, null));
    dispatcher.wakeForEvents([event]);
    return outcome;
  };
}

const statuses = async (world: Pick<WebhookWorld, "deliveries">) =>
  (await world.deliveries()).map(({ status }: Delivery) => status);

describe("the deliveries of an event", () => {
  it("are made by its commit and sent right after it, with the place of the event", async () => {
    const { commit, fanOut, sent, deliveries } = await startedWorld();
    expect(await commit("2")).toBe("written");
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    await vi.waitFor(async () => expect(await statuses({ deliveries })).toEqual(["delivered", "delivered"]));
    expect(fanOut).not.toHaveBeenCalled();
    const [, made] = await deliveries();
    expect(made).toMatchObject({ eventId: "92", attempts: 1, lease: null });
    expect(sent[1]?.body).toBe(made?.body);
    expect(JSON.parse(sent[1]?.body ?? "")).toMatchObject({
      event: "budget.created",
      metadata: { delivery_id: made?.id, event_id: "92", sequence: 2, revision: 1 },
    });
  });

  it("are under a lease while they are sent, and come back by their schedule when the call fails", async () => {
    let answer = (_: ReturnType<typeof answered>) => {};
    const script: Script = (_, call) => (call === 2 ? new Promise((resolve) => (answer = resolve)) : answered(204));
    const { commit, sent, store, clock, dispatcher, ...world } = await startedWorld({}, { script });
    await commit("2");
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    const [, underWay] = await world.deliveries();
    expect(underWay).toMatchObject({ status: "pending", attempts: 1, lease: { until: clock.now() + 60_000 } });
    answer(answered(500));
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "retrying"]));
    clock.advance(3_600_000);
    dispatcher.wake();
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered"]));
    const attempts = await store.listAttempts("1", underWay?.id ?? "");
    expect(attempts).toMatchObject([
      { number: 1, responseCode: 500 },
      { number: 2, responseCode: 204 },
    ]);
  });

  it("go to subscribers as they are stored once these are forgotten, though their version is known", async () => {
    const { commit, sent, store, dispatcher } = await startedWorld();
    const stored = await store.findEndpoint("1", "60");
    if (stored === null) throw new Error("no endpoint");
    // As after a failover: the known version 1 is lost, and another one has its number.
    await store.replaceEndpoint({ ...stored, url: "https://other.example/hook" }, stored.version);
    dispatcher.forget();
    await commit("2");
    await commit("3");
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(sent.slice(1).map(({ url }) => url)).toEqual(Array(2).fill("https://other.example/hook"));
  });

  it("are not read again from a store that reports their bodies", async () => {
    const { commit, store, sent, ...world } = await startedWorld();
    const reporting: typeof store.insertBudget = async (budget, events, ...given) => {
      const outcome = await store.insertBudget(budget, events, ...given);
      const plan = events[0]?.plan;
      const made = plan?.deliveries.map(async ({ id }) => (await findDelivery("1", id))?.body ?? "");
      plan?.onMade?.(await Promise.all(made ?? []));
      return outcome;
    };
    const { findDelivery } = store;
    const find = vi.spyOn(store, "findDelivery");
    await commit("2", reporting);
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered"]));
    expect(find).not.toHaveBeenCalled();
    expect(sent[1]?.body).toBe((await world.deliveries())[1]?.body);
  });

  it("are made by its fan-out before the subscribers are known, and once they have changed", async () => {
    const { commit, fanOut, endpoint, sent } = await startedWorld();
    await endpoint({ id: "61" });
    await commit("2");
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(fanOut).toHaveBeenCalledTimes(1);
    await commit("3");
    await vi.waitFor(() => expect(sent).toHaveLength(5));
    expect(fanOut).toHaveBeenCalledTimes(1);
  });

  it("are none once the last subscriber is gone, and the business is forgotten", async () => {
    const { commit, store, sent, context } = await startedWorld();
    await store.deleteEndpoint("1", "60");
    const take = vi.spyOn(context.ids, "take");
    let budgets = 1;
    const commitNext = async () => {
      budgets += 1;
      await commit(String(budgets));
    };
    await commitNext();
    expect(take).toHaveBeenCalledTimes(1);
    await vi.waitFor(async () => {
      take.mockClear();
      await commitNext();
      expect(take).not.toHaveBeenCalled();
    });
    expect(sent).toHaveLength(1);
  });

  it("are not planned for more than sixteen subscribers", async () => {
    const { commit, fanOut, endpoint, sent } = await startedWorld();
    for (let id = 100; id < 116; id += 1) await endpoint({ id: String(id) });
    for (const id of ["2", "3"]) await commit(id);
    await vi.waitFor(() => expect(sent).toHaveLength(1 + 2 * 17));
    expect(fanOut).toHaveBeenCalledTimes(2);
  });

  it("wait to be claimed where no slot is free", async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const script: Script = async (_, call) => {
      if (call > 1) await held;
      return answered(204);
    };
    const concurrency = { total: 1, perBusiness: 1, perSubscriber: 1 };
    const { commit, fanOut, sent, ...world } = await startedWorld({ concurrency }, { script });
    await commit("2");
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    await commit("3");
    expect(await statuses(world)).toEqual(["delivered", "pending", "pending"]);
    answer();
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered", "delivered"]));
    expect(fanOut).not.toHaveBeenCalled();
  });

  it("wait for their turn where they are ordered", async () => {
    const { commit, fanOut, ...world } = await startedWorld({}, { endpoint: { ordering: "subject" } });
    await commit("2");
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered"]));
    expect(fanOut).not.toHaveBeenCalled();
    expect((await world.deliveries())[1]?.order).toEqual({ subject: "budget 2", sequence: 2 });
  });

  it("of a change that came to nothing are not sent, and their slots are free again", async () => {
    const { commit, sent, errors, ...world } = await startedWorld({
      concurrency: { total: 1, perBusiness: 1, perSubscriber: 1 },
    });
    expect(await commit("2", async () => "claim-lost")).toBe("claim-lost");
    await expect(commit("3", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    await commit("4");
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered"]));
    expect(sent).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it("are not planned when their ids cannot be drawn: the event waits for its fan-out", async () => {
    const { commit, fanOut, sent, context, errors, dispatcher } = await startedWorld();
    vi.spyOn(context.ids, "take").mockRejectedValueOnce(new Error("away"));
    expect(await commit("2")).toBe("written");
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(fanOut).toHaveBeenCalledTimes(1);
    expect(errors).toEqual([new Error("away")]);
    await dispatcher.stop();
  });

  it("take no slot when those of another event of the commit cannot be planned", async () => {
    const { store, sent, context, dispatcher } = await startedWorld({
      concurrency: { total: 2, perBusiness: 2, perSubscriber: 2 },
    });
    const { take } = context.ids;
    vi.spyOn(context.ids, "take").mockImplementationOnce(take).mockRejectedValueOnce(new Error("away"));
    const events = ["92", "93"].map((id) => anEvent({ id }));
    await dispatcher.commit(events, (planned) => store.insertBudget(aBudget({ id: "2" }), planned, null));
    dispatcher.wakeForEvents(events);
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    await dispatcher.stop();
  });

  it("wait for no poll when an event without recipients has got a subscriber", async () => {
    const { endpoint, store, sent, dispatcher } = await startedWorld();
    const endpoints = await store.findSubscribers("1");
    expect(endpoints.endpoints).toHaveLength(1);
    const event = anEvent({ id: "92", type: "customer.created", subjectId: "c" });
    const narrow = {
      ...(endpoints.endpoints[0] ?? (await endpoint())),
      events: ["budget.created" as const],
      version: 2,
    };
    await store.replaceEndpoint(narrow, 1);
    const commit = (each: typeof event, id: string) =>
      dispatcher.commit([each], (events) => store.insertBudget(aBudget({ id }), events, null));
    await commit({ ...event, id: "91" }, "2");
    dispatcher.wakeForEvents();
    await vi.waitFor(async () => expect(await store.findUndispatchedEvents(1)).toEqual([]));
    await endpoint({ id: "61" });
    const looks = vi.spyOn(store, "findUndispatchedEvents");
    await commit(event, "3");
    dispatcher.wakeForEvents([event]);
    await nextTurn();
    expect(looks).toHaveBeenCalled();
    await vi.waitFor(() => expect(sent).toHaveLength(2));
  });

  it("go to the present address of their receiver when the commit took long", async () => {
    const { commit, sent, store, clock } = await startedWorld();
    const [endpoint] = (await store.findSubscribers("1")).endpoints;
    const slowly: typeof store.insertBudget = async (...given) => {
      const outcome = await store.insertBudget(...given);
      if (endpoint === undefined) throw new Error("there is no endpoint");
      await store.replaceEndpoint({ ...endpoint, version: 2, url: "https://hooks.example/moved" }, 1);
      clock.advance(1_001);
      return outcome;
    };
    await commit("2", slowly);
    await vi.waitFor(() => expect(sent[1]?.url).toBe("https://hooks.example/moved"));
  });

  it("are claimed again when their commit took so long that a call could outlive the lease", async () => {
    const { commit, store, clock, ...world } = await startedWorld();
    const claiming = vi.spyOn(store, "claimDue");
    const slowly: typeof store.insertBudget = async (...given) => {
      const outcome = await store.insertBudget(...given);
      clock.advance(31_000);
      return outcome;
    };
    await commit("2", slowly);
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered"]));
    expect(claiming).toHaveBeenCalled();
    expect((await world.deliveries())[1]).toMatchObject({ attempts: 1 });
  });

  it("leave half of the slots to what is due while their commits wait", async () => {
    const { commit, sent, store } = await startedWorld({ concurrency: { total: 4, perBusiness: 4, perSubscriber: 4 } });
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slowly: typeof store.insertBudget = async (...given) => {
      await held;
      return store.insertBudget(...given);
    };
    const waiting = ["2", "3", "4", "5"].map((id) => commit(id, slowly));
    await commit("6");
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    end();
    await Promise.all(waiting);
    await vi.waitFor(() => expect(sent).toHaveLength(6));
  });

  it("that were committed though the store said otherwise are released, and sent by a claim", async () => {
    const { commit, sent, store, ...world } = await startedWorld();
    const { insertBudget } = store;
    const lost: typeof insertBudget = async (...given) => {
      await insertBudget(...given);
      throw new Error("the connection was lost");
    };
    await expect(commit("2", lost)).rejects.toThrow("lost");
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered"]));
    expect(sent).toHaveLength(2);
  });

  it("that cannot be read again are released, and sent by a claim", async () => {
    const { commit, sent, store, errors, ...world } = await startedWorld();
    vi.spyOn(store, "findDelivery").mockRejectedValueOnce(new Error("away"));
    await commit("2");
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(["delivered", "delivered"]));
    expect(sent).toHaveLength(2);
    expect(errors).toEqual([new Error("away")]);
  });

  it("are released without a call by a service that stops meanwhile", async () => {
    const { commit, sent, store, dispatcher, ...world } = await startedWorld();
    const { insertBudget } = store;
    const stopping: typeof insertBudget = async (...given) => {
      const outcome = await insertBudget(...given);
      void dispatcher.stop();
      return outcome;
    };
    await commit("2", stopping);
    await dispatcher.stop();
    expect(sent).toHaveLength(1);
    expect((await world.deliveries())[1]).toMatchObject({ status: "pending", attempts: 0, lease: null });
  });

  it("are read before the service has stopped", async () => {
    const { commit, store, dispatcher } = await startedWorld({}, { endpoint: { ordering: "subject" } });
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const find = vi.spyOn(store, "findDelivery").mockImplementation(() => held.then(() => null));
    await commit("2");
    await vi.waitFor(() => expect(find).toHaveBeenCalled());
    const stopped = dispatcher.stop();
    expect(await isPending(stopped)).toBe(true);
    end();
    await stopped;
  });

  it("wait for a claim while the dispatcher is not started", async () => {
    const world = await webhookWorld();
    await world.endpoint();
    const commit = committer(world);
    await commit("1");
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1, delivered: 1 });
    await commit("2");
    expect((await world.deliveries())[1]).toMatchObject({ status: "pending", attempts: 0, lease: null });
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 0, delivered: 1 });
  });

  it("need no claim in a process that has made many before it was started", async () => {
    const world = await webhookWorld({ concurrency: { total: 2, perBusiness: 2, perSubscriber: 2 } });
    await world.endpoint();
    const commit = committer(world);
    for (const id of ["1", "2", "3", "4"]) {
      await commit(id);
      expect(await world.dispatcher.tick()).toMatchObject({ delivered: 1 });
    }
    world.dispatcher.start();
    onTestFinished(() => world.dispatcher.stop());
    const claim = vi.spyOn(world.store, "claimDue");
    await vi.waitFor(() => expect(claim).toHaveResolved());
    await commit("5");
    await vi.waitFor(async () => expect(await statuses(world)).toEqual(new Array(5).fill("delivered")));
    const claimed = await Promise.all(claim.mock.results.map(({ value }) => value));
    expect(claimed.flat()).toEqual([]);
  });
});
