import { aDelivery } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { CALLS_WITHIN_MS } from "../attempt-delivery.js";
import type { SlotHolder } from "./concurrency-slots.js";
import {
  cancelReservation,
  confirmReservation,
  countAll,
  emptyPool,
  endCall,
  endSettlement,
  failClaim,
  giveBackWaiting,
  isCrowded,
  isFull,
  type Job,
  mayBeWaiting,
  mayCall,
  type PoolState,
  receiveClaim,
  releaseReservation,
  reserveSlots,
  roomOfClaim,
  sendClaim,
  skipClaim,
  startPool,
  stopPool,
} from "./pool-state.js";

const LIMITS = { total: 4, perBusiness: 3, perSubscriber: 2 };
const NOW_MS = 10_000;
const HELD = { lease: { token: "mine", until: 0 }, sinceMs: NOW_MS, run: 0 };

/** A delivery of an endpoint. */
function to(id: string, businessId = "1"): Job {
  const delivery = aDelivery({ businessId, subscriber: { kind: "endpoint", id } });
  return { delivery, subscription: null, held: HELD, onEnd: () => {} };
}

function pool(overrides: Partial<PoolState> = {}): PoolState {
  return { ...emptyPool(LIMITS), ...overrides };
}

const waiting = (job: Job, sinceMs = NOW_MS) => ({ job, sinceMs });

type Place = "reserved" | "waiting" | "calling" | "settling" | "gone";

/** A pool that has the delivery in one place. */
function poolWith(job: Job, place: Place): PoolState {
  if (place === "gone") return pool();
  return pool({ [place]: place === "waiting" ? [waiting(job)] : [job] });
}

function placeOf(state: PoolState, job: Job): Place {
  expect(countAll(state)).toBeLessThanOrEqual(1);
  if (state.reserved.includes(job)) return "reserved";
  if (state.waiting.some((each) => each.job === job)) return "waiting";
  if (state.calling.includes(job)) return "calling";
  return state.settling.includes(job) ? "settling" : "gone";
}

describe("one delivery", () => {
  const PLACES: readonly Place[] = ["reserved", "waiting", "calling", "settling", "gone"];

  const TRANSITIONS: Readonly<Record<string, (state: PoolState, job: Job) => PoolState>> = {
    "its commit made it": (state, job) => confirmReservation(state, job, job).state,
    "its commit did not make it": (state, job) => cancelReservation(state, job).state,
    "the outcome of its commit is unknown": (state, job) => releaseReservation(state, job).state,
    "its call ended": (state, job) => endCall(state, job).state,
    "it was settled": endSettlement,
  };

  /** Where the delivery is after a transition, for each of {@link PLACES}; null = refused. */
  const TABLE: Readonly<Record<string, readonly (Place | null)[]>> = {
    "its commit made it": ["calling", null, null, null, null],
    "its commit did not make it": ["gone", null, null, null, null],
    "the outcome of its commit is unknown": ["settling", null, null, null, null],
    "its call ended": [null, null, "settling", null, null],
    "it was settled": [null, null, null, "gone", null],
  };

  for (const [name, transition] of Object.entries(TRANSITIONS)) {
    it.each(PLACES.map((place, index) => [place, TABLE[name]?.[index] ?? "refused"] as const))(
      `moves a delivery that is %s when ${name}: %s`,
      (from, expected) => {
        const job = to("60");
        const state = poolWith(job, from);
        if (expected === "refused") expect(() => transition(state, job)).toThrow("the delivery is in another state");
        else expect(placeOf(transition(state, job), job)).toBe(expected);
      },
    );
  }

  it.each([
    ["reserved", "reserved"],
    ["waiting", "settling"],
    ["calling", "calling"],
    ["settling", "settling"],
  ] as const)("moves a delivery that is %s when those that wait are given back: %s", (from, expected) => {
    const job = to("60");
    const { state, givenBack } = giveBackWaiting(poolWith(job, from), Number.POSITIVE_INFINITY);
    expect(placeOf(state, job)).toBe(expected);
    expect(givenBack).toEqual(from === "waiting" ? [job] : []);
  });

  it.each([
    ["calling", {}],
    ["waiting", { limits: { ...LIMITS, total: 1 }, reserved: [to("61")] }],
  ] as const)("moves a claimed delivery to %s, by the free slots", (expected, overrides) => {
    const job = to("60");
    const { state, started } = receiveClaim(sendClaim(pool(overrides)).state, [job], 1, NOW_MS);
    expect(placeOf({ ...state, reserved: [] }, job)).toBe(expected);
    expect(started).toEqual(expected === "calling" ? [job] : []);
  });
});

