import type { Clock } from "@budgetkit/core";
import { answeredWithin } from "./answered-within.js";

const REMEMBERED_MS = 1_000;
const ANSWERS_WITHIN_MS = 2_000;

/**
 * Whether the service can serve, asked once for all who want to know at the same time. An answer, good or bad, is given
 * for a second: probes may come as often as they like, and the database is not asked for each. No answer within two
 * seconds is a bad one.
 */
export function sharedReadiness(
  ask: () => Promise<boolean>,
  clock: Pick<Clock, "monotonicMs">,
): () => Promise<boolean> {
  let answer: Promise<boolean> | null = null;
  let answeredAt: number | null = null; // null = it is waited for
  return () => {
    const isFresh = answeredAt === null || clock.monotonicMs() - answeredAt < REMEMBERED_MS;
    if (answer !== null && isFresh) return answer;
    answeredAt = null;
    answer = answeredWithin(ANSWERS_WITHIN_MS, ask())
      .then((isReady) => isReady ?? false)
      .catch(() => false)
      .finally(() => {
        answeredAt = clock.monotonicMs();
      });
    return answer;
  };
}
