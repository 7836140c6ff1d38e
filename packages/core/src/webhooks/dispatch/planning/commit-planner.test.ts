import { expect, it, onTestFinished, vi } from "vitest";
import { createGate, eventually, turns } from "../../../testing/event-loop.js";
import { plannedWorld, planningCommits, replaceCommit, statusesOf } from "../../../testing/planned-world.js";
import { answered, type Script, webhookWorld } from "../../../testing/webhook-world.js";
import { removeEndpointCommit, replaceEndpointCommit } from "../../endpoint-commits.js";

it("makes deliveries in the commit of their event and sends them right after it, with the event's sequence", async () => {
  const { commit, fanOut, sent, ...world } = await plannedWorld();
  expect(await commit("2")).toBe("written");
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(fanOut).not.toHaveBeenCalled();
  const [, made] = await world.deliveries();
  expect(made).toMatchObject({ eventId: "92", attempts: 1, lease: null });
  expect(sent[1]?.body).toBe(made?.body);
  expect(JSON.parse(sent[1]?.body ?? "")).toMatchObject({
    event: "budget.created",
    metadata: { delivery_id: made?.id, event_id: "92", sequence: 2, revision: 1 },
  });
});

it("makes and sends the deliveries of all events of a commit, whose ids are drawn together", async () => {
  const { commit, fanOut, sent, context, ...world } = await plannedWorld();
  const take = vi.spyOn(context.ids, "take");
  await commit("2", [{ id: "92" }, { id: "93", type: "budget.approved" }]);
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(Array(3).fill("delivered")));
  expect(sent.slice(1).map(({ body }) => JSON.parse(body).event)).toEqual(["budget.created", "budget.approved"]);
  expect(take).toHaveBeenCalledTimes(1);
  expect(fanOut).not.toHaveBeenCalled();
});

it("sends deliveries with the bodies that the commit reports, and reads none", async () => {
  const { commit, sent, store, ...world } = await plannedWorld();
  const find = vi.spyOn(store, "findDelivery");
  await commit("2");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(find).not.toHaveBeenCalled();
  expect(sent[1]?.body).toBe((await world.deliveries())[1]?.body);
});

it("leases a delivery while it is sent, and retries it by its schedule when the call fails", async () => {
  let answer = (_: ReturnType<typeof answered>) => {};
  const script: Script = (_, call) => (call === 2 ? new Promise((resolve) => (answer = resolve)) : answered(204));
  const { commit, sent, store, clock, dispatcher, ...world } = await plannedWorld({}, { script });
  await commit("2");
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  const [, underWay] = await world.deliveries();
  expect(underWay).toMatchObject({ status: "pending", attempts: 1, lease: { until: clock.now() + 60_000 } });
  answer(answered(500));
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "retrying"]));
  clock.advance(3_600_000);
  dispatcher.wake();
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  const attempts = await store.listAttempts("1", underWay?.id ?? "");
  expect(attempts).toMatchObject([
    { number: 1, responseCode: 500 },
    { number: 2, responseCode: 204 },
  ]);
});

it("sends to subscribers as they are stored once they are forgotten, though their version is known", async () => {
  const { commit, sent, store, dispatcher } = await plannedWorld();
  const stored = await store.findEndpoint("1", "60");
  if (stored === null) throw new Error("no endpoint");
  // As after a failover: the known version 1 is lost, and another one has its number.
  await store.commit(replaceEndpointCommit({ ...stored, url: "https://other.example/hook" }, stored.version));
  dispatcher.forget();
  await commit("2");
  await commit("3");
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  expect(sent.slice(1).map(({ url }) => url)).toEqual(Array(2).fill("https://other.example/hook"));
});

it("leaves events to their fan-out before the subscribers are known, and once they have changed", async () => {
  const { commit, fanOut, endpoint, sent } = await plannedWorld();
  await endpoint({ id: "61" });
  await commit("2");
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  expect(fanOut).toHaveBeenCalledTimes(1);
  await commit("3");
  await vi.waitFor(() => expect(sent).toHaveLength(5));
  expect(fanOut).toHaveBeenCalledTimes(1);
});

it("plans nothing once the last subscriber is gone: the business is forgotten", async () => {
  const { commit, store, sent, context } = await plannedWorld();
  await store.commit(removeEndpointCommit("1", "60"));
  const take = vi.spyOn(context.ids, "take");
  await commit("2");
  expect(take).toHaveBeenCalledTimes(1);
  await commit("3");
  expect(take).toHaveBeenCalledTimes(1);
  expect(sent).toHaveLength(1);
});

it("leaves events to their fan-out for more than sixteen subscribers", async () => {
  const { commit, fanOut, endpoint, sent } = await plannedWorld();
  for (let id = 100; id < 116; id += 1) await endpoint({ id: String(id) });
  for (const id of ["2", "3"]) await commit(id);
  await vi.waitFor(() => expect(sent).toHaveLength(1 + 2 * 17));
  expect(fanOut).toHaveBeenCalledTimes(2);
});

