import { describe, expect, it } from "vitest";
import { BusinessCache } from "./business-cache.js";

const cacheOf = (total: number, share: number, ofBusiness = 0) =>
  new BusinessCache<string>({ total, share, ofBusiness, sizeOf: (value) => value.length });

/** Those of the keys that are cached. */
const cached = (cache: BusinessCache<string>, businessId: string, keys: string) =>
  [...keys].filter((key) => cache.get(businessId, key) !== undefined).join("");

describe("a cache of businesses", () => {
  it("keeps the cached values of businesses apart, and the last one of a key", () => {
    const cache = cacheOf(10, 10);
    cache.set("1", "a", "x");
    cache.set("2", "a", "y");
    cache.set("1", "a", "z");
    expect([cache.get("1", "a"), cache.get("2", "a"), cache.get("3", "a")]).toEqual(["z", "y", undefined]);
  });

  it("drops the cached value that a business used longest ago when it exceeds its share", () => {
    const cache = cacheOf(100, 3);
    for (const key of "abc") cache.set("1", key, "x");
    cache.get("1", "a");
    cache.set("1", "d", "x");
    expect(cached(cache, "1", "abcd")).toBe("acd");
    cache.set("1", "e", "xxx");
    expect(cached(cache, "1", "abcde")).toBe("e");
  });

  it("keeps the cached values of others while one business stores without end", () => {
    const cache = cacheOf(100, 50);
    cache.set("2", "a", "x");
    for (let key = 0; key < 10_000; key += 1) cache.set("1", String(key), "x");
    expect(cache.get("2", "a")).toBe("x");
  });

  it("drops cached values of the business that was used longest ago when all together exceed the total", () => {
    const cache = cacheOf(4, 2);
    for (const businessId of ["1", "2"]) for (const key of "ab") cache.set(businessId, key, "x");
    cache.get("1", "a");
    cache.set("3", "a", "x");
    expect(["1", "2", "3"].map((businessId) => cached(cache, businessId, "ab"))).toEqual(["ab", "b", "a"]);
    for (let businessId = 10; businessId < 1_000; businessId += 1) cache.set(String(businessId), "a", "x");
    const businesses = Array.from({ length: 1_000 }, (_, index) => String(index));
    expect(businesses.filter((businessId) => cached(cache, businessId, "ab") !== "")).toHaveLength(4);
  });

  it("counts each business beside its values", () => {
    const cache = cacheOf(50, 10, 9);
    for (let business = 0; business < 100; business += 1) cache.set(String(business), "a", "x");
    const businesses = Array.from({ length: 100 }, (_, index) => String(index));
    expect(businesses.filter((businessId) => cached(cache, businessId, "a") !== "")).toHaveLength(5);
  });

  it("caches no value larger than the share, nor what it replaces", () => {
    const cache = cacheOf(100, 3);
    cache.set("1", "a", "x");
    cache.set("1", "a", "xxxx");
    cache.set("2", "a", "xxxx");
    expect([cache.get("1", "a"), cache.get("2", "a")]).toEqual([undefined, undefined]);
  });

  it("clears the cache of businesses, which then fills again", () => {
    const cache = cacheOf(1, 1);
    cache.set("1", "a", "x");
    cache.clear();
    expect(cache.get("1", "a")).toBeUndefined();
    cache.set("1", "b", "x");
    expect(cache.get("1", "b")).toBe("x");
  });
});
