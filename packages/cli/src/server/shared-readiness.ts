import type { Clock } from "@budgetkit/core";

const REMEMBERED_MS = 1_000;
const ANSWERS_WITHIN_MS = 2_000;

/**
 * Caches the readiness of the service for a second, so that frequent probes do not each query the database. Simultaneous
 * callers share one check. A check that takes longer than two seconds counts as not ready.
 */
export function sharedReadiness(
  ask: () => Promise<boolean>,
  clock: Pick<Clock, "monotonicMs">,
): () => Promise<boolean> {
  let answer: Promise<boolean> | null = null;
  let answeredAt: number | null = null; // null = the check has not answered yet
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

/** The answer, or null when it takes longer than `ms`; the work behind it is not stopped. Rejects when the answer does. */
export async function answeredWithin<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
