import { aDelivery } from "@budgetkit/testing";
import { expect, it, vi } from "vitest";
import { commitAndWake, idleWorld, patientReceiver } from "../../testing/dispatch-world.js";
import { createGate, eventually, holdTimers, turns } from "../../testing/event-loop.js";
import { answered, type WebhookWorld } from "../../testing/webhook-world.js";
import { testDeliveryCommit } from "../endpoint-commits.js";

/** A world that has come to rest, with an endpoint and a receiver that the test controls. */
async function patientWorld(perSubscriber: number, total = 10) {
  const { calls, script } = patientReceiver();
  const world = await idleWorld(script, { concurrency: { total, perBusiness: total, perSubscriber } });
  await world.endpoint();
  return { ...world, calls };
}

const due = (world: WebhookWorld) =>
  world.store.commit(
    testDeliveryCommit(aDelivery({ subscriber: { kind: "endpoint", id: "60" }, nextAttemptAt: world.clock.now() })),
  );

/** Responds to all open calls, and stops. */
async function end(world: Awaited<ReturnType<typeof patientWorld>>): Promise<void> {
  world.answerWith(() => answered(204));
  for (const answer of world.calls) answer(answered(204));
  await world.dispatcher.stop();
}

it("gives the first free slot to a delivery that fell due while all were in use", async () => {
  holdTimers();
  const world = await patientWorld(2, 2);
  await commitAndWake(world, 2);
  await turns();
  expect(world.calls).toHaveLength(2);
  await due(world);
  world.dispatcher.wake();
  await turns();
  world.calls[0]?.(answered(204));
  await commitAndWake(world);
  await turns();
  expect(world.sent[2]?.headers["webhook-id"]).toBe("70");
  await end(world);
});

it.each([0, 1, 2, 4, 8, 16])(
  "gives a delivery that a claim left out the slot of a call that ended %s microtasks before the claim",
  async (before) => {
    holdTimers();
    const world = await patientWorld(1);
    await commitAndWake(world);
    await turns();
    await due(world);
    const gate = createGate();
    world.claiming.mockImplementationOnce(async (claim) => {
      const claimed = await world.claimDue(claim);
      await gate.promise;
      return claimed;
    });
    world.dispatcher.wake();
    await turns();
    expect(world.calls).toHaveLength(1);
    world.calls[0]?.(answered(204));
    for (let turn = 0; turn < before; turn += 1) await null;
    gate.open();
    await turns();
    expect(world.calls).toHaveLength(2);
    await end(world);
  },
);

it("lets no later delivery overtake one without a slot, even if a slot becomes free before", async () => {
  const { calls, script } = patientReceiver();
  const world = await idleWorld(script);
  await world.endpoint();
  await commitAndWake(world, 7);
  await eventually(() => expect(calls).toHaveLength(5));
  await turns();
  let letClaim = (): void => {};
  const claimable = new Promise<void>((resolve) => {
    letClaim = resolve;
  });
  world.claiming.mockImplementation(async (claim) => {
    await claimable;
    return world.claimDue(claim);
  });
  calls[0]?.(answered(204));
  await commitAndWake(world, 2);
  await eventually(async () => expect(await world.deliveries()).toHaveLength(9));
  await turns();
  letClaim();
  for (let answer = 1; answer < 9; answer += 1) {
    await eventually(() => expect(calls.length).toBeGreaterThan(answer));
    calls[answer]?.(answered(204));
  }
  const made = (await world.deliveries()).map(({ id }) => id);
  expect(world.sent.map(({ headers }) => headers["webhook-id"])).toEqual(made);
  await world.dispatcher.stop();
});

it("begins the deliveries that wait when the settlements that piled up are done", async () => {
  holdTimers();
  const world = await idleWorld(undefined, { concurrency: { total: 2, perBusiness: 2, perSubscriber: 2 } });
  await world.endpoint();
  const { settle } = world.store;
  const gate = createGate();
  vi.spyOn(world.store, "settle").mockImplementation(async (settlement) => {
    await gate.promise;
    return settle(settlement);
  });
  await commitAndWake(world, 9);
  await turns();
  expect(world.sent).toHaveLength(6);
  gate.open();
  await turns();
  expect(world.sent).toHaveLength(9);
  await world.dispatcher.stop();
});

it("begins the deliveries that a claim had no room for, though settlements end while it is made", async () => {
  holdTimers();
  const { calls, script } = patientReceiver();
  const world = await idleWorld(() => answered(204), { concurrency: { total: 2, perBusiness: 2, perSubscriber: 2 } });
  await world.endpoint();
  const { settle } = world.store;
  const gates = [createGate(), createGate(), createGate()];
  let settled = 0;
  vi.spyOn(world.store, "settle").mockImplementation(async (settlement) => {
    const gate = gates[settled];
    settled += 1;
    await gate?.promise;
    return settle(settlement);
  });
  await commitAndWake(world, 3);
  await turns();
  expect(settled).toBe(3); // of four that may run
  world.answerWith(script);
  const gate = createGate();
  world.claiming.mockImplementationOnce(async (claim) => {
    const claimed = await world.claimDue(claim);
    await gate.promise;
    return claimed;
  });
  for (let id = 70; id < 74; id += 1) {
    const subscriber = { kind: "endpoint", id: "60" } as const;
    await world.store.commit(
      testDeliveryCommit(aDelivery({ id: String(id), subscriber, nextAttemptAt: world.clock.now() })),
    );
  }
  world.dispatcher.wake();
  await turns();
  gates[0]?.open();
  await turns();
  gate.open();
  await turns();
  gates[1]?.open();
  gates[2]?.open();
  await turns();
  expect(calls).toHaveLength(2);
  world.answerWith(() => answered(204));
  for (const answer of calls) answer(answered(204));
  await turns();
  expect(world.sent).toHaveLength(7);
  await world.dispatcher.stop();
});
