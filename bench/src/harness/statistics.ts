export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that a share of all values (0 to 1) does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[index] ?? Number.NaN;
}
