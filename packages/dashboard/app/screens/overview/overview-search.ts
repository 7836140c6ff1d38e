/** What the address of the screen says, read from text that may have been typed. */
export interface OverviewSearch {
  readonly weeks?: 4 | 52; // absent = 12
  readonly currency?: string; // of the chart
}

export const PERIODS = [4, 12, 52] as const;
export const DEFAULT_WEEKS = 12;

export function readOverviewSearch({ weeks, currency }: Record<string, unknown>): OverviewSearch {
  return {
    ...(weeks === 4 || weeks === 52 ? { weeks } : {}),
    ...(typeof currency === "string" && /^[A-Z]{3}$/.test(currency) ? { currency } : {}),
  };
}

export function weeksOf({ weeks }: OverviewSearch): (typeof PERIODS)[number] {
  return weeks ?? DEFAULT_WEEKS;
}
