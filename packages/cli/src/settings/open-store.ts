import type { Store } from "@budgetkit/core/store";
import type { PostgresStoreOptions } from "@budgetkit/store-postgres";
import { StartFailure } from "../terminal/failures.js";
import type { Database } from "./database-url.js";

/** For PostgreSQL. */
export interface StoreSettings {
  readonly clock?: "database" | "caller";
  /** Distributes the tables at the next migration. Default: as they are. */
  readonly distribute?: boolean;
}

/** The store of a database. Throws a StartFailure for a URL that cannot be used. */
export async function openStore(
  database: Database,
  { clock = "database", distribute = false }: StoreSettings = {},
): Promise<Store> {
  const distributed = distribute || (await isDistributed(database));
  return newStore(database, { clock, distributed }).catch(refuseDatabase);
}

/** A database that cannot be reached fails at the first use. */
async function isDistributed(database: Database): Promise<boolean> {
  if (database.kind !== "postgres") return false;
  const store = await import("@budgetkit/store-postgres");
  return store.isDistributed(database.url).catch(() => false);
}

/** What is wrong with the URL of a PostgreSQL, whether or not a server answers there; null = nothing. */
export async function problemOfUrl(database: Database): Promise<string | null> {
  if (database.kind !== "postgres") return null;
  try {
    await (await newStore(database, {})).close(); // it has not connected
    return null;
  } catch (error) {
    return `cannot be used: ${reasonInWords(error)}`;
  }
}

/** The package of a store is loaded only here. */
async function newStore(database: Database, options: PostgresStoreOptions): Promise<Store> {
  if (database.kind === "postgres") {
    const { postgresStore } = await import("@budgetkit/store-postgres");
    return postgresStore(database.url, options);
  }
  const { sqliteStore } = await import("@budgetkit/store-sqlite");
  return sqliteStore(database.kind === "file" ? database.path : ":memory:");
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
  throw new StartFailure(`DATABASE_URL cannot be used: ${reasonInWords(error)}`);
}

/** The reason why a store cannot be used. */
export function reasonInWords(error: unknown): string {
  const reason = (error instanceof Error ? error.message : String(error)) || codeOf(error); // of several addresses
  const words = IN_WORDS[codeOf(error)] ?? IN_WORDS[codeOf(error instanceof Error ? error.cause : error)];
  return words === undefined ? reason : `${words} (${reason})`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
