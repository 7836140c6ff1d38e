import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { hostId, SIZES } from "../kernel/fields.js";
import type { IdSource } from "../kernel/ids.js";
import type { Problem } from "../kernel/problem.js";
import { parseInput } from "../kernel/validation.js";
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

const customerSchema = z.object({
  id: hostId.optional(),
  name,
  email: z.email().max(MAX_EMAIL).nullable().default(null),
  phone: z.string().min(1).max(MAX_PHONE).nullable().default(null),
});

const productSchema = z.object({
  id: hostId.optional(),
  name,
  sku: z.string().min(1).max(MAX_SKU).nullable().default(null),
});

export type SaveCustomerInput = z.input<typeof customerSchema>;
export type SaveProductInput = z.input<typeof productSchema>;

/**
 * Adds a customer to the actor's business, or replaces the one with that id. The host may bring its own id; without one
 * the service assigns it. Errors: invalid.
 */
export async function saveCustomer(
  context: CatalogContext,
  actor: Actor,
  input: SaveCustomerInput,
): Promise<Result<CustomerSummary, Problem>> {
  const parsed = parseInput(customerSchema, input);
  if (parsed.isErr()) return err(parsed.error);
  const customer = { ...parsed.value, id: parsed.value.id ?? (await context.ids.next()) };
  await context.store.saveCustomer(actor.businessId, customer);
  return ok(customer);
}

/** The same for a product. Errors: invalid. */
export async function saveProduct(
  context: CatalogContext,
  actor: Actor,
  input: SaveProductInput,
): Promise<Result<ProductSummary, Problem>> {
  const parsed = parseInput(productSchema, input);
  if (parsed.isErr()) return err(parsed.error);
  const product = { ...parsed.value, id: parsed.value.id ?? (await context.ids.next()) };
  await context.store.saveProduct(actor.businessId, product);
  return ok(product);
}
