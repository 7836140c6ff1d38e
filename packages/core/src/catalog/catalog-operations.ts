import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import type { Call } from "../kernel/call.js";
import {
  type CatalogContext,
  saveCustomer,
  saveCustomerSchema,
  saveProduct,
  saveProductSchema,
} from "./save-catalog.js";

/** The customers and products that budgets name, as a host keeps them without HTTP. */
export function createCatalogOperations(context: CatalogContext, call: Call) {
  return {
    saveCustomer: (actor: Actor, input: z.input<typeof saveCustomerSchema>) =>
      call.with(saveCustomerSchema, input, (parsed) => saveCustomer(context, actor, parsed)),
    saveProduct: (actor: Actor, input: z.input<typeof saveProductSchema>) =>
      call.with(saveProductSchema, input, (parsed) => saveProduct(context, actor, parsed)),
  };
}
export type CatalogOperations = ReturnType<typeof createCatalogOperations>;
