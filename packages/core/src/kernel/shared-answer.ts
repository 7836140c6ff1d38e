import type { Clock } from "./clock.js";

/** Asks once for all callers that come meanwhile or within `rememberedMs` of the answer. A rejection is remembered too. */
export function sharedAnswer<Answer>(
  ask: () => Promise<Answer>,
  rememberedMs: number,
  clock: Pick<Clock, "monotonicMs">,
): () => Promise<Answer> {
  let answer: Promise<Answer> | null = null;
  let answeredAt: number | null = null; // null = there is no answer yet
  return () => {
    const isFresh = answeredAt === null || clock.monotonicMs() - answeredAt < rememberedMs;
    if (answer !== null && isFresh) return answer;
    answeredAt = null;
    answer = ask().finally(() => {
      answeredAt = clock.monotonicMs();
    });
    return answer;
  };
}
