import { BudgetkitError } from "@budgetkit/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { sessionEnded } from "../session/session-channel.js";

const FRESH_MS = 10_000;

/** The client retries what is worth it; here a failure is shown at once. A refused session ends it in every tab. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endIfUnauthorized }),
  mutationCache: new MutationCache({ onError: endIfUnauthorized }),
  defaultOptions: {
    queries: { retry: false, staleTime: FRESH_MS },
    mutations: { retry: false },
  },
});

function endIfUnauthorized(error: Error): void {
  if (error instanceof BudgetkitError && error.status === 401) sessionEnded();
}
