import type { TargetName, Unit } from "../data/targets.js";
import type { Settings } from "./settings.js";
import { median } from "./statistics.js";

export interface Benchmark {
  readonly title: string;
  run(settings: Settings): Promise<Report>;
}

export interface Report {
  readonly measured: readonly Measured[];
  readonly figures: readonly Figure[];
  readonly notes?: readonly string[]; // what a reader has to know of this very run
}

/** The medians of all rounds of one side. Times are in microseconds. */
export interface Measured extends Sample {
  readonly side: string;
  readonly samples: readonly Sample[]; // of each round
}

export interface Sample {
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

/** A figure that a benchmark reports: of a target, by its name, or one without a target. */
export type Figure =
  | { readonly target: TargetName; readonly value: number }
  | { readonly target: null; readonly what: string; readonly value: number; readonly unit: Unit };

/** A figure without a target. */
export function recorded(what: string, value: number, unit: Unit): Figure {
  return { target: null, what, value, unit };
}

/** The name of a target, or what is recorded without one. */
export type Ratio = TargetName | { readonly recorded: string };

function ratio(what: Ratio, value: number): Figure {
  return typeof what === "string" ? { target: what, value } : recorded(what.recorded, value, "×");
}

/** How many times the rate of `b` the rate of `a` is: the median of the ratios of each round. */
export function rateRatio(what: Ratio, a: Measured, b: Measured): Figure {
  return ratio(
    what,
    medianOfRounds(a, b, (sample) => Number(sample.perSecond)),
  );
}

/** How many times the median time of `b` that of `a` is: the median of the ratios of each round. */
export function timeRatio(what: Ratio, a: Measured, b: Measured): Figure {
  return ratio(
    what,
    medianOfRounds(a, b, (sample) => sample.p50),
  );
}

function medianOfRounds(a: Measured, b: Measured, figureOf: (sample: Sample) => number): number {
  return median(
    a.samples.flatMap((sample, round) => {
      const beside = b.samples[round];
      return beside === undefined ? [] : [figureOf(sample) / figureOf(beside)];
    }),
  );
}
