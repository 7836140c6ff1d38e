import type { Actor } from "../kernel/actor.js";
import type { Call } from "../kernel/call.js";
import {
  type CatalogContext,
  type SaveCustomerInput,
  type SaveProductInput,
  saveCustomer,
  saveProduct,
} from "./save-catalog.js";

/** The customers and products that budgets name, as a host keeps them without HTTP. */
export function createCatalogOperations(context: CatalogContext, call: Call) {
  return {
    saveCustomer: (actor: Actor, input: SaveCustomerInput) => call.plain(() => saveCustomer(context, actor, input)),
    saveProduct: (actor: Actor, input: SaveProductInput) => call.plain(() => saveProduct(context, actor, input)),
  };
}
export type CatalogOperations = ReturnType<typeof createCatalogOperations>;
