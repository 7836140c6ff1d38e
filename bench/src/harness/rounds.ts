import type { Measured, Sample, ServerCost } from "./benchmark.js";
import type { Settings } from "./settings.js";
import { median } from "./statistics.js";

/** One of the things that are compared. */
export interface Side {
  readonly name: string;
  /** Works for some seconds and tells how it went. */
  measure(seconds: number): Promise<Sample>;
}

/**
 * Measures the sides in turn, round after round, so that whatever else the machine does meets all of them. Gives the
 * medians of the rounds, in the order of the sides.
 */
export async function measureInTurn<const Sides extends readonly Side[]>(
  sides: Sides,
  { rounds, seconds, warmupSeconds }: Settings,
): Promise<{ [Index in keyof Sides]: Measured }> {
  for (const side of sides) await side.measure(warmupSeconds);
  const samples: Sample[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const turns = [...sides.entries()];
    if (round % 2 === 1) turns.reverse(); // so that no side always comes first
    for (const [index, side] of turns) samples[index]?.push(await side.measure(seconds));
  }
  const measured = sides.map((side, index) => {
    const ofSide = samples[index] ?? [];
    return { side: side.name, samples: ofSide, ...mediansOf(ofSide) };
  });
  return measured as { [Index in keyof Sides]: Measured };
}

function mediansOf(samples: readonly Sample[]): Sample {
  return {
    perSecond: medianOrNull(samples.map(({ perSecond }) => perSecond)),
    p50: median(samples.map(({ p50 }) => p50)),
    p99: median(samples.map(({ p99 }) => p99)),
    server: costOf(samples.map(({ server }) => server).filter((cost) => cost !== null)),
  };
}

function costOf(costs: readonly ServerCost[]): ServerCost | null {
  if (costs.length === 0) return null;
  return { cpu: median(costs.map(({ cpu }) => cpu)), loopDelay: median(costs.map(({ loopDelay }) => loopDelay)) };
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}
