import { describe, expect, it } from "vitest";
import { readRetryAfter } from "./undici-call.js";

const NOW = Date.UTC(2026, 2, 2, 12);

describe("readRetryAfter", () => {
  it.each([
    ["120", 120],
    [" 0 ", 0],
    ["Mon, 02 Mar 2026 12:01:30 GMT", 90],
    ["Mon, 02 Mar 2026 11:00:00 GMT", 0],
  ])("readRetryAfter reads %j as %i seconds", (value, seconds) => {
    expect(readRetryAfter(value, NOW)).toBe(seconds);
  });

  it.each([null, "", "soon", "-5", "1.5", "2026-03-02", "99999999999"])("finds no Retry-After in %j", (value) => {
    expect(readRetryAfter(value, NOW)).toBeNull();
  });
});
