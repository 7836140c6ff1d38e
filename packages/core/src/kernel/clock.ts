/** A moment: milliseconds since 1970-01-01T00:00:00Z. Always UTC, always an integer. */
export type Instant = number;

/** Where the service learns what time it is. Rules never call it: they take `now` as an argument. */
export interface Clock {
  now(): Instant;
  /** Milliseconds since some moment, with fractions; it never steps back. Two readings tell how long something took. */
  monotonicMs(): number;
}

/** The machine's clock. The only place in the core that reads it. */
export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An instant as the contract writes it: ISO 8601 in UTC with milliseconds. */
export function toTimestamp(instant: Instant): string {
  return new Date(instant).toISOString();
}
