import type { Store } from "@budgetkit/core/store";
import { StartFailure } from "../terminal/failures.js";
import type { Database } from "./database-url.js";

/** The store of a database; its package is loaded only here. `clock` is for PostgreSQL. */
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

/** Error codes of PostgreSQL and of the network, in words for an operator who sets a URL. */
const IN_WORDS: Readonly<Record<string, string>> = {
  "28000": "PostgreSQL lets this user in neither with nor without a password",
  "28P01": "PostgreSQL refused the user or the password",
  "3D000": "PostgreSQL has no such database",
  "42501": "the user may not make or use the schema",
  EAI_AGAIN: "the name of the host cannot be resolved",
  ECONNREFUSED: "no PostgreSQL listens there",
  ENOENT: "no PostgreSQL listens there",
  ENOTFOUND: "there is no such host",
  ERR_INVALID_URL: "it is no URL; characters such as @ / : # ? in a password are written as %40 %2F %3A %23 %3F",
};

/** Throws a StartFailure with the reason why the store cannot be used. */
export function refuseDatabase(error: unknown): never {
  if (error instanceof StartFailure) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  const words = IN_WORDS[codeOf(error)] ?? IN_WORDS[codeOf(error instanceof Error ? error.cause : error)];
  throw new StartFailure(`DATABASE_URL cannot be used: ${words === undefined ? reason : `${words} (${reason})`}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
