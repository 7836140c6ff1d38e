import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

/** The account of the person who is logged in. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => api.auth.account({ signal }),
});
