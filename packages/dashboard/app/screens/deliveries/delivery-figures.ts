import type { Delivery } from "@budgetkit/client";

export interface AnswerFigures {
  /** Milliseconds; null = no answer came to any of them. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly attempts: number;
  readonly failedAttempts: number;
}

/** Figures of the attempts of the listed deliveries: those with an answer count for the time. */
export function answerFigures(deliveries: readonly Pick<Delivery, "attempts">[]): AnswerFigures {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const times = attempts
    .flatMap(({ durationMs, responseCode }) => (durationMs === null || responseCode === null ? [] : [durationMs]))
    .sort((a, b) => a - b);
  return {
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    attempts: attempts.length,
    failedAttempts: attempts.filter((attempt) => !isAccepted(attempt)).length,
  };
}

export function isAccepted({ responseCode }: Pick<Delivery["attempts"][number], "responseCode">): boolean {
  return responseCode !== null && responseCode >= 200 && responseCode < 300;
}

/** The smallest value that is at least as large as this part of them. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
}

/** When the oldest of those that wait was made; null = none waits. */
export function oldestWaiting(deliveries: readonly Pick<Delivery, "status" | "createdAt">[]): string | null {
  const waiting = deliveries.filter(({ status }) => status === "pending" || status === "retrying");
  return waiting.map(({ createdAt }) => createdAt).sort()[0] ?? null;
}
