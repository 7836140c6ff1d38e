import { BudgetkitError } from "@budgetkit/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { noticeRequiredFactor } from "../session/required-factor.js";
import { sessionEnded } from "../session/session-channel.js";

const FRESH_MS = 10_000;

/** The client retries what is worth it; here a failure is shown at once. A refused session ends it in every tab. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeRefusal }),
  mutationCache: new MutationCache({ onError: noticeRefusal }),
  defaultOptions: {
    queries: { retry: false, staleTime: FRESH_MS },
    mutations: { retry: false, gcTime: 0 }, // an answer may hold what is shown once,
  },
});

function noticeRefusal(error: Error): void {
  noticeRequiredFactor(error);
  if (error instanceof BudgetkitError && error.status === 401) sessionEnded();
}
