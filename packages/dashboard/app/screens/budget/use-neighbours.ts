import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Neighbours, neighboursIn } from "./neighbours.js";

/** The neighbours in the list that was loaded last and has the budget; null = it was opened by its address. */
export function useNeighbours(budgetId: string): Neighbours | null {
  const queryClient = useQueryClient();
  return useMemo(() => {
    const lists = queryClient
      .getQueryCache()
      .findAll({ queryKey: ["budgets"] })
      .filter(({ queryKey }) => queryKey[1] !== "of-customer")
      .sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
    for (const { state } of lists) {
      const found = neighboursIn(state.data, budgetId);
      if (found !== null) return found;
    }
    return null;
  }, [queryClient, budgetId]);
}
