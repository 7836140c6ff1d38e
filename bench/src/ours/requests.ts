import type autocannon from "autocannon";
import { get } from "../data/get-request.js";
import { newBudget } from "../data/sample-budgets.js";
import type { Traffic } from "../harness/server-side.js";
import type { OurDatabase } from "./database.js";

const BUDGETS = "/v1/api/public/budgets";
const DISTINCT = 1_000;

/** Reads of budgets from all over the database, made with the first `keys` keys. */
export function readsOfOurs({ firstId, budgets, keys: all }: OurDatabase, keys: number): Traffic {
  const step = budgets / DISTINCT;
  const requests = Array.from({ length: DISTINCT }, (_, index) =>
    get(`${BUDGETS}/${firstId + Math.floor(index * step)}`, all[index % keys]),
  );
  return { requests, expectedStatus: 200 };
}

/** One page of the list, again and again. */
export function listsOfOurs({ keys }: OurDatabase, query: string): Traffic {
  const requests = Array.from({ length: DISTINCT }, () => get(`${BUDGETS}?${query}`, keys[0]));
  return { requests, expectedStatus: 200 };
}

export function createsOfOurs({ keys }: OurDatabase): Traffic {
  const requests = Array.from({ length: DISTINCT }, () => create(keys[0]));
  return { requests, expectedStatus: 201 };
}

function create(key = ""): autocannon.Request {
  return {
    method: "POST",
    path: BUDGETS,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: newBudget,
  };
}
