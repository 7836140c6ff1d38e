import { expect, it, vi } from "vitest";
import { createGate } from "../../../testing/event-loop.js";
import { isPending } from "../../../testing/is-pending.js";
import { hideMade, plannedWorld, replaceCommit, statusesOf } from "../../../testing/planned-world.js";

const ONE_SLOT = { concurrency: { total: 1, perBusiness: 1, perSubscriber: 1 } };

it("sends nothing of a commit that was refused or failed, and frees its slots", async () => {
  const { commit, sent, errors, store, ...world } = await plannedWorld(ONE_SLOT);
  replaceCommit({ store }, async () => ({ kind: "refused", by: "claim-lost" }));
  expect(await commit("2")).toBe("refused");
  replaceCommit({ store }, () => Promise.reject(new Error("away")));
  await expect(commit("3")).rejects.toThrow("away");
  await commit("4");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(sent).toHaveLength(2);
  expect(errors).toEqual([]);
});

it("reads nothing and forgets no subscriber after a commit that was refused", async () => {
  const { commit, store, fanOut, ...world } = await plannedWorld(ONE_SLOT);
  const find = vi.spyOn(store, "findDelivery");
  replaceCommit({ store }, async () => ({ kind: "refused", by: "stale" }));
  await commit("2");
  await commit("3");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(find).not.toHaveBeenCalled();
  expect(fanOut).not.toHaveBeenCalled();
});

it("reads and sends the deliveries of a commit that does not report them", async () => {
  const { commit, sent, store, fanOut, ...world } = await plannedWorld();
  const find = vi.spyOn(store, "findDelivery");
  hideMade({ store });
  await commit("2");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(find).toHaveBeenCalledTimes(1);
  expect(sent[1]?.body).toBe((await world.deliveries())[1]?.body);
  expect(fanOut).not.toHaveBeenCalled();
});

it("leaves the event to its fan-out when no delivery of an unreported commit is found", async () => {
  const { commit, sent, store, fanOut, endpoint } = await plannedWorld(ONE_SLOT);
  await endpoint({ id: "61" });
  hideMade({ store });
  await commit("2");
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  expect(fanOut).toHaveBeenCalledTimes(1);
});

it("sends no delivery that was cancelled before it was read", async () => {
  const { commit, sent, store, clock, ...world } = await plannedWorld(ONE_SLOT);
  replaceCommit({ store }, async (run) => {
    const committed = await run();
    await store.cancelDeliveries("1", { kind: "endpoint", id: "60" }, clock.now(), 1);
    return committed.kind === "written" ? { ...committed, made: null } : committed;
  });
  await commit("2");
  await commit("3");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "cancelled", "delivered"]));
  expect(sent).toHaveLength(2);
});

it("releases the deliveries of a commit that was written though it failed; a claim sends them", async () => {
  const { commit, sent, store, ...world } = await plannedWorld();
  replaceCommit({ store }, async (run) => {
    await run();
    throw new Error("the connection was lost");
  });
  await expect(commit("2")).rejects.toThrow("lost");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(sent).toHaveLength(2);
});

it("releases deliveries that cannot be read; a claim sends them", async () => {
  const { commit, sent, store, errors, ...world } = await plannedWorld();
  vi.spyOn(store, "findDelivery").mockRejectedValueOnce(new Error("away"));
  hideMade({ store });
  await commit("2");
  await vi.waitFor(async () => expect(await statusesOf(world)).toEqual(["delivered", "delivered"]));
  expect(sent).toHaveLength(2);
  expect(errors).toEqual([new Error("away")]);
});

it("releases the deliveries of a commit without a call when the dispatcher stops meanwhile", async () => {
  const { commit, sent, store, dispatcher, ...world } = await plannedWorld();
  replaceCommit({ store }, async (run) => {
    const outcome = await run();
    void dispatcher.stop();
    return outcome;
  });
  await commit("2");
  await dispatcher.stop();
  expect(sent).toHaveLength(1);
  expect((await world.deliveries())[1]).toMatchObject({ status: "pending", attempts: 0, lease: null });
});

it("waits on stop for a commit whose deliveries have a slot, and for the reading of its deliveries", async () => {
  const { commit, store, dispatcher } = await plannedWorld();
  const [sent, write, read] = [createGate(), createGate(), createGate()];
  replaceCommit({ store }, async (run) => {
    sent.open();
    await write.promise;
    const committed = await run();
    return committed.kind === "written" ? { ...committed, made: null } : committed;
  });
  const find = vi.spyOn(store, "findDelivery").mockImplementation(() => read.promise.then(() => null));
  const committing = commit("2");
  await sent.promise;
  const stopped = dispatcher.stop();
  expect(await isPending(stopped)).toBe(true);
  write.open();
  await committing;
  expect(find).toHaveBeenCalled();
  expect(await isPending(stopped)).toBe(true);
  read.open();
  await stopped;
});

it("waits on stop until it has read whether the plan of ordered deliveries held", async () => {
  const { commit, store, dispatcher } = await plannedWorld({}, { endpoint: { ordering: "subject" } });
  const { promise, open } = createGate();
  const find = vi.spyOn(store, "findDelivery").mockImplementation(() => promise.then(() => null));
  hideMade({ store });
  await commit("2");
  await vi.waitFor(() => expect(find).toHaveBeenCalled());
  const stopped = dispatcher.stop();
  expect(await isPending(stopped)).toBe(true);
  open();
  await stopped;
});
