import { anEventQuery } from "@budgetkit/testing";
import { expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.js";
import { webhookWorld } from "../../testing/webhook-world.js";
import { deleteEndpoint, updateEndpoint } from "../endpoints/manage-endpoints.js";
import { cancelReplay, getReplay, startReplay } from "../replays/manage-replays.js";
import type { ReplayedBudget } from "../webhook-context.js";

const BUDGET: ReplayedBudget = { id: "1", version: 4, notes: "x" };

/** A business with events from before its endpoint. */
async function replayWorld(events: number, settings: object = {}, readBudget = async () => BUDGET) {
  const world = await webhookWorld({ readBudget });
  for (let count = 0; count < events; count += 1) await world.commit({ data: { count }, subjectId: `s${count % 3}` });
  await world.endpoint(settings);
  const start = async (input: object = {}) =>
    (await startReplay(world.context, world.owner, "60", { fromSequence: 1, ...input }))._unsafeUnwrap();
  const progress = async () => (await getReplay(world.context, world.owner, "60"))._unsafeUnwrap();
  const received = () => world.sent.map(({ body }) => JSON.parse(body));
  return { ...world, start, progress, received };
}

it("replays every event once, in steps of a hundred, marked, with its sequence and its budget", async () => {
  const world = await replayWorld(230);
  await world.start();
  const steps: number[] = [];
  while ((await world.progress()).status === "running") {
    await world.dispatcher.tick();
    steps.push((await world.progress()).sent);
  }
  expect(steps).toEqual([100, 200, 230]);
  expect(world.received().map(({ data }) => data.count)).toEqual(Array.from({ length: 230 }, (_, count) => count));
  expect(world.received()[0]).toMatchObject({ data: { budget: BUDGET }, metadata: { sequence: 1, replay: true } });
  expect(world.errors).toEqual([]);
});

it("replays no event that comes after its start: such an event is sent unmarked and without a record", async () => {
  const world = await replayWorld(1);
  await world.start();
  await world.commit({ data: { count: 1 } });
  await world.dispatcher.tick();
  expect(
    world
      .received()
      .map(({ data, metadata }) => [data.count, metadata.replay, data.budget])
      .sort(),
  ).toEqual([
    [0, true, BUDGET],
    [1, undefined, undefined],
  ]);
});

it("replays the events of the requested types that the endpoint receives, from one moment until another", async () => {
  const world = await replayWorld(1, { events: ["budget.*"], filter: { currency: ["USD"] } });
  const data = { currency: "USD" };
  world.clock.advance(DAY_MS);
  await updateEndpoint(world.context, world.owner, "60", { status: "DISABLED" });
  const since = world.clock.now();
  await world.commit({ type: "budget.approved", data: { currency: "EUR" } });
  await world.commit({ type: "budget.approved", data });
  await world.commit({ type: "customer.updated", data });
  await world.commit({ type: "budget.updated", data });
  const until = world.clock.now();
  world.clock.advance(DAY_MS);
  await world.commit({ type: "budget.approved", data });
  await updateEndpoint(world.context, world.owner, "60", { status: "ACTIVE" });
  const moment = (at: number) => ({ kind: "moment", at }) as const;
  const range = { since: moment(since), until: moment(until), fromSequence: undefined };
  expect(await world.start({ ...range, events: ["budget.approved"] })).toMatchObject({
    firstSequence: 2,
    untilSequence: 6,
  });
  await world.dispatcher.tick();
  expect(world.received().map(({ metadata }) => metadata.sequence)).toEqual([4]);
  expect(await world.progress()).toMatchObject({ status: "finished", sent: 1, nextSequence: 7 });
});

it("replays a large budget by its id only, and a deleted one as null", async () => {
  const budgets = [{ ...BUDGET, notes: "x".repeat(70_000) }, null];
  const world = await replayWorld(2, {}, async () => budgets.shift() ?? (null as never));
  await world.start();
  await world.dispatcher.tick();
  expect(world.received().map(({ data }) => data.budget)).toEqual([{ id: "1", version: 4, truncated: true }, null]);
});

it("ends a step of a replay after a megabyte of large budgets, though the bodies only name them", async () => {
  const world = await replayWorld(60, {}, async () => ({ ...BUDGET, notes: "x".repeat(400_000) }));
  await world.start();
  await world.dispatcher.tick();
  expect((await world.progress()).sent).toBe(3);
});

it("starts at most ten replays of an endpoint a minute", async () => {
  const world = await replayWorld(1);
  for (let count = 0; count < 10; count += 1) {
    await world.start();
    (await cancelReplay(world.context, world.owner, "60"))._unsafeUnwrap();
  }
  const refused = await startReplay(world.context, world.owner, "60", { fromSequence: 1 });
  expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited", limit: 10 });
  world.clock.advance(MINUTE_MS);
  await world.start();
});

it("counts the start of a replay whose range has no events: looking for them takes as long", async () => {
  const world = await replayWorld(1);
  const begin = () => startReplay(world.context, world.owner, "60", { fromSequence: 1_000 });
  for (let count = 0; count < 10; count += 1) {
    expect((await begin())._unsafeUnwrapErr()).toMatchObject({ rule: "NOTHING_TO_REPLAY" });
  }
  expect((await begin())._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited", limit: 10 });
});

it("pauses a replay while many deliveries are unfinished, and while the endpoint is disabled", async () => {
  const world = await replayWorld(150, { ordering: "subject" });
  const counting = vi.spyOn(world.store, "countUnfinished").mockResolvedValueOnce(990).mockResolvedValueOnce(1_000);
  await world.start();
  await world.dispatcher.tick();
  expect((await world.progress()).sent).toBe(10);
  await world.dispatcher.tick();
  expect((await world.progress()).sent).toBe(10);
  await updateEndpoint(world.context, world.owner, "60", { status: "DISABLED" });
  await world.dispatcher.tick();
  expect(await world.progress()).toMatchObject({ status: "running", sent: 10 });
  await updateEndpoint(world.context, world.owner, "60", { status: "ACTIVE" });
  counting.mockRestore();
  while ((await world.progress()).status === "running") await world.dispatcher.tick();
  for (const subject of [0, 1, 2]) {
    const ofSubject = world.received().filter(({ data }) => data.count % 3 === subject);
    const sequences = ofSubject.map(({ metadata }) => metadata.sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  }
  expect(world.sent).toHaveLength(150);
});

it("ends a replay when its endpoint is deleted", async () => {
  const world = await replayWorld(150);
  await world.start();
  await deleteEndpoint(world.context, world.owner, "60");
  await world.dispatcher.tick();
  expect(world.sent).toEqual([]);
  expect(await world.store.findRunningReplays(null, 9)).toEqual([]);
});

it("starts a replay with the oldest event that is kept, and reports its sequence", async () => {
  const world = await replayWorld(3);
  const [first] = await world.store.readLedger("1", { after: 0, limit: 1 });
  const cut = { sequence: 1, hash: first?.hash ?? null, checkpoint: "signed" };
  await world.store.pruneLedger("1", cut, 0);
  expect(await world.start()).toMatchObject({ firstSequence: 2, nextSequence: 2, untilSequence: 3 });
});

it("leaves audit entries for the start of a replay and its cancellation by a user", async () => {
  const world = await replayWorld(2);
  await world.start({ events: ["budget.*"] });
  await cancelReplay(world.context, world.owner, "60");
  const { entries } = await world.store.listEvents("1", anEventQuery({ subjectId: "60" }));
  expect(entries.map(({ type, actor, data }) => [type, actor, Object.keys(Object(data.changes))])).toEqual([
    ["webhook.replay_cancelled", "user:30", ["nextSequence"]],
    ["webhook.replay_started", "user:30", ["firstSequence", "untilSequence", "events"]],
  ]);
});

it("continues replays in the background; a step that fails is reported and repeated later", async () => {
  const world = await replayWorld(3);
  await world.start();
  vi.spyOn(world.store, "countUnfinished").mockRejectedValueOnce(new Error("the disk is full"));
  world.dispatcher.start();
  await vi.waitFor(() => expect(world.errors).toHaveLength(1));
  world.dispatcher.wake();
  await vi.waitFor(() => expect(world.sent).toHaveLength(3));
  await world.dispatcher.stop();
  expect(await world.progress()).toMatchObject({ status: "finished", sent: 3 });
});
