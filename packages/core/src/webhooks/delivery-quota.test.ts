import { describe, expect, it } from "vitest";
import { parseInput } from "../kernel/validation.js";
import { answered, type Script, webhookWorld } from "../testing/webhook-world.js";
import { redeliverSchema } from "./deliveries/delivery-view.js";
import { redeliverSince, retryDelivery } from "./deliveries/manage-deliveries.js";
import { testEndpoint, testKey } from "./dispatch/test-delivery.js";
import { startReplay } from "./replays/manage-replays.js";

const ENDPOINT = { kind: "endpoint", id: "60" } as const;
const TEST = { event: "budget.created", data: {} } as const;

/** A business with an event that its endpoint has refused. `fill` uses up its quota, and `free` ends that. */
async function fullWorld(script: Script = () => answered(500)) {
  const quota: { budgets: null; bytes: number | null } = { budgets: null, bytes: null };
  const world = await webhookWorld({ quota }, script);
  const { actor } = await world.key({ webhookUrl: null });
  await world.endpoint({ retryDelaysSeconds: [0, 1] });
  await world.commit({}, {});
  await world.dispatcher.tick();
  const fill = () => {
    quota.bytes = 1;
  };
  const free = () => {
    quota.bytes = null;
  };
  return { ...world, actor, fill, free };
}

describe("a business whose storage quota is used up", () => {
  it("a business without storage quota starts no replay, redelivers nothing and sends no test (QUOTA_EXCEEDED)", async () => {
    const { context, owner, clock, dispatcher, deliveries, key, fill } = await fullWorld();
    const { actor } = await key({ id: "21" });
    clock.advance(2_000);
    await dispatcher.tick();
    const [failed] = await deliveries();
    expect(failed?.status).toBe("failed");
    fill();
    const { since } = parseInput(redeliverSchema, { since: "2026-03-01" })._unsafeUnwrap();
    const before = [await deliveries(), await context.store.measureStorage("1")];
    for (const refused of [
      await startReplay(context, owner, "60", { fromSequence: 1 }),
      await retryDelivery(context, owner, ENDPOINT, failed?.id ?? ""),
      await redeliverSince(context, owner, ENDPOINT, { since }),
      await testEndpoint(context, owner, "60", TEST),
      await testKey(context, actor, TEST),
    ]) {
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        kind: "rule",
        rule: "QUOTA_EXCEEDED",
        details: { resource: "bytes" },
      });
    }
    expect([await deliveries(), await context.store.measureStorage("1")]).toEqual(before);
  });

  it("continues a replay once there is room in the quota again", async () => {
    const { context, owner, dispatcher, store, fill, free } = await fullWorld();
    (await startReplay(context, owner, "60", { fromSequence: 1 }))._unsafeUnwrap();
    const sent = async () => (await store.findReplay("1", "60"))?.sent;
    fill();
    for (let round = 0; round < 3; round += 1) await dispatcher.tick();
    expect([await sent(), (await store.findReplay("1", "60"))?.status]).toEqual([0, "running"]);
    free();
    await dispatcher.tick();
    expect([await sent(), (await store.findReplay("1", "60"))?.status]).toEqual([2, "finished"]);
  });

  it("still makes and retries deliveries without quota, and keeps the beginning of their responses", async () => {
    const responseBody = `${"x".repeat(127)}🙂${"y".repeat(4_000)}`;
    const world = await fullWorld((_, call) => ({ ...answered(call < 6 ? 500 : 204), responseBody }));
    const kept = async () => {
      const [first] = await world.deliveries();
      return (await world.store.listAttempts("1", first?.id ?? "")).map((attempt) => attempt.responseBody);
    };
    expect(await kept()).toEqual([responseBody]);
    world.fill();
    await world.commit({});
    world.clock.advance(2_000);
    await world.dispatcher.tick();
    expect(await kept()).toEqual([responseBody, "x".repeat(127)]);
    expect((await world.deliveries()).length).toBe(3);
    expect(world.errors).toEqual([]);
  });
});
