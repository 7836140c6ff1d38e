import pg from "pg";

/**
 * A pool on a database that a test drops. `end` does not wait until the connections are closed: the server may still cut
 * one, and a pool throws that without a listener.
 */
export function testPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("error", () => {});
  return pool;
}
