import { ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { hostId, SIZES } from "../kernel/fields.js";
import type { IdSource } from "../kernel/ids.js";
import type { Problem } from "../kernel/problem.js";
import type { CatalogStore, CustomerSummary, ProductSummary } from "./catalog-store.js";

/** What saving into the catalog works with. */
export interface CatalogContext {
  readonly store: CatalogStore;
  readonly ids: IdSource;
}

const MAX_EMAIL = 254;
const MAX_PHONE = 64;
const MAX_SKU = 64;

const name = z.string().min(1).max(SIZES.name);

export const saveCustomerSchema = z.object({
  id: hostId.optional(),
  name,
  email: z.email().max(MAX_EMAIL).nullable().default(null),
  phone: z.string().min(1).max(MAX_PHONE).nullable().default(null),
});

export const saveProductSchema = z.object({
  id: hostId.optional(),
  name,
  sku: z.string().min(1).max(MAX_SKU).nullable().default(null),
});

export type SaveCustomerInput = z.output<typeof saveCustomerSchema>;
export type SaveProductInput = z.output<typeof saveProductSchema>;

/**
 * Adds a customer to the actor's business, or replaces the one with that id. The host may bring its own id; without one
 * the service assigns it.
 */
export async function saveCustomer(
  context: CatalogContext,
  actor: Actor,
  input: SaveCustomerInput,
): Promise<Result<CustomerSummary, Problem>> {
  const customer = { ...input, id: input.id ?? (await context.ids.next()) };
  await context.store.saveCustomer(actor.businessId, customer);
  return ok(customer);
}

/** The same for a product. */
export async function saveProduct(
  context: CatalogContext,
  actor: Actor,
  input: SaveProductInput,
): Promise<Result<ProductSummary, Problem>> {
  const product = { ...input, id: input.id ?? (await context.ids.next()) };
  await context.store.saveProduct(actor.businessId, product);
  return ok(product);
}
