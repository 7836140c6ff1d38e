const STEPS = [1, 2, 2.5, 5, 10];

/** Round numbers from 0 to at least the largest value, at most `lines` besides 0. */
export function ticksOf(largest: number, lines: number): readonly number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((step) => step * power >= rough) ?? 10;
  const step = factor * power;
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Which days have a label: evenly spread, so that labels do not touch. */
export function labelledDays(days: number, width: number, labelWidth: number): ReadonlySet<number> {
  const fitting = Math.max(1, Math.floor(width / labelWidth));
  const every = Math.max(1, Math.ceil(days / fitting));
  const labelled = new Set<number>();
  for (let day = days - 1; day >= 0; day -= every) labelled.add(day);
  return labelled;
}
