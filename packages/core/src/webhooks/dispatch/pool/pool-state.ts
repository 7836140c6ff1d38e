import type { Subscription } from "../../deliveries/subscription.js";
import type { Delivery, Lease } from "../../delivery.js";
import type { Concurrency } from "../../webhook-context.js";
import { type AttemptResult, CALLS_WITHIN_MS } from "../attempt-delivery.js";
import { checkLimits, countFree, countSlots, hasRoom, isAnyShareFull, type SlotHolder } from "./concurrency-slots.js";
import { type Mode, nextMode } from "./pool-mode.js";
import {
  type ClaimShares,
  callEnded,
  claimFailed,
  claimReturned,
  claimSent,
  NO_PACE,
  type Pace,
  prefetchLimit,
  sharesOfClaim,
  slowedDown,
} from "./prefetch.js";

/** A leased delivery, and what its call needs. */
export interface Job {
  readonly delivery: Delivery;
  readonly subscription: Subscription | null; // as it was a moment ago; null = it is read before the call
  readonly held: HeldLease;
  readonly onEnd: OnEnd;
}

/** Receives the result of a delivery. Null = it was released or not settled, so a claim takes it again. */
export type OnEnd = (result: AttemptResult | null) => void;

/** A lease of this process. */
export interface HeldLease {
  readonly lease: Lease;
  readonly sinceMs: number; // of the monotonic clock
  readonly run: number; // of the pool
}

/**
 * The deliveries that this process has leased, and what it knows of those that it has not: one value, which each
 * transition replaces. A delivery is in one of the four lists, as the README of the folder `dispatch` draws it. A transition of a
 * delivery that is not in its list throws an Error.
 */
export interface PoolState {
  readonly limits: Concurrency;
  readonly mode: Mode;
  readonly run: number; // raised by each stop: deliveries of former runs are released without a call
  readonly reserved: readonly SlotHolder[]; // with a slot; their commits are under way
  readonly waiting: readonly Waiting[]; // prefetched, without a slot; the first came first
  readonly calling: readonly Job[]; // with a slot
  readonly settling: readonly SlotHolder[]; // their results are being written
  readonly pace: Pace;
  readonly failures: number; // calls that have failed, and recorded failures of endpoints
}

interface Waiting {
  readonly job: Job;
  readonly sinceMs: number;
}

/** The state after a transition, with the deliveries that have got a slot by it. */
export interface Moved {
  readonly state: PoolState;
  readonly started: readonly Job[];
}

/** Throws a RangeError with the name of the option for a limit that is no whole number from 1. */
export function emptyPool(limits: Concurrency): PoolState {
  checkLimits(limits);
  const empty = { reserved: [], waiting: [], calling: [], settling: [] };
  return { limits, mode: "stopped", run: 0, ...empty, pace: NO_PACE, failures: 0 };
}

export function startPool(state: PoolState): PoolState {
  return { ...state, mode: nextMode(state.mode, "start") };
}

export function stopPool(state: PoolState): PoolState {
  return { ...state, mode: nextMode(state.mode, "stop"), run: state.run + 1 };
}

// Deliveries of a commit

/**
 * Reserves a slot where there is one. Commits may wait long for a business, so those under way hold at most half of all
 * slots; the others are for due deliveries. Null in `slots` = no slot, or none was wanted: a claim takes the delivery.
 */
export function reserveSlots(
  state: PoolState,
  wanted: readonly (SlotHolder | null)[],
): { readonly state: PoolState; readonly slots: readonly (SlotHolder | null)[] } {
  let next = state;
  const slots = wanted.map((holder) => {
    if (holder === null || next.reserved.length >= next.limits.total / 2 || next.mode !== "idle") return null;
    if (roomOfCalls(next) > 0 && hasRoom(next, holder)) {
      next = { ...next, reserved: [...next.reserved, holder] };
      return holder;
    }
    next = { ...next, mode: nextMode(next.mode, "no-slot") };
    return null;
  });
  return { state: next, slots };
}

/** The commit has made the delivery. */
export function confirmReservation(state: PoolState, slot: SlotHolder, job: Job): Moved {
  const next = { ...state, reserved: without(state.reserved, slot), calling: [...state.calling, job] };
  return { state: next, started: [job] };
}

/** The commit has not made the delivery. */
export function cancelReservation(state: PoolState, slot: SlotHolder): Moved {
  return startNext({ ...state, reserved: without(state.reserved, slot) });
}

/** The outcome of the commit is unknown: the delivery, if there is one, is released without a call. */
export function releaseReservation(state: PoolState, slot: SlotHolder): Moved {
  const settling = [...state.settling, slot];
  return startNext({ ...state, reserved: without(state.reserved, slot), settling });
}

// Claims

/**
 * How many deliveries a claim may take: as many as slots are free, and those that it prefetches. When no slot is free, few
 * large claims are better than many small ones.
 */
export function roomOfClaim(state: PoolState): number {
  const { limits, pace, waiting } = state;
  const prefetched = Math.max(0, prefetchLimit(pace, limits) - waiting.length);
  const room = Math.min(countFree(state) + prefetched, roomOfCalls(state));
  return countFree(state) === 0 && room < limits.total / 2 ? 0 : room;
}

