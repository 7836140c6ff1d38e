import type { CatalogStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresCatalog(_connection: Connection): CatalogStore {
  return {} as never; // to be written
}
