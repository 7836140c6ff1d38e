import { describe, expect, it } from "vitest";
import { toTimestamp } from "./clock.js";
import { endOf, isTimeZone, parseWireDate, startOf } from "./dates.js";

function moment(text: string): string | null {
  const date = parseWireDate(text);
  return date === null ? null : toTimestamp(startOf(date, "UTC"));
}

describe("dates on the wire", () => {
  it.each([
    ["2026-02-03T04:05:06Z", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03t04:05:06z", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03T04:05:06.7Z", "2026-02-03T04:05:06.700Z"],
    ["2026-02-03T04:05:06.123456789Z", "2026-02-03T04:05:06.123Z"],
    ["2026-02-03T04:05:06+03:00", "2026-02-03T01:05:06.000Z"],
    ["2026-02-03T04:05:06-03:30", "2026-02-03T07:35:06.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ])("reads %s", (text, expected) => {
    expect(moment(text)).toBe(expected);
  });

  it.each([
    "",
    "tomorrow",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "1999-12-31",
    "2101-01-01",
    "2026-1-1",
    "2026-02-03T04:05:06",
    "2026-02-03 04:05:06Z",
    "2026-02-03T24:00:00Z",
    "2026-02-03T23:60:00Z",
    "2026-02-03T23:59:60Z",
    "2026-02-30T10:00:00Z",
    "2026-02-03T04:05Z",
    "2026-02-03T04:05:06+24:00",
    "2026-02-03T04:05:06+03:60",
    "2000-01-01T00:00:00+01:00",
    "2100-12-31T23:59:59-01:00",
    " 2026-02-03",
    "1770091506000",
  ])("refuses %j", (text) => {
    expect(parseWireDate(text)).toBeNull();
  });

  it("takes a plain date as that day where the business is, from its first to its last millisecond", () => {
    const day = parseWireDate("2026-03-08");
    if (day === null) throw new Error("a valid date was refused");
    expect(toTimestamp(startOf(day, "UTC"))).toBe("2026-03-08T00:00:00.000Z");
    expect(toTimestamp(endOf(day, "UTC"))).toBe("2026-03-08T23:59:59.999Z");
    expect(toTimestamp(startOf(day, "America/New_York"))).toBe("2026-03-08T05:00:00.000Z");
    // The clocks go forward on this day: it has 23 hours.
    expect(toTimestamp(endOf(day, "America/New_York"))).toBe("2026-03-09T03:59:59.999Z");
    expect(toTimestamp(endOf(day, "Asia/Tokyo"))).toBe("2026-03-08T14:59:59.999Z");
  });

  it("takes a moment as it is, whatever the time zone", () => {
    const date = parseWireDate("2026-03-08T10:00:00Z");
    if (date === null) throw new Error("a valid date was refused");
    expect(endOf(date, "Asia/Tokyo")).toBe(startOf(date, "America/New_York"));
  });

  it("knows a time zone from a word that is none", () => {
    expect(isTimeZone("America/Argentina/Buenos_Aires")).toBe(true);
    expect(isTimeZone("Middle/Earth")).toBe(false);
  });
});
