import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { DAY_MS } from "../../kernel/clock.js";
import { runOut } from "../../testing/dispatch-world.js";
import { answered, KEY_URL, type Script, webhookWorld } from "../../testing/webhook-world.js";
import { redeliverSince, retryDelivery } from "../deliveries/manage-deliveries.js";
import { updateEndpoint } from "../endpoints/manage-endpoints.js";
import { testEndpoint } from "./test-delivery.js";

const ENDPOINT = { kind: "endpoint", id: "60" } as const;
const DELAYS = [0, 60];

async function orderedWorld(script?: Script) {
  const world = await webhookWorld({}, script);
  await world.endpoint({ ordering: "subject", retryDelaysSeconds: DELAYS });
  /** Commits an event of each of these subjects, whose data say which it is. */
  const occur = async (...names: readonly string[]) => {
    for (const name of names) await world.commit({ subjectId: name.slice(0, 1), data: { name } });
  };
  /** The events that were sent so far, in this order. */
  const received = () => world.sent.map(({ body }) => String(JSON.parse(body).data.name));
  return { ...world, occur, received };
}

/** A receiver that refuses the events of subject "a". */
const refusesA: Script = ({ body }) => answered(JSON.parse(body).data.name.startsWith("a") ? 500 : 204);

it("sends the ordered events of a subject one after the other, in one tick", async () => {
  let running = 0;
  const world = await orderedWorld(async () => {
    running += 1;
    await nextTurn();
    expect(running).toBe(1);
    running -= 1;
    return answered(204);
  });
  await world.occur("a1", "a2", "a3", "a4");
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 4, delivered: 4 });
  expect(world.received()).toEqual(["a1", "a2", "a3", "a4"]);
  expect(world.errors).toEqual([]);
});

it("sends the events of other subjects while one fails, and the next of that subject when its schedule has ended", async () => {
  const world = await orderedWorld(refusesA);
  await world.occur("a1", "b1", "a2", "b2");
  expect(await world.dispatcher.tick()).toMatchObject({ delivered: 2, retrying: 1 });
  expect(world.received()).toEqual(["a1", "b1", "b2"]);
  await runOut(world);
  expect(world.received()).toEqual(["a1", "b1", "b2", "a1", "a2", "a2"]);
  expect((await world.deliveries()).map(({ status, attempts }) => [status, attempts])).toEqual([
    ["failed", 2],
    ["delivered", 1],
    ["failed", 2],
    ["delivered", 1],
  ]);
});

it("sends the events of a budget and of a customer with one id at the same time", async () => {
  const world = await orderedWorld(() => answered(500));
  await world.occur("a1");
  await world.commit({ type: "customer.updated", subjectId: "a", data: { name: "customer" } });
  await world.dispatcher.tick();
  expect(world.received()).toEqual(["a1", "customer"]);
});

it("sends the next event of a subject when the one before ends by its deadline", async () => {
  const world = await orderedWorld(refusesA);
  await world.occur("a1", "a2");
  await world.dispatcher.tick();
  world.clock.advance(2 * DAY_MS); // past the deadline of the first
  await world.dispatcher.tick();
  expect((await world.deliveries()).map(({ status }) => status)).toEqual(["failed", "retrying"]);
  expect(world.received()).toEqual(["a1", "a2"]);
});

it("delays no other subscriber while ordered deliveries of one fail", async () => {
  const world = await orderedWorld((request, call) =>
    request.url === KEY_URL ? answered(204) : refusesA(request, call),
  );
  await world.key();
  await world.endpoint({ id: "61", url: KEY_URL });
  await world.occur("a1", "a2");
  expect(await world.dispatcher.tick()).toMatchObject({ delivered: 4, retrying: 1 });
  expect(world.received().sort()).toEqual(["a1", "a1", "a1", "a2", "a2"]);
});

it("sends a test at once to an endpoint whose ordered deliveries wait", async () => {
  const world = await orderedWorld(refusesA);
  await world.occur("a1", "a2");
  await world.dispatcher.tick();
  const sample = { event: "budget.created", data: { name: "test" } } as const;
  expect((await testEndpoint(world.context, world.owner, "60", sample))._unsafeUnwrap().status).toBe("delivered");
});

