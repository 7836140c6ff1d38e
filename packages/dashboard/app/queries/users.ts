import type { Account } from "@budgetkit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

/** All users of the business, in the order of their creation. For administrators. */
export const usersQuery = queryOptions({
  queryKey: ["users", "all"],
  queryFn: async ({ signal }): Promise<readonly Account[]> => {
    const users: Account[] = [];
    for await (const user of api.users.each({ limit: 100 }, { signal })) users.push(user);
    return users;
  },
});
