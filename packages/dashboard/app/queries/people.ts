import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

/** The names of the business's users by their ids, for those who may see them. */
export const namesQuery = queryOptions({
  queryKey: ["users", "names"],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const { data } = await api.users.list({ limit: 100 }, { signal });
    return new Map(data.map(({ id, displayName, email }) => [String(id), displayName || email]));
  },
});
