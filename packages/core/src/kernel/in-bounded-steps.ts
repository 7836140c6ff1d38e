/** Rows that one commit removes at most. */
const STEP = 1_000;
/** Commits that one round of maintenance makes at most. */
const STEPS = 20;

/** Repeats a step until it removes fewer rows than its limit. A round is bounded: the next round continues. */
export async function inBoundedSteps(step: (limit: number) => Promise<number>): Promise<void> {
  for (let steps = 0; steps < STEPS; steps += 1) {
    if ((await step(STEP)) < STEP) return;
  }
}
