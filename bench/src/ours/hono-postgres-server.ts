import type { Listening, ServerOptions } from "../harness/server-protocol.js";
import { serveOnHono } from "./hono-server.js";
import { openPostgresService } from "./postgres-service.js";

/** The whole stack on Hono, with its data in PostgreSQL. */
export async function listen({ path, limiter }: ServerOptions): Promise<Listening> {
  const { service } = openPostgresService(path, limiter);
  return { port: await serveOnHono(service), synchronous: null };
}
