import { describe, expect, it, vi } from "vitest";
import { webhookWorld } from "../testing/webhook-world.js";

describe("fanning out", () => {
  it("sends an event to an endpoint that was made before it, while earlier events were fanned out", async () => {
    const world = await webhookWorld();
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
});
