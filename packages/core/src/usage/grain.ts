import { utc } from "@date-fns/utc";
import { addDays } from "date-fns/addDays";
import { addHours } from "date-fns/addHours";
import { startOfDay } from "date-fns/startOfDay";
import { startOfHour } from "date-fns/startOfHour";
import { startOfMinute } from "date-fns/startOfMinute";
import type { Instant } from "../kernel/clock.js";

const STARTS = { minute: startOfMinute, hour: startOfHour, day: startOfDay } as const;
const NEXTS = { hour: addHours, day: addDays } as const;

/** The start of the minute, hour or day (UTC) that a moment is in. */
export function startOf(unit: keyof typeof STARTS, at: Instant): Instant {
  return STARTS[unit](at, { in: utc }).getTime();
}

/** The first start of an hour or day (UTC) that is not before a moment. */
export function firstFrom(unit: keyof typeof NEXTS, at: Instant): Instant {
  const start = startOf(unit, at);
  return start === at ? at : NEXTS[unit](start, 1, { in: utc }).getTime();
}
