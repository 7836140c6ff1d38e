import type { ClientBase } from "pg";
import { nameIn } from "./sql-names.js";

/**
 * Who works on a schema has a lock that many may share, until its connection ends: one that listens has it, and whoever
 * wants the schema to itself finds out. Nobody waits for it here.
 */
export async function shareSchema(client: ClientBase, schema: string): Promise<void> {
  await client.query("SELECT pg_try_advisory_lock_shared(hashtextextended($1, 0))", [lockOf(schema)]);
}

/** Waits, as long as lock_timeout says, until nobody else works on the schema; from then on nobody shares it. */
export async function haveSchemaAlone(client: ClientBase, schema: string): Promise<void> {
  await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [lockOf(schema)]);
}

function lockOf(schema: string): string {
  return nameIn(schema)("@stores");
}
