import { describe, expect, it } from "vitest";
import { acceptsProblemDetails, prefersHtml } from "./negotiation.js";
import { isUnmodified, readIfMatch, readTagOf, versionTagOf } from "./preconditions.js";
import { addRateHeaders, secondsUntil } from "./rate-headers.js";

describe("prefersHtml", () => {
  it.each([
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["text/html", true],
    ["TEXT/HTML; charset=utf-8", true],
    ["application/json;q=0.5, text/html", true],
    ["text/html;q=0.5, application/json", false],
    ["text/html, application/json", false],
    ["text/html;q=0", false],
    ["text/html;q=much", false],
    ["*/*", false],
    ["text/*", false],
    ["", false],
    [null, false],
  ])("prefersHtml decides for Accept %j: %s", (accept, expected) => {
    expect(prefersHtml(accept)).toBe(expected);
  });
});

describe("acceptsProblemDetails", () => {
  it.each([
    ["application/problem+json", true],
    ["application/json, application/problem+json;q=0.1", true],
    ["application/problem+json;q=0", false],
    ["application/problem+json-seq", false],
    ["application/*", false],
    [null, false],
  ])("acceptsProblemDetails decides for Accept %j: %s", (accept, expected) => {
    expect(acceptsProblemDetails(accept)).toBe(expected);
  });
});

describe("preconditions", () => {
  it("reads back the ETags that it writes", () => {
    expect(versionTagOf(12)).toBe('"v12"');
    expect(readIfMatch(versionTagOf(12))).toEqual([12]);
    const tag = readTagOf(12, "the body");
    expect(tag).toMatch(/^"v12-[0-9a-f]{8}"$/);
    expect(readIfMatch(tag)).toEqual([12]);
    expect(isUnmodified(tag, tag)).toBe(true);
    expect(isUnmodified(versionTagOf(12), tag)).toBe(false);
    expect(isUnmodified(readTagOf(12, "another body"), tag)).toBe(false);
  });

  it.each([
    [null, null],
    ["*", null],
    [" * ", null],
    ['"v1", "v2"', [1, 2]],
    ['W/"v1", "v2"', [1, 2]],
    ['"v0-gzip"', []],
    ['"v1-gzipped"', []],
    ['"v0"', []],
    ['"v1"x', []],
    ['"v3-abcdef12", "v4-abc"', [3]],
    ["", []],
  ])("reads If-Match %j as %j", (header, versions) => {
    expect(readIfMatch(header)).toEqual(versions);
  });

  it.each([
    ["nginx, Cloudflare, Hono's compress()", (tag: string) => `W/${tag}`],
    ["Apache, gzip", (tag: string) => tag.replace(/"$/, '-gzip"')],
    ["Apache, Brotli", (tag: string) => tag.replace(/"$/, '-br"')],
    ["Caddy", (tag: string) => tag.replace(/"$/, '-zstd"')],
    ["Jetty", (tag: string) => tag.replace(/"$/, '--gzip"')],
    ["Caddy behind nginx", (tag: string) => `W/${tag.replace(/"$/, '-gzip"')}`],
    ["Caddy behind Apache", (tag: string) => tag.replace(/"$/, '-br-gzip"')],
  ])("recognises an ETag that a proxy has rewritten: %s", (_proxy, rewrite) => {
    const tag = readTagOf(12, "the body");
    expect(readIfMatch(rewrite(tag))).toEqual([12]);
    expect(readIfMatch(rewrite(versionTagOf(3)))).toEqual([3]);
    expect(isUnmodified(rewrite(tag), tag)).toBe(true);
    expect(isUnmodified(rewrite(tag), readTagOf(12, "another body"))).toBe(false);
    expect(isUnmodified(`"other", ${rewrite(tag)}`, tag)).toBe(true);
  });
});

it("keeps the ETags of a response that the service compresses itself distinct", () => {
  expect(isUnmodified('"abc-gzip"', '"abc"', true)).toBe(false);
  expect(isUnmodified('W/"abc-gzip"', '"abc-gzip"', true)).toBe(true);
});

describe("rate headers", () => {
  const decision = { limit: 1_000, burst: 100, remaining: 7, resetAt: 90_500, refusal: null };

  it("rate limit headers count whole seconds, at least one", () => {
    expect(secondsUntil(90_500, 90_500)).toBe(1);
    expect(secondsUntil(90_500, 89_499)).toBe(2);
    expect(secondsUntil(90_500, 100_000)).toBe(1);
  });

  it("rate limit headers describe the hour, and the minute if that refused", () => {
    const headers: Record<string, string> = {};
    addRateHeaders(headers, decision, 30_000);
    expect(headers).toMatchObject({ "x-ratelimit-reset": "91", ratelimit: '"hour";r=7;t=61' });
    const refusal = { limit: 100, remaining: 0, resetAt: 40_000, retryAfterSeconds: 10 } as const;
    addRateHeaders(headers, { ...decision, refusal }, 30_000);
    expect(headers).toMatchObject({
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "40",
      "x-ratelimit-window": "3600",
      ratelimit: '"hour";r=7;t=61, "burst";r=0;t=10',
    });
  });
});
