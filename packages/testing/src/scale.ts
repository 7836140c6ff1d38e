/** The counts of rounds of one chaos, fuzz, race or property test, at each scale. */
export interface RoundsByScale {
  readonly small: number; // in every run of the tests
  readonly full: number; // at night and before a release
}

/** `full` when the variable TEST_SCALE says so, else `small`. */
export const SCALE: keyof RoundsByScale = process.env.TEST_SCALE === "full" ? "full" : "small";

/** How many rounds a test makes in this run. */
export function rounds(counts: RoundsByScale): number {
  return counts[SCALE];
}
