import type { Scope } from "@budgetkit/core/store";
import type { Client } from "./client.js";
import { assertStatus } from "./samples.js";
import type { KeyClient, World } from "./world.js";

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

/** What the three kinds of record have in common, over HTTP. */
export interface Kind {
  readonly name: string;
  readonly path: string;
  readonly scopes: readonly [read: Scope, write: Scope];
  /** A body that is valid once `prepare` has run. */
  body(overrides?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  prepare(client: Client): Promise<void>;
}

export const KINDS: readonly Kind[] = [
  {
    name: "customer",
    path: CUSTOMERS,
    scopes: ["READ_CUSTOMERS", "WRITE_CUSTOMERS"],
    body: (overrides) => ({ name: "Bruno", ...overrides }),
    prepare: async () => {},
  },
  {
    name: "product",
    path: PRODUCTS,
    scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"],
    body: (overrides) => ({ name: "Oak table", ...overrides }),
    prepare: async () => {},
  },
  {
    name: "package",
    path: PACKAGES,
    scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"],
    body: (overrides) => ({ name: "Dining room", items: [{ productId: "p-1", quantity: 1 }], ...overrides }),
    prepare: async (client) => void (await createIn(client, PRODUCTS, { id: "p-1", name: "Table" })),
  },
];

/** A client that may do everything with records of the kind, and what packages need to be there. */
export async function clientFor({ withKey }: World, { scopes, prepare }: Kind): Promise<KeyClient> {
  const client = await withKey({ scopes: [...scopes] });
  await prepare(client);
  return client;
}
