import { anApiKey, manualClock } from "@budgetkit/core/testing";
import { describe, expect, it } from "vitest";
import { createKeyCache, type Elapsed, LEASE_MS } from "./key-cache.js";

function world(maxKeys?: number) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const cache = createKeyCache(maxKeys);
  const startElapsed = (): Elapsed => {
    const start = clock.now();
    return () => clock.now() - start;
  };
  const keep = (id: string, hash = `hash ${id}`) => cache.reading()(hash, anApiKey({ id }));
  const renew = (changing: Parameters<typeof cache.renewed>[1] = []) => cache.renewed(startElapsed(), changing);
  return { clock, cache, keep, renew, startElapsed, finds: (id: string) => cache.find(`hash ${id}`) !== null };
}

const KEY = { businessId: "1", id: "20" };

describe("keys that were read", () => {
  it("are kept and used under a lease, and not without one", () => {
    const { cache, clock, keep, renew, finds } = world();
    keep("20");
    renew();
    expect(finds("20")).toBe(false);
    keep("20");
    expect(finds("20")).toBe(true);
    clock.advance(LEASE_MS - 1);
    expect(finds("20")).toBe(true);
    expect(cache.isLeased()).toBe(true);
    clock.advance(1);
    expect(finds("20")).toBe(false);
    expect(cache.isLeased()).toBe(false);
  });

  it("outlast leases that touch, and no gap between two", () => {
    const { clock, keep, renew, finds } = world();
    renew();
    keep("20");
    for (let turn = 0; turn < 5; turn += 1) {
      clock.advance(LEASE_MS - 1);
      renew();
      expect(finds("20")).toBe(true);
    }
    clock.advance(LEASE_MS);
    renew();
    expect(finds("20")).toBe(false);
  });

  it("are under a lease since before it was asked for: an answer that is long in coming gives less, or nothing", () => {
    const { cache, clock, keep, renew, startElapsed, finds } = world();
    renew();
    keep("20");
    const elapsed = startElapsed();
    clock.advance(LEASE_MS - 1);
    cache.renewed(elapsed, []);
    expect(finds("20")).toBe(true);
    clock.advance(1);
    expect(finds("20")).toBe(false);
    const late = startElapsed();
    clock.advance(LEASE_MS);
    cache.renewed(late, []);
    expect(cache.isLeased()).toBe(false);
  });

  it("are forgotten when they are changed, by every digest, and no others are", () => {
    const { cache, keep, renew, finds } = world();
    renew();
    keep("20");
    keep("20", "hash before");
    keep("21");
    cache.forget(KEY);
    expect([finds("20"), cache.find("hash before"), finds("21")]).toEqual([false, null, true]);
    keep("20");
    renew([KEY]);
    expect([finds("20"), finds("21")]).toEqual([false, true]);
  });

  it("are not kept when any key was changed, or the lease lost, while they were read", () => {
    const { cache, clock, renew, finds } = world();
    const meanwhile = (happens: () => void): boolean => {
      renew();
      const keep = cache.reading();
      happens();
      keep("hash 20", anApiKey({ id: "20" }));
      return finds("20");
    };
    expect(meanwhile(() => {})).toBe(true);
    expect(meanwhile(() => renew())).toBe(true);
    expect(meanwhile(() => cache.forget(KEY))).toBe(false);
    expect(meanwhile(() => renew([{ businessId: "9", id: "9" }]))).toBe(false);
    expect(meanwhile(() => cache.lapse())).toBe(false);
    const lapsed = meanwhile(() => {
      cache.lapse();
      renew();
    });
    expect(lapsed).toBe(false);
    const late = meanwhile(() => {
      clock.advance(LEASE_MS);
      renew();
    });
    expect(late).toBe(false);
  });

  it("give way, the one that was used least recently first", () => {
    const { keep, renew, finds } = world(2);
    renew();
    keep("20");
    keep("21");
    expect(finds("20")).toBe(true);
    keep("22");
    expect([finds("20"), finds("21"), finds("22")]).toEqual([true, false, true]);
  });

  it("show a later use, by every digest, and no earlier one", () => {
    const { cache, keep, renew } = world();
    renew();
    keep("20");
    keep("20", "hash before");
    cache.touched(KEY, 5);
    cache.touched(KEY, 3);
    cache.touched({ businessId: "1", id: "21" }, 9);
    expect([cache.find("hash 20")?.lastUsedAt, cache.find("hash before")?.lastUsedAt]).toEqual([5, 5]);
  });
});
