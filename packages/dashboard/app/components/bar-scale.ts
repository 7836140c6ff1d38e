/** Four or five round steps from nothing up to at least the largest value. */
export function ticksOf(largest: number): readonly number[] {
  if (largest <= 0) return [0];
  const rough = largest / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * (STEPS.find((each) => each * magnitude >= rough) ?? 10);
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const STEPS = [1, 2, 2.5, 5, 10];

export interface BarPart {
  readonly series: number;
  readonly from: number; // 0 = the foot of the chart, 1 = its top
  readonly to: number;
}

/** The parts of one bar, one on the other; what is nothing has no part. */
export function stack(values: readonly number[], top: number): readonly BarPart[] {
  const parts: BarPart[] = [];
  let below = 0;
  values.forEach((value, series) => {
    if (value <= 0 || top <= 0) return;
    parts.push({ series, from: below / top, to: (below + value) / top });
    below += value;
  });
  return parts;
}

/** How many bars one label of the axis stands for, so that labels do not touch. */
export function labelStep(bars: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil((bars * labelWidth) / Math.max(1, width)));
}
