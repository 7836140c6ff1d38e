import { describe, expect, it } from "vitest";
import { toTimestamp } from "./clock.js";
import { endOf, isTimeZone, parseWireDate, startOf, weeksAround } from "./dates.js";

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
    ["2026-02-03T04:05:06.1234567890123Z", "2026-02-03T04:05:06.123Z"],
    ["2026-02-03T04:05Z", "2026-02-03T04:05:00.000Z"],
    ["2026-02-03T04:05+03:00", "2026-02-03T01:05:00.000Z"],
    ["2026-02-03T04:05:06+0300", "2026-02-03T01:05:06.000Z"],
    ["2026-02-03T04:05:06-0330", "2026-02-03T07:35:06.000Z"],
    ["2026-02-03T04:05:06+0000", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03T04:05:06+00", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03T04:05:06-00:00", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03T04:05-03", "2026-02-03T07:05:00.000Z"],
    ["2026-02-03T04:05:06.5", "2026-02-03T04:05:06.500Z"],
    ["2026-02-03T04:05", "2026-02-03T04:05:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2199-12-31T23:59:59.999Z", "2199-12-31T23:59:59.999Z"],
  ])("parseWireDate reads %s", (text, expected) => {
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
    "2200-01-01",
    "2026-1-1",
    "2026-02-03 04:05:06Z",
    "2026-02-03T24:00:00Z",
    "2026-02-03T23:60:00Z",
    "2026-02-03T23:59:60Z",
    "2026-02-30T10:00:00Z",
    "2026-02-03T04Z",
    "2026-02-03T04:05.5Z",
    "2026-02-03T04:05:06.Z",
    "2026-02-03T0405Z",
    "20260203T040506Z",
    "2026-02-03T04:05:06 00:00",
    "2026-02-03T04:05:06+3",
    "2026-02-03T04:05:06+030",
    "2026-02-03T04:05:06+03:0",
    "2026-02-03T04:05:06+2400",
    "2026-02-03T04:05:06\n",
    "2026-02-30T10:00",
    "1999-12-31T23:59:59",
    "2200-01-01T00:00",
    "2026-02-03T04:05:06+24:00",
    "2026-02-03T04:05:06+03:60",
    "2000-01-01T00:00:00+01:00",
    "2199-12-31T23:59:59-01:00",
    " 2026-02-03",
    "1770091506000",
  ])("parseWireDate refuses %j", (text) => {
    expect(parseWireDate(text)).toBeNull();
  });

  it("a plain date runs from the first to the last millisecond of the day in the time zone of the business", () => {
    const day = parseWireDate("2026-03-08");
    if (day === null) throw new Error("a valid date was refused");
    expect(toTimestamp(startOf(day, "UTC"))).toBe("2026-03-08T00:00:00.000Z");
    expect(toTimestamp(endOf(day, "UTC"))).toBe("2026-03-08T23:59:59.999Z");
    expect(toTimestamp(startOf(day, "America/New_York"))).toBe("2026-03-08T05:00:00.000Z");
    // The clocks go forward on this day: it has 23 hours.
    expect(toTimestamp(endOf(day, "America/New_York"))).toBe("2026-03-09T03:59:59.999Z");
    expect(toTimestamp(endOf(day, "Asia/Tokyo"))).toBe("2026-03-08T14:59:59.999Z");
  });

  it.each([
    ["2026-07-01T10:00:00", "America/New_York", "2026-07-01T14:00:00.000Z"],
    ["2026-01-01T10:00", "America/New_York", "2026-01-01T15:00:00.000Z"],
    ["2026-07-01T10:00", "Asia/Kolkata", "2026-07-01T04:30:00.000Z"],
    // Clocks go forward at 02:00: the skipped half hour is read with the offset before, and is 03:30.
    ["2026-03-08T01:59:59.999", "America/New_York", "2026-03-08T06:59:59.999Z"],
    ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
    ["2026-03-08T03:00", "America/New_York", "2026-03-08T07:00:00.000Z"],
    // Clocks go back at 02:00: of the two half hours it is the earlier.
    ["2026-11-01T00:59", "America/New_York", "2026-11-01T04:59:00.000Z"],
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["2026-11-01T02:00", "America/New_York", "2026-11-01T07:00:00.000Z"],
    // Half an hour of daylight saving time.
    ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:45:00.000Z"],
    ["2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    // A day that the calendar skipped.
    ["2011-12-30T12:00", "Pacific/Apia", "2011-12-30T22:00:00.000Z"],
  ])("reads the local %s in %s as %s", (text, timeZone, expected) => {
    const date = parseWireDate(text);
    if (date === null) throw new Error("a valid date was refused");
    expect(toTimestamp(startOf(date, timeZone))).toBe(expected);
    expect(endOf(date, timeZone)).toBe(startOf(date, timeZone));
  });

  it.each([
    // Clocks go forward at midnight: the day begins at 01:00.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", "2018-11-05T01:59:59.999Z"],
    // Clocks go back at midnight to 23:00: the day before has 25 hours.
    ["2018-02-17", "America/Sao_Paulo", "2018-02-17T02:00:00.000Z", "2018-02-18T02:59:59.999Z"],
    // Clocks go back at 01:00 to midnight: midnight occurs twice, and the day begins at the first.
    ["2026-11-01", "America/Havana", "2026-11-01T04:00:00.000Z", "2026-11-02T04:59:59.999Z"],
    ["2026-10-31", "America/Havana", "2026-10-31T04:00:00.000Z", "2026-11-01T03:59:59.999Z"],
  ])("finds when the day %s in %s begins and ends", (text, timeZone, first, last) => {
    const date = parseWireDate(text);
    if (date === null) throw new Error("a valid date was refused");
    expect(toTimestamp(startOf(date, timeZone))).toBe(first);
    expect(toTimestamp(endOf(date, timeZone))).toBe(last);
  });

  it.each([
    ["2199-12-31", "America/New_York", "2199-12-31T05:00:00.000Z", "2199-12-31T23:59:59.999Z"],
    ["2199-12-31T20:00", "America/New_York", "2199-12-31T23:59:59.999Z", "2199-12-31T23:59:59.999Z"],
    ["2000-01-01", "Asia/Tokyo", "2000-01-01T00:00:00.000Z", "2000-01-01T14:59:59.999Z"],
  ])("turns %s in %s into moments that parseWireDate reads", (text, timeZone, first, last) => {
    const date = parseWireDate(text);
    if (date === null) throw new Error("a valid date was refused");
    const moments = [startOf(date, timeZone), endOf(date, timeZone)].map(toTimestamp);
    expect(moments).toEqual([first, last]);
    for (const moment of moments) expect(parseWireDate(moment)).not.toBeNull();
  });

  it("reads a moment as it is, in any time zone", () => {
    const date = parseWireDate("2026-03-08T10:00:00Z");
    if (date === null) throw new Error("a valid date was refused");
    expect(endOf(date, "Asia/Tokyo")).toBe(startOf(date, "America/New_York"));
  });

  it("distinguishes time zones from other words", () => {
    expect(isTimeZone("America/Argentina/Buenos_Aires")).toBe(true);
    expect(isTimeZone("Middle/Earth")).toBe(false);
  });
});

describe("weeks of a time zone", () => {
  const weeksOf = (at: string, count: number, timeZone: string) =>
    weeksAround(Date.parse(at), count, timeZone).map(({ monday, start }) => [monday, toTimestamp(start)]);

  it("weeks begin on Monday at midnight of the time zone, also around a change of its clocks", () => {
    expect(weeksOf("2026-03-31T10:00:00Z", 2, "Europe/Madrid")).toEqual([
      ["2026-03-23", "2026-03-22T23:00:00.000Z"],
      ["2026-03-30", "2026-03-29T22:00:00.000Z"],
      ["2026-04-06", "2026-04-05T22:00:00.000Z"],
    ]);
  });

  it("a Sunday evening west of Greenwich belongs to the week that ends", () => {
    expect(weeksOf("2026-10-12T02:00:00Z", 1, "America/Argentina/Buenos_Aires")).toEqual([
      ["2026-10-05", "2026-10-05T03:00:00.000Z"],
      ["2026-10-12", "2026-10-12T03:00:00.000Z"],
    ]);
  });
});
