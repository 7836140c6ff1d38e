import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

export type Business = Awaited<ReturnType<typeof api.business.get>>;
export type UpdateBusiness = Parameters<typeof api.business.update>[0];

export const businessQuery = queryOptions({
  queryKey: ["business"],
  staleTime: 60_000,
  queryFn: ({ signal }) => api.business.get({ signal }),
});
