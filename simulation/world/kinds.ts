import { DELIVERY_FAULTS, type FaultPlan, SERVICE_FAULTS } from "./faults.js";

export const WORLD_NAMES = ["service", "deliveries"] as const;
export type WorldName = (typeof WORLD_NAMES)[number];

/** Large enough to disturb claims, leases and windows; small enough for checks of times to allow for it. */
export const MOST_SKEW_MS = 4_000;

/** What is drawn in the worlds of one kind. Their actions are in `actions/start-client.ts`. */
export interface WorldKind {
  readonly name: WorldName;
  readonly clients: readonly [least: number, spread: number];
  readonly faults: FaultPlan;
  readonly mostSkewMs: number; // of the clock of a process
  readonly mostEndpoints: number; // of a business
  readonly schedules: readonly (readonly number[])[]; // of endpoints, in seconds
  readonly hasFilters: boolean;
  readonly hasRetention: boolean; // some seeds keep events and deliveries for an hour only
  readonly mostIdleMs: number; // the longest jump of time when nothing can run
  readonly mostPassMs: number; // the longest jump of time between two steps
  readonly mostRetryAfterSeconds: number; // that a receiver asks for
  readonly tickMs: number | null; // some seeds run the service by ticks of the host, at this interval; null = none
  readonly receiversMayHeal: boolean; // at the end, on some seeds
  /**
   * Time stops whenever a delivery is due, so that none begins late and no lease ends during its call. The stricter checks
   * of deliveries rely on this.
   */
  readonly isPunctual: boolean;
}

const DEFAULT_SCHEDULE = [0, 60, 300, 1_800, 7_200, 43_200];

export const WORLD_KINDS: Readonly<Record<WorldName, WorldKind>> = {
  /** The whole service with every action and fault. */
  service: {
    name: "service",
    clients: [14, 14],
    faults: SERVICE_FAULTS,
    mostSkewMs: MOST_SKEW_MS,
    mostEndpoints: 2,
    schedules: [[0, 5, 5], [0, 60, 300], [0, 1, 1, 1], DEFAULT_SCHEDULE],
    hasFilters: true,
    hasRetention: true,
    mostIdleMs: 6_000,
    mostPassMs: 70_000,
    mostRetryAfterSeconds: 200,
    tickMs: null,
    receiversMayHeal: true,
    isPunctual: false,
  },
  /** Small and many: processes that crash around each call into the store and of a receiver. */
  deliveries: {
    name: "deliveries",
    clients: [4, 5],
    faults: DELIVERY_FAULTS,
    mostSkewMs: 0,
    mostEndpoints: 3,
    schedules: [DEFAULT_SCHEDULE, [0, 5, 5], [0], [0, 1, 1, 1], [0, 60, 300]],
    hasFilters: false,
    hasRetention: false,
    mostIdleMs: 1_000,
    mostPassMs: 3_000,
    mostRetryAfterSeconds: 100_000,
    tickMs: 60_000,
    receiversMayHeal: false,
    isPunctual: true,
  },
};
