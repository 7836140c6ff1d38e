/** What a process knows about the deliveries that are due. */
export type Mode =
  | "stopped" // only ticks claim, and new deliveries take no slot
  | "idle" // the last claim took all that was due, so a planned delivery may take a free slot without a claim
  | "claiming" // a claim is at the store
  | "full"; // deliveries may be waiting: a free slot is filled by a claim

export type Signal = "start" | "stop" | "claim" | "claimed-all" | "claimed-some" | "no-slot";

/** A claim that began before a stop or a start ends in the mode after it, and proves nothing about that mode. */
const TRANSITIONS: Readonly<Record<Mode, Readonly<Partial<Record<Signal, Mode>>>>> = {
  stopped: { start: "full", stop: "stopped", claim: "stopped", "claimed-all": "stopped", "claimed-some": "stopped" },
  idle: { start: "idle", stop: "stopped", claim: "claiming", "no-slot": "full" },
  claiming: { start: "claiming", stop: "stopped", "claimed-all": "idle", "claimed-some": "full" },
  full: { start: "full", stop: "stopped", claim: "claiming", "claimed-all": "full", "claimed-some": "full" },
};

/** Throws an Error for a signal that the mode does not allow. */
export function nextMode(mode: Mode, signal: Signal): Mode {
  const next = TRANSITIONS[mode][signal];
  if (next === undefined) throw new Error(`the dispatcher got "${signal}" while ${mode}`);
  return next;
}
