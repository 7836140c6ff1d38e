import { expect } from "vitest";
import { ask } from "./api-client.js";
import type { CrashBusiness } from "./crash-business.js";

/** A webhook for every event, which is called again after delays of so many seconds. */
export async function createEndpoint(
  url: string,
  { loginToken }: CrashBusiness,
  destination: string,
  delaysSeconds: readonly number[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const input = { url: destination, retryPolicy: { delaysSeconds } };
  const created = await ask(url, loginToken, "POST", "/api/developer/webhooks", input);
  expect(created.status).toBe(201);
  return created.body;
}

/** How many deliveries of these lists still wait. */
export async function unfinishedIn(url: string, business: CrashBusiness, lists: readonly string[]): Promise<number> {
  const asked = lists.flatMap((list) => ["pending", "retrying"].map((status) => countIn(url, business, list, status)));
  return (await Promise.all(asked)).reduce((sum, count) => sum + count, 0);
}

/** How many deliveries of a list are in a status. */
export async function countIn(
  url: string,
  { loginToken }: CrashBusiness,
  list: string,
  status: string,
): Promise<number> {
  const { body } = await ask(url, loginToken, "GET", `${list}?status=${status}&limit=1`);
  return body.pagination.total;
}