describe("slots for a commit", () => {
  const idle = (overrides: Partial<PoolState> = {}) => pool({ mode: "idle", ...overrides });
  const reserve = (state: PoolState, ...wanted: (SlotHolder | null)[]) => reserveSlots(state, wanted);

  it("reserves slots for a commit while the pool is idle and has room", () => {
    const job = to("60");
    const { state, slots } = reserve(idle(), job, null);
    expect(slots).toEqual([job, null]);
    expect(state).toEqual(idle({ reserved: [job] }));
  });

  it.each(["stopped", "claiming", "full"] as const)("reserves no slot while the pool is %s", (mode) => {
    const state = pool({ mode });
    expect(reserve(state, to("60"))).toEqual({ state, slots: [null] });
  });

  it("reserves no slot for a full subscriber, and then none until a claim has taken what waits", () => {
    const { state, slots } = reserve(idle({ calling: [to("60"), to("60")] }), to("60"), to("61"));
    expect(slots).toEqual([null, null]);
    expect(state.mode).toBe("full");
  });

  it("reserves no slot while three deliveries for each slot are called or settled", () => {
    const settling = Array.from({ length: 12 }, () => to("60"));
    expect(reserve(idle({ settling }), to("60")).slots).toEqual([null]);
    expect(reserve(idle({ settling: settling.slice(1) }), to("60")).slots).toHaveLength(1);
  });

  it("reserves at most half of all slots for the commits under way, and stays idle", () => {
    const wanted = ["60", "61", "62"].map((id) => to(id));
    const { state, slots } = reserve(idle(), ...wanted);
    expect(slots).toEqual([wanted[0], wanted[1], null]);
    expect(state.mode).toBe("idle");
    const single = idle({ limits: { total: 1, perBusiness: 1, perSubscriber: 1 } });
    expect(reserve(single, to("60")).state.reserved).toHaveLength(1);
  });
});

describe("a delivery without a slot", () => {
  const crowded = (overrides: Partial<PoolState> = {}) =>
    pool({ limits: { total: 3, perBusiness: 2, perSubscriber: 1 }, ...overrides });

  it("starts the delivery that waits longest when a call ends", () => {
    const [first, second, third] = [to("60"), to("61"), to("62")];
    const state = pool({
      limits: { total: 1, perBusiness: 1, perSubscriber: 1 },
      calling: [first],
      waiting: [waiting(second), waiting(third)],
    });
    const after = endCall(state, first);
    expect(after.started).toEqual([second]);
    expect(after.state).toMatchObject({ calling: [second], waiting: [waiting(third)], settling: [first] });
    expect(endCall(after.state, second).started).toEqual([third]);
  });

  it("lets a claimed delivery pass those whose subscriber or business has no free slot", () => {
    const [first, again, other] = [to("60"), to("60"), to("60", "2")];
    const state = crowded({ calling: [first, to("61")], waiting: [] });
    const claimed = receiveClaim(sendClaim(state).state, [again, to("62"), other], 3, NOW_MS);
    expect(claimed.started).toEqual([other]);
    expect(claimed.state.waiting.map(({ job }) => job)).toEqual(
      [again, to("62")].map((job) => expect.objectContaining({ delivery: job.delivery })),
    );
    expect(endCall(claimed.state, first).started).toEqual([again]);
  });

  it.each([
    ["its commit did not make the delivery", cancelReservation],
    ["the outcome of the commit is unknown", releaseReservation],
  ])("starts a delivery that waits when %s", (_, transition) => {
    const [slot, job] = [to("60"), to("60")];
    expect(transition(crowded({ reserved: [slot], waiting: [waiting(job)] }), slot).started).toEqual([job]);
  });

  it("gives back the deliveries that have waited since before a moment, which then take no slot", () => {
    const [late, early] = [to("60"), to("61")];
    const state = pool({ waiting: [waiting(late, 1_000), waiting(early, 1_001)] });
    const { state: next, givenBack } = giveBackWaiting(state, 1_001);
    expect(givenBack).toEqual([late]);
    expect(next).toMatchObject({ waiting: [waiting(early, 1_001)], settling: [late], calling: [] });
  });

  it("prefetches no more for the subscriber of a delivery that is given back", () => {
    const job = to("60");
    const pace = { lastTwo: [[to("60")], [to("60"), to("61")]], present: null } as const;
    const { state } = giveBackWaiting(pool({ pace, waiting: [waiting(job)] }), Number.POSITIVE_INFINITY);
    expect(state.pace.lastTwo.flat().map(({ delivery }) => delivery.subscriber.id)).toEqual(["61"]);
  });
});

