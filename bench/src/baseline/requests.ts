import { get } from "../data/get-request.js";
import { newBudget } from "../data/sample-budgets.js";
import type { Traffic } from "../harness/server-side.js";
import type { BaselineDatabase } from "./database.js";

const DISTINCT = 1_000;

/** Reads of budgets from all over the database, below `/budgets` or `/documents`. */
export function readsOfBaseline({ budgets, keys: all }: BaselineDatabase, folder: string, keys: number): Traffic {
  const step = budgets / DISTINCT;
  const requests = Array.from({ length: DISTINCT }, (_, index) =>
    get(`/${folder}/${1 + Math.floor(index * step)}`, all[index % keys]),
  );
  return { requests, expectedStatus: 200 };
}

export function listsOfBaseline({ keys }: BaselineDatabase, query: string): Traffic {
  return { requests: Array.from({ length: DISTINCT }, () => get(`/budgets?${query}`, keys[0])), expectedStatus: 200 };
}

export function createsOfBaseline({ keys }: BaselineDatabase, path = "/budgets"): Traffic {
  const headers = { authorization: `Bearer ${keys[0]}`, "content-type": "application/json" };
  const requests = Array.from(
    { length: DISTINCT },
    () => ({ method: "POST", path, headers, body: newBudget }) as const,
  );
  return { requests, expectedStatus: 201 };
}