/** How many calls may begin until settlements have ended: three deliveries for each slot are called or being settled. */
function roomOfCalls(state: PoolState): number {
  return countFree(state) + 2 * state.limits.total - state.settling.length;
}

/** The state without room for a claim. Deliveries may be waiting in the store. */
export function skipClaim(state: PoolState): PoolState {
  return { ...state, mode: nextMode(nextMode(state.mode, "claim"), "claimed-some") };
}

/** Throws an Error when another claim is at the store. */
export function sendClaim(state: PoolState): { readonly state: PoolState; readonly shares: ClaimShares } {
  const waiting = state.waiting.map(({ job }) => job);
  const next = { ...state, mode: nextMode(state.mode, "claim"), pace: claimSent(state.pace) };
  return { state: next, shares: sharesOfClaim(state, waiting, state.pace) };
}

export function failClaim(state: PoolState): PoolState {
  return { ...state, mode: nextMode(state.mode, "claimed-some"), pace: claimFailed(state.pace) };
}

/** The claim, which had room for `room`, is back. Its deliveries get a slot where one is free; the others wait. */
export function receiveClaim(state: PoolState, claimed: readonly Job[], room: number, nowMs: number): Moved {
  const started: Job[] = [];
  const waiting = [...state.waiting];
  const slots = countSlots(state);
  for (const job of claimed) {
    if (slots.hasRoomFor(job)) {
      slots.add(job);
      started.push(job);
    } else waiting.push({ job, sinceMs: nowMs });
  }
  const next = { ...state, waiting, calling: [...state.calling, ...started], pace: claimReturned(state.pace) };
  const isWhole = claimed.length < room && hasLeftNone(next);
  return { state: { ...next, mode: nextMode(state.mode, isWhole ? "claimed-all" : "claimed-some") }, started };
}

/** True when a claim that took less than it had room for has left no due delivery: no slot limited it. */
function hasLeftNone(state: PoolState): boolean {
  return state.pace.lastTwo[1].length === 0 && state.waiting.length === 0 && !isAnyShareFull(state);
}

/** Those that have waited since before `beforeMs` are released without a call, so that other processes can send them. */
export function giveBackWaiting(
  state: PoolState,
  beforeMs: number,
): { readonly state: PoolState; readonly givenBack: readonly Job[] } {
  const givenBack = state.waiting.filter(({ sinceMs }) => sinceMs < beforeMs).map(({ job }) => job);
  if (givenBack.length === 0) return { state, givenBack };
  const waiting = state.waiting.filter(({ sinceMs }) => sinceMs >= beforeMs);
  const settling = [...state.settling, ...givenBack];
  return { state: { ...state, waiting, settling, pace: slowedDown(state.pace, givenBack) }, givenBack };
}

// Calls and their settlements

/** The call has ended, or there was none to make. Its slot is free before the settlement. */
export function endCall(state: PoolState, job: Job): Moved {
  const calling = without(state.calling, job);
  return startNext({ ...state, calling, settling: [...state.settling, job], pace: callEnded(state.pace, job) });
}

export function endSettlement(state: PoolState, settled: SlotHolder): PoolState {
  return { ...state, settling: without(state.settling, settled) };
}

/**
 * False once the pool has stopped, or when a call that begins now could outlast the lease: a process may be paused before
 * its call, and another one then has the delivery.
 */
export function mayCall({ run }: PoolState, held: HeldLease, nowMs: number): boolean {
  return held.run === run && nowMs - held.sinceMs <= CALLS_WITHIN_MS;
}

export function countFailure(state: PoolState): PoolState {
  return { ...state, failures: state.failures + 1 };
}

// What the state says

/** How many deliveries this process has in hand. */
export function countAll({ reserved, waiting, calling, settling }: PoolState): number {
  return reserved.length + waiting.length + calling.length + settling.length;
}

export function hasUnusedSlots(state: PoolState): boolean {
  return countFree(state) > 0;
}

/** True when deliveries may be waiting in the store for a slot. */
export function mayBeWaiting({ mode }: PoolState): boolean {
  return mode === "full" || mode === "claiming";
}

/** True when deliveries may be waiting, and no claim can find a slot for them before the next change. */
export function isFull(state: PoolState): boolean {
  return state.mode === "full" && countFree(state) <= 0;
}

/** True when so many settlements are under way that they, and not the slots, may have kept claims small. */
export function isCrowded({ settling, limits }: PoolState): boolean {
  return settling.length > limits.total;
}

function startNext(state: PoolState): Moved {
  if (state.waiting.length === 0 || countFree(state) <= 0) return { state, started: [] };
  const slots = countSlots(state);
  const next = state.waiting.find(({ job }) => slots.hasRoomFor(job));
  if (next === undefined) return { state, started: [] };
  const calling = [...state.calling, next.job];
  return { state: { ...state, waiting: without(state.waiting, next), calling }, started: [next.job] };
}

function without<T>(list: readonly T[], entry: T): readonly T[] {
  const index = list.indexOf(entry);
  if (index === -1) throw new Error("the delivery is in another state");
  return list.slice(0, index).concat(list.slice(index + 1));
}
