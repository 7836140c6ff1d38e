import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { webhookWorld } from "../../testing/webhook-world.js";

describe("fanning out", () => {
  it("sends an event to an endpoint that was made before it, while earlier events were fanned out", async () => {
    const world = await webhookWorld();
    await world.endpoint({ id: "61", events: ["customer.created"] });
    for (let count = 0; count < 25; count += 1) await world.commit({}); // a whole page of one business
    const { fanOut } = world.store;
    let fannedOut = 0;
    vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
      const outcome = await fanOut(event, deliveries);
      fannedOut += 1;
      if (fannedOut === 25) {
        await world.endpoint();
        await world.commit({ type: "budget.approved" });
      }
      return outcome;
    });
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 26, delivered: 1 });
    expect(await world.deliveries()).toMatchObject([{ eventType: "budget.approved", status: "delivered" }]);
  });

  it("reports a business whose subscribers cannot be read, and fans out the events of the others", async () => {
    const world = await webhookWorld();
    await world.endpoint();
    await world.endpoint({ id: "61", businessId: "2" });
    await world.commit({});
    await world.commit({ businessId: "2" });
    vi.spyOn(world.store, "findSubscribers").mockRejectedValueOnce(new Error("away"));
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1 });
    expect(world.errors).toEqual([new Error("away")]);
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1 });
    expect(world.sent).toHaveLength(2);
  });

  it("sends an event while the write of another is under way", async () => {
    const world = await webhookWorld();
    await world.endpoint();
    await world.endpoint({ id: "61", businessId: "2" });
    await world.commit({});
    await world.commit({ businessId: "2" });
    const { fanOut } = world.store;
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
      if (event.businessId === "1") await held;
      return fanOut(event, deliveries);
    });
    world.dispatcher.start();
    await vi.waitFor(() => expect(world.sent).toHaveLength(1));
    end();
    await vi.waitFor(() => expect(world.sent).toHaveLength(2));
    await world.dispatcher.stop();
  });

  it("reads on where the events of businesses whose subscribers cannot be read would fill the page", async () => {
    const world = await webhookWorld();
    const broken = ["2", "3", "4", "5"];
    for (const businessId of broken) {
      await world.endpoint({ id: `6${businessId}`, businessId });
      for (let count = 0; count < 60; count += 1) await world.commit({ businessId });
    }
    await world.endpoint();
    await world.commit({});
    const { findSubscribers } = world.store;
    vi.spyOn(world.store, "findSubscribers").mockImplementation((businessId) =>
      broken.includes(businessId) ? Promise.reject(new Error("away")) : findSubscribers(businessId),
    );
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1, delivered: 1 });
    expect(world.errors).toHaveLength(broken.length);
  });

  it("tries a bounded number of events where the store refuses every write", async () => {
    const world = await webhookWorld();
    await world.endpoint();
    for (let count = 0; count < 500; count += 1) await world.commit({});
    vi.spyOn(world.store, "fanOut").mockRejectedValue(new Error("full"));
    const reads = vi.spyOn(world.store, "findUndispatchedEvents");
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 0 });
    expect(world.errors.length).toBeLessThanOrEqual(300);
    expect(reads.mock.calls.length).toBeLessThanOrEqual(10);
  });

  it("writes so much at once that no commit is long: a mebibyte of bodies, and the event that fills it", async () => {
    const world = await webhookWorld();
    for (let id = 100; id < 110; id += 1) await world.endpoint({ id: String(id) });
    const bodyBytes = 30_000; // ten bodies an event
    for (let count = 0; count < 12; count += 1) await world.commit({ data: { text: "ñ".repeat(bodyBytes / 2) } });
    const { fanOut } = world.store;
    const chunks: number[] = [];
    let writing = 0;
    vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
      writing += 1;
      await nextTurn();
      if (writing > 0) chunks.push(writing);
      writing = 0;
      return fanOut(event, deliveries);
    });
    expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 12 });
    expect(chunks).toEqual([4, 4, 4]);
  });
});
