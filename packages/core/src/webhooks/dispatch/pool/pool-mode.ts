/** Whether a planned delivery may take a slot. */
export type Mode =
  | "stopped" // no: only ticks claim
  | "idle" // yes: the last claim took all that was due, so nothing older waits for the slot
  | "claiming" // no: a claim is at the store
  | "full"; // no: older deliveries may be waiting in the store, and a claim fills each free slot

export type Signal = "start" | "stop" | "claim" | "claimed-all" | "claimed-some" | "no-slot";

/** A claim that began before a stop or a start proves nothing about the mode in which it ends. */
const TRANSITIONS: Readonly<Record<Mode, Readonly<Partial<Record<Signal, Mode>>>>> = {
  stopped: { start: "full", stop: "stopped", claim: "stopped", "claimed-all": "stopped", "claimed-some": "stopped" },
  idle: { start: "idle", stop: "stopped", claim: "claiming", "no-slot": "full" },
  claiming: { start: "claiming", stop: "stopped", "claimed-all": "idle", "claimed-some": "full" },
  full: { start: "full", stop: "stopped", claim: "claiming", "claimed-all": "full", "claimed-some": "full" },
};

/** Throws an Error for a signal that the mode refuses. */
export function nextMode(mode: Mode, signal: Signal): Mode {
  const next = TRANSITIONS[mode][signal];
  if (next === undefined) throw new Error(`the pool got "${signal}" while ${mode}`);
  return next;
}