describe("a claim", () => {
  const sent = (overrides: Partial<PoolState> = {}) => sendClaim(pool({ mode: "full", ...overrides })).state;
  const quick = { lastTwo: [[], [to("60"), to("60")]], present: null } as const;

  it.each([
    ["as many as slots are free", { calling: [to("60")] }, 3],
    ["none without a free slot", { calling: ["60", "60", "61", "61"].map((id) => to(id)) }, 0],
    ["more where calls end while claims are at the store", { calling: [to("60")], pace: quick }, 5],
    ["fewer by those that wait", { calling: [to("60")], pace: quick, waiting: [waiting(to("60"))] }, 4],
    [
      "half of all without a free slot, not fewer",
      { reserved: ["1", "2", "3", "4"].map((id) => to(id)), pace: quick },
      2,
    ],
    ["fewer while settlements pile up", { settling: Array.from({ length: 10 }, () => to("60")) }, 2],
  ] as const)("gives a claim room for %s", (_, overrides, expected) => {
    expect(roomOfClaim(pool(overrides))).toBe(expected);
  });

  it("reports the slots in use to a claim as they were when it was sent", () => {
    const { state, shares } = sendClaim(pool({ calling: [to("60")] }));
    const [job] = state.calling;
    if (job === undefined) throw new Error("no call");
    endCall(state, job);
    const inFlight = [{ businessId: "1", subscriber: { kind: "endpoint", id: "60" }, calls: 1 }];
    expect(shares).toEqual({ perBusiness: 3, perSubscriber: 2, inFlight });
  });

  it("makes the pool idle after a claim that nothing limited", () => {
    expect(receiveClaim(sent(), [to("60")], 2, NOW_MS).state.mode).toBe("idle");
  });

  it.each([
    ["it took all that it had room for", sent(), [to("60")], 1],
    ["a subscriber is full", sent({ calling: [to("60")] }), [to("60")], 3],
    ["a delivery waits", sent({ calling: ["60", "60", "61"].map((id) => to(id)) }), [to("60")], 3],
    ["a call has ended meanwhile", endedDuring(sent({ calling: [to("60")] })), [], 3],
  ] as const)("makes the pool full after a claim when %s: deliveries may be waiting in the store", (_, state, claimed, room) => {
    expect(receiveClaim(state, claimed, room, NOW_MS).state.mode).toBe("full");
  });

  it("makes the pool full after a claim that failed, or that had no room", () => {
    expect(failClaim(sent()).mode).toBe("full");
    expect(skipClaim(pool({ mode: "idle" })).mode).toBe("full");
  });

  it("stays stopped after a claim of a tick", () => {
    expect(receiveClaim(sendClaim(pool()).state, [], 1, NOW_MS).state.mode).toBe("stopped");
    expect(skipClaim(pool()).mode).toBe("stopped");
  });

  it("refuses a claim beside another one", () => {
    expect(() => sendClaim(sendClaim(pool()).state)).toThrow("a claim is at the store already");
    expect(() => sendClaim(sent())).toThrow('the pool got "claim" while claiming');
  });

  function endedDuring(state: PoolState): PoolState {
    const [job] = state.calling;
    return job === undefined ? state : endCall(state, job).state;
  }
});

describe("the state of a pool", () => {
  it("allows a call until the pool stops, and while its lease lasts for it", () => {
    const state = startPool(pool());
    expect(mayCall(state, HELD, NOW_MS + CALLS_WITHIN_MS)).toBe(true);
    expect(mayCall(state, HELD, NOW_MS + CALLS_WITHIN_MS + 1)).toBe(false);
    expect(mayCall(stopPool(state), HELD, NOW_MS)).toBe(false);
    expect(mayCall(startPool(stopPool(state)), HELD, NOW_MS)).toBe(false);
  });

  it.each([
    ["stopped", false],
    ["idle", false],
    ["claiming", true],
    ["full", true],
  ] as const)("reports in the mode %s whether deliveries may be waiting in the store: %s", (mode, expected) => {
    expect(mayBeWaiting(pool({ mode }))).toBe(expected);
  });

  it("reports a full pool when deliveries may be waiting and no slot is free", () => {
    const calling = ["60", "60", "61", "61"].map((id) => to(id));
    expect(isFull(pool({ mode: "full", calling }))).toBe(true);
    expect(isFull(pool({ mode: "full", calling: calling.slice(1) }))).toBe(false);
    expect(isFull(pool({ mode: "claiming", calling }))).toBe(false);
  });

  it("reports a crowded pool while more deliveries are settled than there are slots", () => {
    const settling = Array.from({ length: 5 }, () => to("60"));
    expect(isCrowded(pool({ settling }))).toBe(true);
    expect(isCrowded(pool({ settling: settling.slice(1) }))).toBe(false);
  });
});
