import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

export const businessQuery = queryOptions({
  queryKey: ["business"],
  staleTime: 60_000,
  queryFn: ({ signal }) => api.business.get({ signal }),
});
