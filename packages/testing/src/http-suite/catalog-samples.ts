import type { Client } from "./client.js";
import { assertStatus } from "./samples.js";

export const CUSTOMERS = "/api/public/customers";
export const PRODUCTS = "/api/public/products";
export const PACKAGES = "/api/public/packages";

/** Numbers whose last digit checks the others. */
export const CUIT = "20-30123456-3";
export const CUIT_DIGITS = "20301234563";

/** Creates a record from a body that is valid and gives its id. */
export async function createIn(client: Client, path: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  const created = assertStatus(await client.post(path, body), 201);
  return created.text("data.id");
}
