import type { AuditEntry, Subscriber } from "../events/event.js";
import type { Delivery } from "./delivery.js";
import type { Replay } from "./replay.js";

/** The port of replays. Each method is atomic. */
export interface ReplayStore {
  /** The last replay to the endpoint; null = none. It is removed together with the endpoint. */
  findReplay(businessId: string, endpointId: string): Promise<Replay | null>;
  /** Running replays of all businesses, by business and endpoint: those after the cursor, at most `limit`. */
  findRunningReplays(after: ReplayCursor | null, limit: number): Promise<readonly Replay[]>;
  /**
   * Compare-and-set on the version; 0 = the endpoint has had no replay. The deliveries of a step and the audit entry
   * commit together with it, or not at all, so that of concurrent processes exactly one takes a step.
   */
  writeReplay(
    replay: Replay,
    expectedVersion: number,
    deliveries: readonly Delivery[],
    audit?: AuditEntry | null,
  ): Promise<"written" | "stale">;
  /** Unfinished deliveries of the subscriber, counted up to `atMost`. */
  countUnfinished(businessId: string, subscriber: Subscriber, atMost: number): Promise<number>;
}

/** A position in the order of business and endpoint, as integers. */
export type ReplayCursor = Pick<Replay, "businessId" | "endpointId">;
