import { createServer, type RequestListener } from "node:http";
import { budgetkitExpress } from "@budgetkit/adapter-express";
import { budgetkitHono } from "@budgetkit/adapter-hono";
import type { BudgetService } from "@budgetkit/core";
import { toFetchHandler } from "@budgetkit/core/http";
import { overFetch, overSocket, type RunningHost, type StartHost } from "@budgetkit/testing";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";

/** What serves requests that come over a socket, behind each framework. */
export const listeners: Readonly<Record<"Hono" | "Express", (service: BudgetService) => RequestListener>> = {
  Hono: (service) => {
    const app = new Hono();
    app.route("/v1", budgetkitHono(service));
    // Its own Request and Response would replace the global ones in the whole test process.
    return getRequestListener(app.fetch, { overrideGlobalObjects: false });
  },
  Express: (service) => {
    const app = express();
    app.use("/v1", budgetkitExpress(service));
    return app;
  },
};

/** Every host that the interface is tested behind; the first has no socket. */
export const hosts: Readonly<Record<"fetch" | "Hono" | "Express", StartHost>> = {
  fetch: async (service) => ({
    send: overFetch(toFetchHandler(service.handle, { peerAddress: () => "127.0.0.1" })),
    close: async () => {},
  }),
  Hono: (service) => listen(listeners.Hono(service)),
  Express: (service) => listen(listeners.Express(service)),
};

/** Serves on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<RunningHost & { readonly port: number }> {
  const server = createServer(listener);
  server.keepAliveTimeout = 0; // never closes an idle connection just when a busy client uses it again
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return {
    port: address.port,
    send: overSocket(`http://127.0.0.1:${address.port}`),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
