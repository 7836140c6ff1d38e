import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { answeredAfter, claimSlowly } from "../../testing/dispatch-world.js";
import { eventually, holdTimers, turns } from "../../testing/event-loop.js";
import { answered, ENDPOINT_URL, webhookWorld } from "../../testing/webhook-world.js";

/** A started dispatcher with forty deliveries, and a receiver that responds to the first twelve calls and then hangs. */
async function hangingWorld() {
  const world = await webhookWorld({ concurrency: { total: 4, perBusiness: 4, perSubscriber: 4 } });
  claimSlowly(world);
  await world.endpoint();
  for (let count = 0; count < 40; count += 1) await world.commit({});
  const open: (() => void)[] = [];
  world.answerWith((_, call) =>
    call <= 12 ? answeredAfter(call % 4) : new Promise((resolve) => open.push(() => resolve(answered(200)))),
  );
  world.dispatcher.start();
  await eventually(() => expect(open).toHaveLength(4));
  await turns();
  return { ...world, open };
}

it("prefetches for quick receivers, and releases the deliveries that wait for a slot when it stops", async () => {
  const { open, ...world } = await hangingWorld();
  const leased = (await world.deliveries()).filter(({ lease }) => lease !== null);
  expect(leased.length).toBeGreaterThan(4); // four are called, the others wait here
  expect(leased.length).toBeLessThanOrEqual(8);
  const stopping = world.dispatcher.stop();
  await eventually(async () => {
    const uncalled = (await world.deliveries()).filter(({ status }) => status === "pending");
    expect(uncalled.filter(({ lease }) => lease !== null)).toHaveLength(4);
  });
  for (const answer of open) answer();
  await stopping;
  expect(world.sent).toHaveLength(16);
  const pending = (await world.deliveries()).filter(({ status }) => status === "pending");
  expect(pending).toHaveLength(24);
  for (const { attempts, lease } of pending) expect([attempts, lease]).toEqual([0, null]);
});

it("gives back a prefetched delivery that has waited a second for a slot: its receiver has become slow", async () => {
  const { open, ...world } = await hangingWorld();
  const leased = async () => (await world.deliveries()).filter(({ lease }) => lease !== null);
  expect((await leased()).length).toBeGreaterThan(4); // four are called, the others wait here
  world.clock.advance(1_001);
  world.dispatcher.wake();
  await eventually(async () => expect(await leased()).toHaveLength(4));
  const waiting = (await world.deliveries()).filter(({ status, lease }) => status === "pending" && lease === null);
  expect(waiting).toHaveLength(24);
  for (const { attempts } of waiting) expect(attempts).toBe(0);
  const stopping = world.dispatcher.stop();
  for (const answer of open) answer();
  await stopping;
  expect(world.sent).toHaveLength(16);
});

it("calls a prefetched delivery that gets a slot after more than a second, and releases none", async () => {
  const { open, ...world } = await hangingWorld();
  const waiting = (await world.deliveries()).filter(({ status, lease }) => status === "pending" && lease !== null);
  expect(waiting.length).toBeGreaterThan(4); // four of them are called, the others wait here
  const settling = vi.spyOn(world.store, "settle");
  world.clock.advance(1_001);
  for (const answer of open.splice(0)) answer();
  await eventually(() => expect(open).toHaveLength(4));
  world.answerWith(() => answered(200));
  for (const answer of open.splice(0)) answer();
  await eventually(async () => {
    for (const answer of open.splice(0)) answer();
    expect((await world.deliveries()).every(({ status }) => status === "delivered")).toBe(true);
  });
  expect(settling.mock.calls.filter(([settled]) => settled.attempt === null)).toEqual([]);
  await world.dispatcher.stop();
  expect(world.sent).toHaveLength(40);
});

it("calls the other subscribers of a business at once while receivers hang that it prefetched for", async () => {
  holdTimers();
  const world = await webhookWorld({ concurrency: { total: 12, perBusiness: 6, perSubscriber: 2 } });
  claimSlowly(world);
  const urls = ["https://one.example/", "https://two.example/", "https://good.example/"];
  for (const [index, url] of urls.entries()) await world.endpoint({ id: String(60 + index), url });
  const answers: (() => void)[] = [];
  let isHanging = false;
  world.answerWith(({ url }) => {
    if (!isHanging || url === urls[2]) return answeredAfter(world.sent.length % 4);
    return new Promise((resolve) => answers.push(() => resolve(answered(200))));
  });
  for (let count = 0; count < 60; count += 1) await world.commit({});
  world.dispatcher.start();
  while (world.sent.length < 60) await nextTurn();
  isHanging = true;
  const good = () => world.sent.filter(({ url }) => url === urls[2]).length;
  for (let events = 60; events < 66; events += 1) {
    for (let round = 0; round < 10 && good() < events; round += 1) await turns();
    expect(good()).toBe(events);
    await world.commit({});
    world.dispatcher.wake();
  }
  expect(answers).toHaveLength(4);
  isHanging = false;
  const stopping = world.dispatcher.stop();
  for (const answer of answers) answer();
  await stopping;
});

it("claims again while slots are free beside deliveries that wait for theirs", async () => {
  const world = await webhookWorld({ concurrency: { total: 4, perBusiness: 4, perSubscriber: 1 } });
  await world.endpoint();
  for (let count = 0; count < 6; count += 1) await world.commit({});
  const { claimDue } = world.store;
  vi.spyOn(world.store, "claimDue").mockResolvedValue([]);
  await world.dispatcher.tick(); // fans out
  await world.endpoint({ id: "61", url: "https://other.example/" });
  await world.commit({});
  vi.spyOn(world.store, "claimDue").mockImplementation((claim) =>
    claimDue({ ...claim, perSubscriber: 4, inFlight: [] }),
  );
  const answers: (() => void)[] = [];
  world.answerWith(() => new Promise((resolve) => answers.push(() => resolve(answered(200)))));
  const tick = world.dispatcher.tick();
  await turns();
  expect(world.sent.map(({ url }) => url)).toEqual([ENDPOINT_URL, "https://other.example/"]);
  world.answerWith(() => answered(200));
  for (const answer of answers) answer();
  expect(await tick).toMatchObject({ delivered: 8 });
});
