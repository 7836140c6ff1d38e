import type { Clock } from "@budgetkit/core";

/** A clock set by hand, so that a year passes in seconds. */
export interface MovingClock extends Clock {
  set(moment: number): void;
}

export function movingClock(begin: number): MovingClock {
  let moment = begin;
  return {
    now: () => moment,
    monotonicMs: () => performance.now(),
    set: (next) => {
      moment = next;
    },
  };
}
