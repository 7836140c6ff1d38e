import pg from "pg";
import { startPostgres } from "../../../packages/store-postgres/src/testing/postgres-server.js";

/** Runs `use` with the address of a PostgreSQL of its own, whose commits wait for the disk. */
export async function withPostgres<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres({ isDurable: true });
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
}

/** Makes another database on the server, and gives its address. */
export async function newDatabase(url: string, name: string): Promise<string> {
  await onClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
  return url.replace("/postgres?", `/${name}?`);
}

/** Runs `use` on a connection of its own. */
export async function onClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs `use` with a pool of at most so many connections. */
export async function withPool<T>(url: string, max: number, use: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on("error", () => {}); // the end of the server may overtake that of an idle connection
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}
