import { randomBytes } from "node:crypto";
import { onClient } from "../harness/postgres.js";
import { type BaselineDatabase, hashOf } from "./database.js";
import { BUSINESS, sampleRows } from "./inserts.js";
import { POSTGRES_SCHEMA } from "./postgres-schema.js";
import { insertRows } from "./postgres-writes.js";

/** Fills an empty database with that many budgets and one key. */
export async function baselinePostgres(url: string, budgets: number): Promise<BaselineDatabase> {
  const key = `key_${randomBytes(24).toString("hex")}`;
  await onClient(url, async (client) => {
    await client.query(POSTGRES_SCHEMA);
    await client.query("INSERT INTO api_keys (business_id, key_hash) VALUES ($1, $2)", [BUSINESS, hashOf(key)]);
    await client.query("BEGIN");
    for (let index = 0; index < budgets; index += 1) await insertRows(client, sampleRows(index));
    await client.query("COMMIT");
    await client.query("VACUUM ANALYZE");
  });
  return { path: url, budgets, keys: [key] };
}