it("redelivers an event when no other of its subject is being delivered, and all failed ones in order", async () => {
  const world = await orderedWorld(refusesA);
  await world.occur("a1", "a2", "a3");
  await runOut(world);
  world.answerWith(() => answered(204));
  world.sent.length = 0;
  const [, second] = await world.deliveries();
  const retried = await retryDelivery(world.context, world.owner, ENDPOINT, second?.id ?? "");
  expect(retried._unsafeUnwrap()).toMatchObject({ status: "pending", nextAttemptAt: null });
  await world.dispatcher.tick();
  expect(world.received()).toEqual(["a2"]);
  world.answerWith(refusesA);
  await world.occur("a4");
  await world.dispatcher.tick();
  world.answerWith(() => answered(204));
  await redeliverSince(world.context, world.owner, ENDPOINT, { since: { kind: "moment", at: 0 } });
  await runOut(world);
  expect(world.received()).toEqual(["a2", "a4", "a4", "a1", "a3"]);
});

it("sends no cancelled events to an endpoint that is enabled again, but new ones", async () => {
  const world = await orderedWorld(refusesA);
  const update = (change: object) => updateEndpoint(world.context, world.owner, "60", change);
  await world.occur("a1", "a2", "a3");
  await world.dispatcher.tick();
  await update({ status: "DISABLED" });
  expect((await world.deliveries()).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  world.answerWith(() => answered(204));
  await update({ status: "ACTIVE" });
  await world.occur("a4", "a5");
  await runOut(world);
  expect(world.received()).toEqual(["a1", "a4", "a5"]);
});

it("cancels the deliveries of a disabled endpoint that a crash left waiting, one after the other", async () => {
  const world = await orderedWorld(refusesA);
  await world.occur("a1", "a2", "a3");
  await world.dispatcher.tick();
  vi.spyOn(world.store, "cancelDeliveries").mockResolvedValueOnce(0);
  await updateEndpoint(world.context, world.owner, "60", { status: "DISABLED" });
  await runOut(world);
  expect((await world.deliveries()).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(world.received()).toEqual(["a1"]);
});

it("sends waiting deliveries in order and later ones at once, when ordering is turned off", async () => {
  const world = await orderedWorld(refusesA);
  await world.occur("a1", "a2");
  await world.dispatcher.tick();
  await updateEndpoint(world.context, world.owner, "60", { ordering: "none" });
  await world.occur("a3", "a4");
  await world.dispatcher.tick();
  expect(world.received()).toEqual(["a1", "a3", "a4"]);
  world.answerWith(() => answered(204));
  await runOut(world);
  expect([...new Set(world.received().slice(3))].filter((name) => name < "a3")).toEqual(["a1", "a2"]);
});

it("orders later deliveries among themselves, without a wait for earlier ones, when ordering is turned on", async () => {
  const world = await orderedWorld(refusesA);
  await updateEndpoint(world.context, world.owner, "60", { ordering: "none" });
  await world.occur("a1");
  await world.dispatcher.tick();
  await updateEndpoint(world.context, world.owner, "60", { ordering: "subject" });
  await world.occur("a2", "a3");
  await world.dispatcher.tick();
  expect(world.received()).toEqual(["a1", "a2"]);
});

it("sends the events of a subject in the background, each as soon as the one before has ended", async () => {
  const world = await orderedWorld();
  world.dispatcher.start();
  await world.occur("a1", "b1", "a2", "b2", "a3");
  world.dispatcher.wakeForEvents();
  await vi.waitFor(() => expect(world.sent).toHaveLength(5));
  await world.dispatcher.stop();
  expect(world.received().filter((name) => name.startsWith("a"))).toEqual(["a1", "a2", "a3"]);
  expect(world.received().filter((name) => name.startsWith("b"))).toEqual(["b1", "b2"]);
});

it("makes no call that may outlast its lease: another process may have sent the next event", async () => {
  const world = await orderedWorld();
  await world.occur("a1", "a2");
  const { findEndpoint } = world.store;
  vi.spyOn(world.store, "findEndpoint").mockImplementationOnce(async (...key) => {
    world.clock.advance(31_000); // the process was paused
    return findEndpoint(...key);
  });
  const settling = vi.spyOn(world.store, "settle");
  await runOut(world);
  expect(settling.mock.calls[0]?.[0]).toMatchObject({ attempt: null, refundedAttempts: 1 });
  expect(world.received()).toEqual(["a1", "a2"]);
  expect((await world.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1]);
});
