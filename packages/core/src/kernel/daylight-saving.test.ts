import { rounds } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { DAY_MS, type Instant, MINUTE_MS } from "./clock.js";
import { calendarDaysBetween, endOf, hourDaysBefore, startOf, wallClockIn } from "./dates.js";

/** On both sides of the equator and of midnight, with changes of half an hour, of a day, and with none. */
const ZONES = [
  "Africa/Cairo",
  "America/Havana",
  "America/New_York",
  "America/Santiago",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Europe/London",
  "Europe/Madrid",
  "Pacific/Apia",
  "Pacific/Chatham",
];

/** The oracle: the calendar that Intl prints. */
function printer(timeZone: string): (at: Instant) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (at) => format.format(at);
}

const day = (shown: Instant) => ({ kind: "day", shown }) as const;
const dateOf = (shown: Instant) => new Date(shown).toISOString().slice(0, 10);

const YEARS = rounds({ small: 6, full: 32 });

/** Days around each change of the offset from 2009 on, as midnights of UTC. */
function daysOfChanges(timeZone: string): Instant[] {
  const offsetAt = (at: Instant) => wallClockIn(timeZone, at).getTime() - at;
  const days: Instant[] = [];
  for (let at = Date.UTC(2009, 0); at < Date.UTC(2009 + YEARS, 0); at += DAY_MS) {
    if (offsetAt(at) !== offsetAt(at + DAY_MS)) days.push(at - DAY_MS, at, at + DAY_MS);
  }
  return days;
}

describe.each(ZONES)("days on which clocks change in %s", (timeZone) => {
  const print = printer(timeZone);
  const isSkipped = (shown: Instant) => timeZone === "Pacific/Apia" && dateOf(shown) === "2011-12-30";
  const days = daysOfChanges(timeZone).filter((shown) => !isSkipped(shown));

  it("reads the fields that a local clock shows, every half hour, around clock changes", () => {
    const moments = days.flatMap((shown) => Array.from({ length: 48 }, (_, half) => shown + half * 30 * MINUTE_MS));
    const walls = moments.map((at) => wallClockIn(timeZone, at));
    expect(walls.map((wall) => wall.getTime())).toEqual(
      moments.map((at) => Date.parse(`${print(at).replace(" ", "T")}Z`)),
    );
    expect(walls.map((wall) => [wall.getFullYear(), wall.getMonth(), wall.getDate(), wall.getHours()])).toEqual(
      walls.map((wall) => [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), wall.getUTCHours()]),
    );
  });

  it("a day begins and ends where the printed date changes, also when clocks change", () => {
    for (const shown of days) {
      const [first, last] = [startOf(day(shown), timeZone), endOf(day(shown), timeZone)];
      const [before, begun, ends, after] = [first - 1, first, last, last + 1].map((at) => print(at).slice(0, 10));
      expect([begun, ends]).toEqual([dateOf(shown), dateOf(shown)]);
      expect([before, after]).not.toContain(dateOf(shown));
    }
  });

  it("counts one calendar day from any hour to any hour of the next, also when clocks change", () => {
    for (const shown of days) {
      const next = isSkipped(shown + DAY_MS) ? shown + 2 * DAY_MS : shown + DAY_MS;
      const from = [startOf(day(shown), timeZone), endOf(day(shown), timeZone)];
      const to = [startOf(day(next), timeZone), endOf(day(next), timeZone)];
      const counted = from.flatMap((a) => to.map((b) => calendarDaysBetween(a, b, timeZone)));
      const back = calendarDaysBetween(Math.max(...to), Math.min(...from), timeZone);
      const expected = (next - shown) / DAY_MS;
      expect([...counted, back]).toEqual([expected, expected, expected, expected, -expected]);
    }
  });

  it("finds nine o'clock, three calendar days before, also when clocks change", () => {
    const nines = days.map((shown) => hourDaysBefore(endOf(day(shown + 3 * DAY_MS), timeZone), 3, 9, timeZone));
    expect(nines.map(print)).toEqual(days.map((shown) => `${dateOf(shown)} 09:00:00`));
  });
});
