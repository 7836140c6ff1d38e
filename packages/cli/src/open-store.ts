import type { Store } from "@budgetkit/core/store";
import type { Database } from "./database-url.js";
import { StartFailure } from "./start-failure.js";

/** The store of a database. What a store is made of is loaded when it is asked for. `clock` is for PostgreSQL. */
export async function openStore(database: Database, clock: "database" | "caller" = "database"): Promise<Store> {
  try {
    if (database.kind === "postgres") {
      const { postgresStore } = await import("@budgetkit/store-postgres");
      return postgresStore(database.url, { clock });
    }
    const { sqliteStore } = await import("@budgetkit/store-sqlite");
    return sqliteStore(database.kind === "file" ? database.path : ":memory:");
  } catch (error) {
    return refuseDatabase(error);
  }
}

export function refuseDatabase(error: unknown): never {
  throw new StartFailure(`DATABASE_URL cannot be used: ${error instanceof Error ? error.message : String(error)}`);
}
