import { systemClock } from "./clock.js";

/** One run that several callers share. */
interface Flight<T> {
  readonly result: Promise<T>;
  readonly startedAt: number;
}

/**
 * Single-flight: concurrent calls with one key share one run. No result is kept: a call after the end of a run starts
 * the next one. After `maxAgeMs` a run that hangs is shared no longer, and the next call starts another.
 */
export function singleFlight<K, T>(
  run: (key: K) => Promise<T>,
  maxAgeMs: number = Number.POSITIVE_INFINITY,
): (key: K) => Promise<T> {
  const flights = new Map<K, Flight<T>>();
  return (key) => {
    const now = systemClock.monotonicMs();
    const current = flights.get(key);
    if (current !== undefined && now - current.startedAt < maxAgeMs) return current.result;
    const flight: Flight<T> = { result: run(key), startedAt: now };
    flights.set(key, flight);
    const end = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(end, end);
    return flight.result;
  };
}

/** Memoized single-flight: all calls share one run and its result. After a failure the next call starts another run. */
export function memoizedSingleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null; // null = not started, or failed
  return () => {
    result ??= run().catch((error: unknown) => {
      result = null;
      throw error;
    });
    return result;
  };
}
