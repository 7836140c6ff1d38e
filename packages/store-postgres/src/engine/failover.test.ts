import { ID_RANGE_SIZE, insertBudgetCommit, type Store, StoreUnavailable } from "@budgetkit/core/store";
import { aBudget, anEvent } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { postgresStore } from "../index.js";
import { type ReplicatedServer, startReplicated } from "../testing/replicated-server.js";

describe("a failover to a standby that was behind", () => {
  let server: ReplicatedServer;
  let store: Store;

  beforeAll(async () => {
    server = await startReplicated();
    store = postgresStore(server.url);
    await store.migrate();
  });

  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const rangeOf = (id: number) => Math.floor(id / ID_RANGE_SIZE);

  it("answers on a standby with StoreUnavailable, also where it has no unlogged tables (0A000), and says why", async () => {
    await server.catchUp();
    const standby = postgresStore(server.standby.url, { listen: false });
    const calls = [
      () => standby.consume("key", [{ lengthMs: 1_000, limit: 5 }], 0),
      () => standby.reserveIds("1", 1),
      () => standby.reserveBusinessId(),
      () => standby.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] })),
    ];
    await standby.migrate(); // nothing is pending
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailable);
    expect(await standby.findOutage()).toContain("read-only transaction");
    expect(await standby.findBudget("1", "99")).toBeNull();
    await standby.close();
  });

  it("never reserves again what commits had reserved that were lost: ids, ranges, ids of businesses", async () => {
    const kept = await store.reserveIds("1", 100);
    const keptBusiness = await store.reserveBusinessId();
    await server.catchUp();
    await server.cutOff();
    const lost = { first: await store.reserveIds("1", 8_192), range: rangeOf(await store.reserveIds("2", 1)) };
    const lostBusiness = await store.reserveBusinessId();
    expect(lost.first).toBe(kept + 100);
    const onLost = vi.fn();
    store.onLostCommits?.(onLost);
    await server.failOver();

    const other = postgresStore(server.url, { listen: false }); // has seen none of it
    const first = await eventually(() => other.reserveIds("1", 1));
    expect(first).toBeGreaterThan(lost.first + 8_192);
    expect(rangeOf(first)).toBe(rangeOf(kept));
    expect(await store.reserveIds("1", 1, lost.first + 8_191)).toBe(first + 1);
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(rangeOf(await other.reserveIds("3", 1))).toBeGreaterThan(lost.range);
    const business = Number(await other.reserveBusinessId());
    expect(business).toBeGreaterThan(Number(lostBusiness));
    expect(await other.reserveBusinessId()).toBe(String(business + 1));
    expect(keptBusiness).not.toBe(lostBusiness);
    await other.close();
  });
});

/** What the call returns once the promoted server serves. */
async function eventually<T>(call: () => Promise<T>): Promise<T> {
  return vi.waitFor(call, { timeout: 20_000, interval: 20 });
}
