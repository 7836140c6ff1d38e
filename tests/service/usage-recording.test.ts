import { createBudgetService } from "@budgetkit/core";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const DAY_MS = 24 * 3_600_000;
const ALL = (["minute", "hour", "day", "hour-total"] as const).map((grain) => ({ grain, from: 0, until: 1e15 }));

/** A service that is not started, with a key. */
async function openWorld() {
  const store = memoryStore();
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const onError = vi.fn();
  const secret = "a secret for tests that is long enough";
  const options = { store, clock, secret, random: seededRandom(1), onError };
  const service = createBudgetService({ ...options, usage: { flushIntervalMs: 2_000 } });
  const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const owner = { kind: "system", businessId } as const;
  const key = (await service.keys.create(owner, { name: "Shop", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
  const ask = () =>
    service.handle({
      method: "GET",
      target: "/v1/api/public/budgets",
      header: (name) => (name === "authorization" ? `Bearer ${key.key}` : null),
      readBody: async () => new Uint8Array(),
      streamBody: async function* () {},
      peerAddress: "127.0.0.1",
      original: null,
    });
  const stored = async () => {
    const { moments } = await store.sumUsage(businessId, key.id, ALL.slice(0, 1));
    return moments.reduce((sum, { requests }) => sum + requests, 0);
  };
  const shown = async () => (await service.usage.statistics(owner, key.id))._unsafeUnwrap();
  return { service, store, clock, onError, key, owner, ask, stored, shown };
}

describe("recording requests", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("recording a request costs no write of its own, and stop loses nothing", async () => {
    const { service, ask, stored } = await openWorld();
    for (let times = 0; times < 5; times += 1) expect((await ask()).status).toBe(200);
    expect(await stored()).toBe(0);
    await service.stop();
    expect(await stored()).toBe(5);
    await ask(); // a request that was still under way
    await service.stop();
    expect(await stored()).toBe(6);
  });

  it("writes usage within the interval, also for a host that never starts the service", async () => {
    const { ask, stored } = await openWorld();
    await ask();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await stored()).toBe(1);
  });

  it("writes usage at each round of maintenance", async () => {
    const { service, ask, stored } = await openWorld();
    await ask();
    await service.tick();
    expect(await stored()).toBe(1);
  });

  it("shows usage even while it cannot be written, counts it once, and writes it later", async () => {
    const { store, ask, stored, shown, onError } = await openWorld();
    await ask();
    await shown();
    const failing = vi.spyOn(store, "addUsage").mockRejectedValue(new Error("disk full"));
    await ask();
    for (let times = 0; times < 3; times += 1) {
      const { totalRequests, topEndpoints, rateLimitStats } = await shown();
      expect([totalRequests, topEndpoints[0]?.count, rateLimitStats.peakUsage]).toEqual([2, 2, 2]);
    }
    expect(onError).toHaveBeenCalledTimes(3);
    expect(await stored()).toBe(1);
    failing.mockRestore();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await stored()).toBe(2);
    expect((await shown()).totalRequests).toBe(2);
  });

  it("counts a request that the store failed as the error that answered it", async () => {
    const { store, ask, shown } = await openWorld();
    const unavailable = Object.assign(new Error("locked"), { name: "StoreUnavailable" });
    vi.spyOn(store, "listBudgets").mockRejectedValueOnce(unavailable);
    expect((await ask()).status).toBe(503);
    expect(await shown()).toMatchObject({ totalRequests: 1, errorRequests: 1 });
  });

  it("measures how long requests take by a clock that does not step back", async () => {
    const { store, clock, ask, shown } = await openWorld();
    const list = store.listBudgets;
    for (const tookMs of [30, 45]) {
      vi.spyOn(store, "listBudgets").mockImplementationOnce(async (...asked) => {
        clock.advance(tookMs);
        clock.set(clock.now() - 10_000);
        return list(...asked);
      });
      await ask();
    }
    expect((await shown()).averageResponseTime).toBe(37.5);
  });

  it("maintenance removes usage once no period reaches it", async () => {
    const { service, store, clock, key, owner, ask } = await openWorld();
    const grains = async () => {
      const { moments } = await store.sumUsage(owner.businessId, key.id, ALL);
      return moments.map(({ grain }) => grain);
    };
    await ask();
    await service.tick();
    clock.advance(2 * DAY_MS);
    await service.tick();
    expect(await grains()).toEqual(["minute", "hour", "day", "hour-total"]);
    clock.advance(DAY_MS);
    await service.tick();
    expect(await grains()).toEqual(["hour", "day", "hour-total"]);
    clock.advance(88 * DAY_MS - 3_600_000);
    await service.tick();
    expect((await grains()).length).toBeGreaterThan(0);
    clock.advance(2 * DAY_MS);
    await service.tick();
    expect(await grains()).toEqual([]);
  });

  it("refuses a wrong usage interval", () => {
    const secret = "a secret for tests that is long enough";
    expect(() => createBudgetService({ store: memoryStore(), secret, usage: { flushIntervalMs: 0 } })).toThrow(
      RangeError,
    );
  });
});
