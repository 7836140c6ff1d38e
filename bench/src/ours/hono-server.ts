import { budgetkitHono } from "@budgetkit/adapter-hono";
import type { BudgetService } from "@budgetkit/core";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { Listening, ServerOptions } from "../harness/server-protocol.js";
import { openService } from "./service.js";

/** The whole stack on Hono. */
export async function listen({ path, limiter }: ServerOptions): Promise<Listening> {
  const { service, synchronous } = openService(path, limiter);
  return { port: await serveOnHono(service), synchronous };
}

/** Starts the service, serves it on a free port, and gives the port. */
export async function serveOnHono(service: BudgetService): Promise<number> {
  await service.start();
  const app = new Hono();
  app.route("/v1", budgetkitHono(service));
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => resolve(port));
  });
}
