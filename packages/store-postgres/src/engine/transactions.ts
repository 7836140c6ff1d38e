import type { Pool, PoolClient } from "pg";
import { asError } from "./failures.js";

/** Runs the work in a transaction of its own. A failure closes the connection, which undoes the work. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const ignore = () => {}; // a lost connection also rejects the statement under way
  client.on("error", ignore);
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    const outcome = await work(client);
    await client.query("COMMIT");
    return outcome;
  } catch (error) {
    failure = asError(error);
    throw error;
  } finally {
    if (failure === undefined) client.off("error", ignore);
    client.release(failure);
  }
}
