import { expect, it } from "vitest";
import type { SlotUse } from "./concurrency-slots.js";
import {
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

const to = (id: string, businessId = "1") => ({
  delivery: { businessId, subscriber: { kind: "endpoint", id } as const },
});
const several = (count: number, id: string) => Array.from({ length: count }, () => to(id));

/** The pace after a claim that was at the store while so many calls ended. */
function claimDuring(pace: Pace, calls: number, id = "60"): Pace {
  return claimReturned(several(calls, id).reduce(callEnded, claimSent(pace)));
}

function callsOf(use: Partial<SlotUse>, pace: Pace, waiting = several(0, "60")) {
  const limits = { total: 9, perBusiness: 9, perSubscriber: 2 };
  const { inFlight } = sharesOfClaim({ limits, reserved: [], calling: [], ...use }, waiting, pace);
  return inFlight.map(({ subscriber: { id }, calls }) => [id, calls]);
}

it("prefetches as many deliveries as calls have ended while the last two claims were at the store", () => {
  const limits = { total: 4, perBusiness: 4, perSubscriber: 3 };
  let pace = NO_PACE;
  for (const [calls, expected] of [
    [0, 0],
    [1, 1],
    [2, 3],
    [9, 4],
    [0, 4],
    [0, 0],
  ] as const) {
    pace = claimDuring(pace, calls);
    expect(prefetchLimit(pace, limits)).toBe(expected);
  }
});

it("counts no calls that end while no claim is at the store", () => {
  expect(callEnded(NO_PACE, to("60"))).toBe(NO_PACE);
});

it("learns nothing from a claim that failed", () => {
  const pace = claimDuring(NO_PACE, 2);
  expect(claimFailed(several(3, "60").reduce(callEnded, claimSent(pace)))).toEqual(pace);
});

it("refuses a claim beside another one, and the end of a claim that was not sent", () => {
  expect(() => claimSent(claimSent(NO_PACE))).toThrow("a claim is at the store already");
  for (const end of [claimReturned, claimFailed]) expect(() => end(NO_PACE)).toThrow("no claim is at the store");
});

it("prefetches for the subscribers whose calls have ended, each at most its share", () => {
  const pace = claimDuring(NO_PACE, 5);
  expect(callsOf({ calling: [to("61")] }, pace)).toEqual([
    ["61", 1],
    ["60", -2],
  ]);
});

it("counts a hanging receiver's deliveries as its share of calls: its business keeps the other slots", () => {
  const quick = claimDuring(NO_PACE, 5);
  const hanging = claimDuring(claimDuring(quick, 0), 0);
  expect(callsOf({ calling: several(2, "60") }, hanging, several(2, "60"))).toEqual([["60", 2]]);
});

it("counts reserved slots as calls", () => {
  expect(callsOf({ reserved: [to("60")], calling: [to("60", "2")] }, NO_PACE)).toEqual([
    ["60", 1],
    ["60", 1],
  ]);
});

it("prefetches none for the receivers that have become slow, and as before for the others", () => {
  const pace = claimDuring(claimDuring(NO_PACE, 1, "60"), 1, "61");
  expect(callsOf({}, slowedDown(pace, [to("60")]))).toEqual([["61", -1]]);
});

it("forgets the subscribers that have no more calls", () => {
  const pace = claimDuring(NO_PACE, 1);
  expect(callsOf({}, pace)).toEqual([["60", -1]]);
  expect(callsOf({}, claimDuring(claimDuring(pace, 0), 0))).toEqual([]);
});
