import { expect } from "vitest";
import { ask } from "../../programs/api-client.js";
import type { CrashBusiness } from "./business.js";

/** Creates a webhook for every event, with the delays of its attempts. */
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

/** The number of deliveries in these lists that are pending or retrying. */
export async function unfinishedIn(url: string, business: CrashBusiness, lists: readonly string[]): Promise<number> {
  const asked = lists.flatMap((list) => ["pending", "retrying"].map((status) => countIn(url, business, list, status)));
  return (await Promise.all(asked)).reduce((sum, count) => sum + count, 0);
}

/** The number of deliveries of a list in a status. */
export async function countIn(
  url: string,
  { loginToken }: CrashBusiness,
  list: string,
  status: string,
): Promise<number> {
  const { body } = await ask(url, loginToken, "GET", `${list}?status=${status}&limit=1`);
  return body.pagination.total;
}
