import type { EventPattern } from "../events/event-pattern.js";
import type { Instant } from "../kernel/clock.js";

export const REPLAY_STATUSES = ["running", "finished", "cancelled"] as const;
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

/**
 * Sends stored events to one endpoint, step by step. An endpoint has one replay, the last. The bounds are those of the
 * start: later events are not part of it.
 */
export interface Replay {
  readonly businessId: string;
  readonly endpointId: string;
  readonly id: string;
  readonly version: number; // from 1, over all replays of the endpoint; every write adds one
  readonly status: ReplayStatus;
  readonly events: readonly EventPattern[] | null; // of those that the endpoint receives; null = all
  readonly firstSequence: number; // the oldest entry that was kept at the start, or the one that was asked for
  readonly nextSequence: number;
  readonly untilSequence: number; // inclusive
  readonly sent: number; // deliveries made so far
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
