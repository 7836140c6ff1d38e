import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { admitLinkRequest } from "./link-throttle.js";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";

const START = Date.UTC(2026, 2, 2);

function throttle() {
  const store = createMemoryRateLimitStore();
  return async (clientAddress: string | null, count = 1, at = 0, token = "a-link") => {
    let refusal = null;
    for (let request = 0; request < count; request += 1) {
      refusal = await admitLinkRequest(store, { token, clientAddress, now: START + at });
    }
    return refusal;
  };
}

describe("requests to public links", () => {
  it("are limited to 600 a minute from one network, over all links, and refused ones cost nothing", async () => {
    const ask = throttle();
    expect(await ask("203.0.113.7", 600)).toBeNull();
    for (const token of ["a-link", "another"]) {
      expect(await ask("203.0.113.7", 5, 1, token)).toMatchObject({ limit: 600, resetAt: START + MINUTE_MS });
    }
    expect(await ask("203.0.113.8", 1, 1)).toBeNull();
    expect(await ask("203.0.113.7", 600, MINUTE_MS)).toBeNull();
  });

  it("are limited to 6,000 an hour from one network", async () => {
    const ask = throttle();
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await ask("203.0.113.7", 600, minute * MINUTE_MS, `link ${minute}`)).toBeNull();
    }
    expect(await ask("203.0.113.7", 1, 10 * MINUTE_MS)).toMatchObject({ limit: 6_000, resetAt: START + HOUR_MS });
  });

  it("are limited to 1,200 a minute for one link, from all networks and from clients without an address", async () => {
    const ask = throttle();
    expect(await ask("203.0.113.7", 500)).toBeNull();
    expect(await ask("2001:db8::1", 500)).toBeNull();
    expect(await ask(null, 200)).toBeNull();
    expect(await ask("198.51.100.1", 1, 1)).toMatchObject({ limit: 1_200, resetAt: START + MINUTE_MS });
    expect(await ask("198.51.100.1", 1, 1, "another")).toBeNull();
  });

  it("count an IPv6 /56 as one network", async () => {
    const ask = throttle();
    expect(await ask("2001:db8:0:101::1", 300)).toBeNull();
    expect(await ask("2001:db8:0:1ff::1", 300)).toBeNull();
    expect(await ask("2001:db8:0:102::1")).toMatchObject({ limit: 600 });
    expect(await ask("2001:db8:0:200::1")).toBeNull();
  });
});
