import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../start/api.js";
import { type Activity, activityOf } from "./activity-sentence.js";

const READ = 60;

/** The newest events that are sentences about budgets. */
export const activityQuery = queryOptions({
  queryKey: ["events", "activity"],
  staleTime: 30_000,
  refetchInterval: 60_000,
  queryFn: async ({ signal }): Promise<readonly Activity[]> => {
    const { data } = await api.events.list({ limit: READ }, { signal });
    return data.map(activityOf).filter((activity) => activity !== null);
  },
});

/** The budgets about which the last word is the customer's. */
export function useAskedBudgets(): ReadonlySet<string> {
  const { data = [] } = useQuery(activityQuery);
  const answered = new Set<string>();
  const asked = new Set<string>();
  for (const { budgetId, kind } of data) {
    if (kind === "answered" || kind === "sent" || kind === "changed") answered.add(budgetId); // the newest comes first
    if ((kind === "asked" || kind === "wrote") && !answered.has(budgetId)) asked.add(budgetId);
  }
  return asked;
}
