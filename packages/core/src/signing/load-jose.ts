import { memoizedSingleFlight } from "../kernel/single-flight.js";

/** Loaded with the first token or the first evidence at the latest. Many hosts need neither. */
export const loadJose = memoizedSingleFlight(() => import("jose"));
