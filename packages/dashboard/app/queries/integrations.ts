import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";
import { allOf } from "./all-of.js";

/** All integrations: a business has at most a thousand. */
export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  queryFn: ({ signal }) => allOf(api.integrations.each({}, { signal })),
});
