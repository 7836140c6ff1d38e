import { describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../kernel/clock.js";
import { webhookWorld } from "../testing/webhook-world.js";
import { decideHealth, recordHealth } from "./endpoint-health.js";
import { updateEndpoint } from "./manage-endpoints.js";

describe("the health of an endpoint", () => {
  it("is spoilt by the first failure and mended by a success", async () => {
    const { endpoint, clock } = await webhookWorld();
    const healthy = await endpoint();
    const now = clock.now();
    expect(decideHealth(healthy, "works", now)).toBeNull();
    const failing = decideHealth(healthy, "failed", now) ?? healthy;
    expect(failing).toEqual({ ...healthy, failingSince: now });
    expect(decideHealth(failing, "failed", now + 1)).toBeNull();
    expect(decideHealth(failing, "works", now + 1)).toEqual(healthy);
  });

  it("ends after five days without a success, and says so", async () => {
    const { endpoint, clock } = await webhookWorld();
    const failing = await endpoint({ failingSince: clock.now() });
    expect(decideHealth(failing, "failed", clock.now() + 5 * DAY_MS - 1)).toBeNull();
    expect(decideHealth(failing, "failed", clock.now() + 5 * DAY_MS)).toEqual({
      ...failing,
      status: "DISABLED",
      disabledReason: "No call has succeeded for 5 days.",
    });
  });

  it("ends at once when the receiver says that it is gone", async () => {
    const { endpoint, clock } = await webhookWorld();
    const healthy = await endpoint();
    const gone = decideHealth(healthy, "gone", clock.now()) ?? healthy;
    expect(gone).toMatchObject({ status: "DISABLED", disabledReason: "The receiver answered 410 Gone." });
    expect(decideHealth(gone, "works", clock.now())).toBeNull();
  });

  it("is written beside the changes of others, not over them", async () => {
    const { endpoint, context, store, clock } = await webhookWorld();
    const seen = await endpoint();
    await store.replaceEndpoint({ ...seen, version: 2, description: "meanwhile" }, 1);
    await recordHealth(context, seen, "failed", clock.now());
    expect(await store.findEndpoint("1", seen.id)).toMatchObject({
      version: 3,
      description: "meanwhile",
      failingSince: clock.now(),
    });
  });

  it("says nothing of another receiver that the endpoint has been given meanwhile", async () => {
    const { endpoint, context, store, clock, owner } = await webhookWorld();
    const seen = await endpoint();
    await updateEndpoint(context, owner, seen.id, { url: "https://elsewhere.example/" });
    await recordHealth(context, seen, "gone", clock.now());
    expect(await store.findEndpoint("1", seen.id)).toMatchObject({ status: "ACTIVE", version: 2 });
    await updateEndpoint(context, owner, seen.id, { url: seen.url });
    await recordHealth(context, seen, "gone", clock.now());
    expect(await store.findEndpoint("1", seen.id)).toMatchObject({ status: "ACTIVE", version: 3 });
  });

  it("is not spoilt by what was called before the endpoint was made ACTIVE again", async () => {
    const { endpoint, context, store, clock, owner } = await webhookWorld();
    const seen = await endpoint();
    await recordHealth(context, seen, "gone", clock.now());
    await updateEndpoint(context, owner, seen.id, { status: "ACTIVE" });
    for (const sign of ["gone", "failed"] as const) await recordHealth(context, seen, sign, clock.now());
    expect(await store.findEndpoint("1", seen.id)).toMatchObject({ status: "ACTIVE", failingSince: null });
  });

  it("is mended by a success whose call began before another one failed", async () => {
    const { endpoint, context, store, clock } = await webhookWorld();
    const seen = await endpoint();
    await recordHealth(context, seen, "failed", clock.now());
    await recordHealth(context, seen, "works", clock.now());
    expect(await store.findEndpoint("1", seen.id)).toMatchObject({ failingSince: null });
  });

  it("is of no interest once the endpoint is deleted, and not worth a fight", async () => {
    const { endpoint, context, store, clock } = await webhookWorld();
    const seen = await endpoint();
    await store.deleteEndpoint("1", seen.id);
    await recordHealth(context, seen, "failed", clock.now());
    expect(await store.findEndpoint("1", seen.id)).toBeNull();
    const replacing = vi.fn(async () => "stale" as const);
    const contested = { ...context, store: { ...store, replaceEndpoint: replacing, findEndpoint: async () => seen } };
    await recordHealth(contested, seen, "failed", clock.now());
    expect(replacing).toHaveBeenCalledTimes(10);
  });
});
