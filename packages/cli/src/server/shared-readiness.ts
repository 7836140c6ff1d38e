import type { Clock } from "@budgetkit/core";
import { sharedAnswer } from "@budgetkit/core/store";

const REMEMBERED_MS = 1_000;
const ANSWERS_WITHIN_MS = 2_000;

/**
 * Why the server cannot serve; null = it can. The answer is kept for a second, so that frequent probes do not each query
 * the database. A check that fails or takes longer than two seconds is an outage.
 */
export function sharedReadiness(
  findOutage: () => Promise<string | null>,
  clock: Pick<Clock, "monotonicMs">,
): () => Promise<string | null> {
  const ask = async () => (await findOutage().catch(() => "the check failed")) ?? READY;
  const check = async () => (await answeredWithin(ANSWERS_WITHIN_MS, ask())) ?? "no answer within two seconds";
  const shared = sharedAnswer(check, REMEMBERED_MS, clock);
  return async () => {
    const answer = await shared();
    return answer === READY ? null : answer;
  };
}

const READY = "";

/** The answer, or null when it takes longer than `ms`; the work behind it is not stopped. Rejects when the answer does. */
export async function answeredWithin<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
