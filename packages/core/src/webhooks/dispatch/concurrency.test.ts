import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { commitAndWake, idleWorld, patientReceiver } from "../../testing/dispatch-world.js";
import { eventually, turns } from "../../testing/event-loop.js";
import { answered, ENDPOINT_URL, webhookWorld } from "../../testing/webhook-world.js";

it.each([
  { total: 50, perBusiness: 50, perSubscriber: 5 },
  { total: 7, perBusiness: 7, perSubscriber: 3 },
  { total: 4, perBusiness: 9, perSubscriber: 1 },
  { total: 1, perBusiness: 1, perSubscriber: 1 },
])("never exceeds $total calls in all and $perSubscriber of a subscriber, and reaches them", async (concurrency) => {
  const world = await webhookWorld({ concurrency });
  for (let id = 60; id < 75; id += 1) await world.endpoint({ id: String(id), url: `https://hooks.example/${id}` });
  for (let count = 0; count < 12; count += 1) await world.commit({});
  const inFlight = new Map<string, number>();
  let most = 0;
  let mostOfOne = 0;
  let all = 0;
  world.answerWith(async ({ url }) => {
    all += 1;
    const own = (inFlight.get(url) ?? 0) + 1;
    inFlight.set(url, own);
    most = Math.max(most, all);
    mostOfOne = Math.max(mostOfOne, own);
    for (let turns = 0; turns < 3; turns += 1) await nextTurn();
    all -= 1;
    inFlight.set(url, (inFlight.get(url) ?? 1) - 1);
    return answered(200);
  });
  await world.dispatcher.tick();
  await world.dispatcher.tick();
  expect(world.sent).toHaveLength(15 * 12);
  expect(most).toBe(concurrency.total);
  expect(mostOfOne).toBeLessThanOrEqual(concurrency.perSubscriber);
});

it("makes at most five calls of a subscriber at once; its other deliveries wait to be claimed", async () => {
  const { calls, script } = patientReceiver();
  const world = await idleWorld(script);
  await world.endpoint();
  await commitAndWake(world, 8);
  await eventually(() => expect(calls).toHaveLength(5));
  await turns();
  expect(calls).toHaveLength(5);
  expect((await world.deliveries()).filter(({ lease }) => lease === null)).toHaveLength(3);
  for (let answer = 0; answer < 8; answer += 1) {
    await eventually(() => expect(calls.length).toBeGreaterThan(answer));
    calls[answer]?.(answered(204));
  }
  await eventually(async () =>
    expect((await world.deliveries()).every(({ status }) => status === "delivered")).toBe(true),
  );
  await world.dispatcher.stop();
});

it("keeps to the slots of a business and to those in all", async () => {
  for (const limits of [
    { total: 3, perBusiness: 50, perSubscriber: 5 },
    { total: 50, perBusiness: 3, perSubscriber: 5 },
  ]) {
    const { calls, script } = patientReceiver();
    const world = await webhookWorld({ concurrency: limits }, script);
    for (const id of ["60", "61"]) await world.endpoint({ id });
    world.dispatcher.start();
    await turns();
    await commitAndWake(world, 3); // six deliveries
    await eventually(() => expect(calls).toHaveLength(3));
    await turns();
    expect(calls).toHaveLength(3);
    for (let answer = 0; answer < 6; answer += 1) {
      await eventually(() => expect(calls.length).toBeGreaterThan(answer));
      calls[answer]?.(answered(204));
    }
    await world.dispatcher.stop();
  }
});

it("gives a business its slots back when its calls end", async () => {
  const world = await webhookWorld({ concurrency: { total: 50, perBusiness: 3, perSubscriber: 2 } });
  for (let id = 100; id < 104; id += 1) await world.endpoint({ id: String(id) });
  for (let count = 0; count < 10; count += 1) await world.commit({});
  let inFlight = 0;
  let most = 0;
  world.answerWith(async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await nextTurn();
    inFlight -= 1;
    return answered(204);
  });
  expect(await world.dispatcher.tick()).toMatchObject({ delivered: 40 });
  expect(most).toBe(3);
});

it("delays no delivery of a business while the endpoints of another one never answer", async () => {
  const world = await webhookWorld({ concurrency: { total: 50, perBusiness: 15, perSubscriber: 5 } });
  for (let id = 100; id < 120; id += 1) await world.endpoint({ id: String(id), url: "https://dead.example/" });
  await world.endpoint({ id: "200", businessId: "2" });
  for (let count = 0; count < 10; count += 1) await world.commit({});
  const hanging: (() => void)[] = [];
  world.answerWith(({ url }) =>
    url === ENDPOINT_URL
      ? answered(204)
      : new Promise((resolve) => {
          hanging.push(() => resolve(answered(500)));
        }),
  );
  world.dispatcher.start();
  await eventually(() => expect(hanging).toHaveLength(15));
  await turns();
  await world.commit({ businessId: "2" });
  world.dispatcher.wake();
  await eventually(() => expect(world.sent.some(({ url }) => url === ENDPOINT_URL)).toBe(true));
  expect(hanging).toHaveLength(15);
  world.answerWith(() => answered(500)); // what is claimed from here on must not keep the test waiting
  for (const answer of hanging) answer();
  await world.dispatcher.stop();
});

it("needs at most 15 % more claims for 99 receivers beside one that never answers", async () => {
  const events = 20;
  const calls = async (withDeadOne: boolean): Promise<number> => {
    const world = await webhookWorld();
    for (let id = 100; id < 199; id += 1) await world.endpoint({ id: String(id) });
    if (withDeadOne) await world.endpoint({ id: "199", url: "https://dead.example/" });
    for (let count = 0; count < events; count += 1) await world.commit({});
    const claiming = vi.spyOn(world.store, "claimDue");
    const hanging: (() => void)[] = [];
    let good = 0;
    let claims = 0;
    world.answerWith(({ url }) => {
      if (url === "https://dead.example/") return new Promise((resolve) => hanging.push(() => resolve(answered(500))));
      good += 1;
      claims = claiming.mock.calls.length;
      return answered(200);
    });
    world.dispatcher.start();
    await eventually(() => expect(good).toBe(99 * events));
    expect(hanging.length).toBeLessThanOrEqual(5);
    if (withDeadOne) expect(hanging.length).toBeGreaterThanOrEqual(4);
    world.answerWith(() => answered(500)); // what is claimed from here on must not keep the test waiting
    for (const answer of hanging) answer();
    await world.dispatcher.stop();
    return claims;
  };
  const alone = await calls(false);
  const beside = await calls(true);
  // The dead one holds 5 of 50 slots, which makes at most a tenth more claims.
  expect(beside).toBeLessThanOrEqual(Math.ceil(alone * 1.15));
}, 60_000);
