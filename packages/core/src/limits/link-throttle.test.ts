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
  it("limits reads of all public links from one network to 600 a minute, and charges no refused one", async () => {
    const { read } = throttle();
    expect(await read("203.0.113.7", 600)).toBeNull();
    for (const token of ["a-link", "another"]) {
      expect(await read("203.0.113.7", 5, 1, token)).toMatchObject({ limit: 600, resetAt: START + MINUTE_MS });
    }
    expect(await read("203.0.113.8", 1, 1)).toBeNull();
    expect(await read("203.0.113.7", 600, MINUTE_MS)).toBeNull();
  });

  it("limits reads of public links from one network to 6,000 an hour", async () => {
    const { read } = throttle();
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await read("203.0.113.7", 600, minute * MINUTE_MS, `link ${minute}`)).toBeNull();
    }
    expect(await read("203.0.113.7", 1, 10 * MINUTE_MS)).toMatchObject({ limit: 6_000, resetAt: START + HOUR_MS });
  });

  it("limits reads of one public link to 1,200 a minute, from all networks and unknown addresses", async () => {
    const { read } = throttle();
    expect(await read("203.0.113.7", 500)).toBeNull();
    expect(await read("2001:db8::1", 500)).toBeNull();
    expect(await read(null, 200)).toBeNull();
    expect(await read("198.51.100.1", 1, 1)).toMatchObject({ limit: 1_200, resetAt: START + MINUTE_MS });
    expect(await read("198.51.100.1", 1, 1, "another")).toBeNull();
  });

  it("counts an IPv6 /56 as one network, and its /48 as one with 3,000 reads a minute", async () => {
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

  it("reads of a public link never use up the limit of its answers", async () => {
    const { read, answer } = throttle();
    for (const network of [7, 8, 9]) await read(`203.0.113.${network}`, 700);
    expect(await read("203.0.113.7")).not.toBeNull();
    expect(await read("198.51.100.1")).toMatchObject({ limit: 1_200 });
    expect(await answer("203.0.113.7", 60)).toBeNull();
  });

  it("limits answers to one public link from one network to 60 a minute, apart from other networks and links", async () => {
    const { answer } = throttle();
    expect(await answer("203.0.113.7", 60)).toBeNull();
    expect(await answer("203.0.113.7", 1_000, 1)).toMatchObject({ limit: 60, resetAt: START + MINUTE_MS });
    expect(await answer("198.51.100.1", 60, 1)).toBeNull();
    expect(await answer("203.0.113.7", 60, 1, "another")).toBeNull();
    expect(await answer("203.0.113.7", 60, MINUTE_MS)).toBeNull();
  });

  it("limits answers to all public links from one network to 600 a minute", async () => {
    const { answer } = throttle();
    for (let link = 0; link < 10; link += 1) expect(await answer("203.0.113.7", 60, 0, `link ${link}`)).toBeNull();
    expect(await answer("203.0.113.7", 1, 1, "another")).toMatchObject({ limit: 600 });
    expect(await answer("198.51.100.1", 1, 1, "another")).toBeNull();
  });

  it("charges requests with invented tokens to the network alone, so that they fill neither a link nor the store", async () => {
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

  it("shares no limit between links whose digests begin alike", async () => {
    const { read, subjects } = throttle();
    for (let link = 0; link < 1_000; link += 1) await read(null, 1, 0, `link ${link}`);
    expect(subjects.size).toBe(1_000);
  });
});
