import { drawInteger, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { PERIODS, slicesOf, windowOf } from "./period.js";

const NOW = Date.UTC(2026, 2, 2, 12, 34, 56, 789);

describe("the window of a period", () => {
  it.each([
    ["1h", "2026-03-02T11:34:00.000Z", 1],
    ["24h", "2026-03-01T12:34:00.000Z", 24],
    ["7d", "2026-02-23T12:00:00.000Z", 168],
    ["30d", "2026-01-31T12:00:00.000Z", 720],
    ["90d", "2025-12-02T12:00:00.000Z", 2_160],
  ] as const)("the window of %s begins at %s and has %i hours", (period, from, hours) => {
    expect(windowOf(period, NOW)).toEqual({ from: Date.parse(from), until: NOW + 1, hours });
  });

  it("the window of a period begins exactly its length ago at a whole hour", () => {
    const midnight = Date.UTC(2026, 2, 2);
    for (const period of PERIODS) {
      const { from, hours } = windowOf(period, midnight);
      expect(midnight - from).toBe(hours * HOUR_MS);
    }
  });
});

describe("the slices of a window", () => {
  it("the slices of a window cover each minute once by route, and each whole hour once by total", () => {
    const random = seededRandom(3);
    for (let round = 0; round < 300; round += 1) {
      const now = NOW + drawInteger(random, 3 * DAY_MS);
      for (const period of PERIODS) {
        const window = windowOf(period, now);
        const slices = slicesOf(window);
        const byRoute = slices.filter(({ grain }) => grain !== "hour-total");
        let reached = window.from;
        for (const { from, until } of byRoute) {
          expect(from).toBe(reached);
          reached = until;
        }
        expect(reached).toBe(window.until);
        const totals = slices.find(({ grain }) => grain === "hour-total");
        const minutes = slices.find(({ grain }) => grain === "minute");
        expect(minutes?.until ?? window.from).toBe(totals?.from ?? window.until);
        expect((totals?.from ?? 0) % HOUR_MS).toBe(0);
      }
    }
  });

  it("the slices of a window read a bounded number of rows, however long the period", () => {
    const lengths = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, "hour-total": HOUR_MS };
    for (const period of PERIODS) {
      const rows = slicesOf(windowOf(period, NOW)).map(({ grain, from, until }) => {
        const routes = grain === "hour-total" ? 1 : 20;
        return Math.ceil((until - from) / lengths[grain]) * routes;
      });
      expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThan(5_000);
    }
  });
});
