/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** The source of time. Rules never read a clock: they take `now` as an argument. */
export interface Clock {
  now(): Instant;
  /** Milliseconds with fractions, from an arbitrary start; never steps back. For measuring durations. */
  monotonicMs(): number;
}

/** The machine's clock. Only this file of the core reads it. */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** ISO 8601 in UTC with milliseconds, the format of the contract. */
export function toTimestamp(instant: Instant): string {
  if (instant !== latest.instant) latest = { instant, text: new Date(instant).toISOString() };
  return latest.text;
}

/** The latest answer: one request often asks for the same instant several times. */
let latest = { instant: 0, text: new Date(0).toISOString() };

/** null stays null. */
export function timestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