it("leaves deliveries to a claim where no slot is free", async () => {
  const { promise, open } = createGate();
  const script: Script = async (_, call) => {
    if (call > 1) await promise;
    return answered(204);
  };
  const concurrency = { total: 1, perBusiness: 1, perSubscriber: 1 };
  const { commit, fanOut, sent, ...world } = await plannedWorld({ concurrency }, { script });
  await commit("2");
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  await commit("3");
  expect(await statusesOf(world)).toEqual(["delivered", "pending", "pending"]);
  open();
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered", "delivered"]));
  expect(fanOut).not.toHaveBeenCalled();
});

it("leaves ordered deliveries to a claim, which starts their turn", async () => {
  const { commit, fanOut, ...world } = await plannedWorld({}, { endpoint: { ordering: "subject" } });
  await commit("2");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(fanOut).not.toHaveBeenCalled();
  expect((await world.deliveries())[1]?.order).toEqual({ subject: "budget 2", sequence: 2 });
});

it("leaves the event to its fan-out when the ids of its deliveries cannot be drawn", async () => {
  const { commit, fanOut, sent, context, errors, dispatcher } = await plannedWorld();
  vi.spyOn(context.ids, "take").mockRejectedValueOnce(new Error("away"));
  expect(await commit("2")).toBe("written");
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(fanOut).toHaveBeenCalledTimes(1);
  expect(errors).toEqual([new Error("away")]);
  await dispatcher.stop();
});

it("takes no slot for a commit whose deliveries cannot be planned", async () => {
  const concurrency = { total: 2, perBusiness: 2, perSubscriber: 2 };
  const { commit, sent, context, dispatcher } = await plannedWorld({ concurrency });
  vi.spyOn(context.ids, "take").mockRejectedValueOnce(new Error("away"));
  await commit("2", [{ id: "92" }, { id: "93" }]);
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  await dispatcher.stop();
});

it("looks at once for an event that had no recipient when a subscriber has come before its commit", async () => {
  const { commit, endpoint, store, sent } = await plannedWorld({}, { endpoint: { events: ["budget.created"] } });
  const customer = { type: "customer.created", subjectId: "c" } as const;
  await endpoint({ id: "61" });
  const looks = vi.spyOn(store, "findUndispatchedEvents");
  await commit("3", [{ ...customer, id: "92" }]);
  await turns(1);
  expect(looks).toHaveBeenCalled();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
});

it("sends to the present address of a subscriber when the commit took longer than a second", async () => {
  const { commit, sent, store, clock } = await plannedWorld();
  const [endpoint] = (await store.findSubscribers("1")).endpoints;
  if (endpoint === undefined) throw new Error("there is no endpoint");
  replaceCommit({ store }, async (run) => {
    const outcome = await run();
    await store.commit(replaceEndpointCommit({ ...endpoint, version: 2, url: "https://hooks.example/moved" }, 1));
    clock.advance(1_001);
    return outcome;
  });
  await commit("2");
  await vi.waitFor(() => expect(sent[1]?.url).toBe("https://hooks.example/moved"));
});

it("leaves a delivery to a claim when its commit took so long that a call could outlast the lease", async () => {
  const { commit, store, clock, ...world } = await plannedWorld();
  const claiming = vi.spyOn(store, "claimDue");
  replaceCommit({ store }, async (run) => {
    const outcome = await run();
    clock.advance(31_000);
    return outcome;
  });
  await commit("2");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(claiming).toHaveBeenCalled();
  expect((await world.deliveries())[1]).toMatchObject({ attempts: 1 });
});

it("leaves half of the slots to due deliveries while commits wait", async () => {
  const concurrency = { total: 4, perBusiness: 4, perSubscriber: 4 };
  const { commit, sent, store } = await plannedWorld({ concurrency });
  const { promise, open } = createGate();
  const { commit: write } = store;
  const slowly = vi.spyOn(store, "commit").mockImplementation((given) => promise.then(() => write(given)));
  const waiting = ["2", "3", "4", "5"].map((id) => commit(id));
  await eventually(() => expect(slowly).toHaveBeenCalledTimes(4));
  slowly.mockRestore();
  await commit("6");
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  open();
  await Promise.all(waiting);
  await vi.waitFor(() => expect(sent).toHaveLength(6));
});

it("leaves deliveries to a tick while the dispatcher is not started", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  const commit = planningCommits(world);
  await commit("1");
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1, delivered: 1 });
  await commit("2");
  expect((await world.deliveries())[1]).toMatchObject({ status: "pending", attempts: 0, lease: null });
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 0, delivered: 1 });
});

it("sends without a claim in a process that has planned many deliveries before it was started", async () => {
  const world = await webhookWorld({ concurrency: { total: 2, perBusiness: 2, perSubscriber: 2 } });
  await world.endpoint();
  const commit = planningCommits(world);
  for (const id of ["1", "2", "3", "4"]) {
    await commit(id);
    expect(await world.dispatcher.tick()).toMatchObject({ delivered: 1 });
  }
  world.dispatcher.start();
  onTestFinished(() => world.dispatcher.stop());
  const claim = vi.spyOn(world.store, "claimDue");
  await vi.waitFor(() => expect(claim).toHaveResolved());
  await commit("5");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(new Array(5).fill("delivered")));
  const claimed = await Promise.all(claim.mock.results.map(({ value }) => value));
  expect(claimed.flat()).toEqual([]);
});
