/** How much one commit forgets at most, and how many of them one round of upkeep makes. */
const STEP = 1_000;
const STEPS = 20;

/**
 * Takes a step that forgets at most so many, again and again while there may be more, though not for ever: what a round
 * leaves is for the next.
 */
export async function inBoundedSteps(step: (limit: number) => Promise<number>): Promise<void> {
  for (let steps = 0; steps < STEPS; steps += 1) {
    if ((await step(STEP)) < STEP) return;
  }
}
