import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { admitLinkRequest, type LinkRequest } from "./link-throttle.js";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";
import type { RateLimitStore } from "./rate-limit-store.js";

const START = Date.UTC(2026, 2, 2);

function throttle() {
  const memory = createMemoryRateLimitStore();
  const subjects = new Set<string>();
  const store: RateLimitStore = {
    ...memory,
    consume: (subject, ...rest) => {
      subjects.add(subject);
      return memory.consume(subject, ...rest);
    },
  };
  const ask =
    (kind: LinkRequest["kind"]) =>
    async (clientAddress: string | null, count = 1, at = 0, token = "a-link") => {
      let refusal = null;
      for (let request = 0; request < count; request += 1) {
        const isLink = async () => !token.startsWith("invented");
        refusal = await admitLinkRequest(store, { kind, token, clientAddress, now: START + at, isLink });
      }
      return refusal;
    };
  return { read: ask("read"), answer: ask("answer"), subjects };
}

describe("requests to public links", () => {
  it("are limited to 600 a minute from one network, over all links, and refused ones cost nothing", async () => {
    const { read } = throttle();
    expect(await read("203.0.113.7", 600)).toBeNull();
    for (const token of ["a-link", "another"]) {
      expect(await read("203.0.113.7", 5, 1, token)).toMatchObject({ limit: 600, resetAt: START + MINUTE_MS });
    }
    expect(await read("203.0.113.8", 1, 1)).toBeNull();
    expect(await read("203.0.113.7", 600, MINUTE_MS)).toBeNull();
  });

  it("are limited to 6,000 an hour from one network", async () => {
    const { read } = throttle();
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await read("203.0.113.7", 600, minute * MINUTE_MS, `link ${minute}`)).toBeNull();
    }
    expect(await read("203.0.113.7", 1, 10 * MINUTE_MS)).toMatchObject({ limit: 6_000, resetAt: START + HOUR_MS });
  });

  it("are limited to 1,200 a minute for one link, from all networks and from clients without an address", async () => {
    const { read } = throttle();
    expect(await read("203.0.113.7", 500)).toBeNull();
    expect(await read("2001:db8::1", 500)).toBeNull();
    expect(await read(null, 200)).toBeNull();
    expect(await read("198.51.100.1", 1, 1)).toMatchObject({ limit: 1_200, resetAt: START + MINUTE_MS });
    expect(await read("198.51.100.1", 1, 1, "another")).toBeNull();
  });

  it("count an IPv6 /56 as one network, and its /48 as one of 3,000 a minute", async () => {
    const { read } = throttle();
    expect(await read("2001:db8:0:101::1", 300)).toBeNull();
    expect(await read("2001:db8:0:1ff::1", 300)).toBeNull();
    expect(await read("2001:db8:0:102::1")).toMatchObject({ limit: 600 });
    for (const network of [2, 3, 4, 5]) {
      expect(await read(`2001:db8:0:${network}00::1`, 600, 0, `link ${network}`)).toBeNull();
    }
    expect(await read("2001:db8:0:600::1", 1, 1, "another")).toMatchObject({ limit: 3_000 });
    expect(await read("2001:db8:1:600::1", 1, 1, "another")).toBeNull();
  });

  it("do not count for a link's answers: reads, however many, refuse none", async () => {
    const { read, answer } = throttle();
    for (const network of [7, 8, 9]) await read(`203.0.113.${network}`, 700);
    expect(await read("203.0.113.7")).not.toBeNull();
    expect(await read("198.51.100.1")).toMatchObject({ limit: 1_200 });
    expect(await answer("203.0.113.7", 60)).toBeNull();
  });

  it("are limited to 60 answers a minute to one link from one network, which refuses no other network or link", async () => {
    const { answer } = throttle();
    expect(await answer("203.0.113.7", 60)).toBeNull();
    expect(await answer("203.0.113.7", 1_000, 1)).toMatchObject({ limit: 60, resetAt: START + MINUTE_MS });
    expect(await answer("198.51.100.1", 60, 1)).toBeNull();
    expect(await answer("203.0.113.7", 60, 1, "another")).toBeNull();
    expect(await answer("203.0.113.7", 60, MINUTE_MS)).toBeNull();
  });

  it("are limited to 600 answers a minute from one network to all links", async () => {
    const { answer } = throttle();
    for (let link = 0; link < 10; link += 1) expect(await answer("203.0.113.7", 60, 0, `link ${link}`)).toBeNull();
    expect(await answer("203.0.113.7", 1, 1, "another")).toMatchObject({ limit: 600 });
    expect(await answer("198.51.100.1", 1, 1, "another")).toBeNull();
  });

  it("are charged to the network alone when their tokens are invented, so these neither fill a link nor the store", async () => {
    const { read, answer, subjects } = throttle();
    for (let token = 0; token < 300; token += 1) {
      await read("203.0.113.7", 1, 0, `invented ${token}`);
      await answer("203.0.113.7", 1, 0, `invented ${token}`);
      await read(null, 1, 0, `invented ${token}`);
      await answer(null, 1, 0, `invented ${token}`);
    }
    expect(subjects.size).toBe(1);
    expect(await answer("203.0.113.7", 1, 1, "invented")).toMatchObject({ limit: 600 });
    expect(await answer("203.0.113.7")).toBeNull();
  });

  it("share no limit with links whose digests begin alike", async () => {
    const { read, subjects } = throttle();
    for (let link = 0; link < 1_000; link += 1) await read(null, 1, 0, `link ${link}`);
    expect(subjects.size).toBe(1_000);
  });
});
