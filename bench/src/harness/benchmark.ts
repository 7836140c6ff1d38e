import type { Settings } from "./settings.js";

export interface Benchmark {
  readonly title: string;
  run(settings: Settings): Promise<Report>;
}

export interface Report {
  readonly measured: readonly Measured[];
  readonly verdicts: readonly Verdict[];
  readonly notes?: readonly string[]; // what a reader has to know of this very run
}

/** The medians of all rounds of one side. Times are in microseconds. */
export interface Measured {
  readonly side: string;
  readonly perSecond: number | null; // null = it is not about a rate
  readonly p50: number;
  readonly p99: number;
  readonly server: ServerCost | null; // null = there is no server
}

/** What answering cost the server's process, in microseconds. */
export interface ServerCost {
  readonly cpu: number; // of all its threads, an answer
  readonly loopDelay: number; // p99 of how late its event loop was
}

export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly unit: "×" | "MB" | "ms";
  readonly target: Target | null; // null = recorded without a target
}

export interface Target {
  readonly kind: "at-least" | "at-most";
  readonly value: number;
}

export function atLeast(value: number): Target {
  return { kind: "at-least", value };
}

export function atMost(value: number): Target {
  return { kind: "at-most", value };
}

export function isMet({ value, target }: Verdict): boolean {
  if (target === null) return true;
  return target.kind === "at-least" ? value >= target.value : value <= target.value;
}

/** How many times the rate of `b` the rate of `a` is. */
export function rateRatio(what: string, a: Measured, b: Measured, target: Target | null): Verdict {
  return { what, value: Number(a.perSecond) / Number(b.perSecond), unit: "×", target };
}

/** How many times the median time of `b` that of `a` is. */
export function timeRatio(what: string, a: Measured, b: Measured, target: Target | null): Verdict {
  return { what, value: a.p50 / b.p50, unit: "×", target };
}
