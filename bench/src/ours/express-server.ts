import { budgetkitExpress } from "@budgetkit/adapter-express";
import express from "express";
import { listenOn } from "../harness/listen-on.js";
import type { Listening, ServerOptions } from "../harness/server-protocol.js";
import { openService } from "./service.js";

/** The whole stack on Express 5. */
export async function listen({ path, limiter }: ServerOptions): Promise<Listening> {
  const { service, synchronous } = openService(path, limiter);
  await service.start();
  const app = express();
  app.use("/v1", budgetkitExpress(service));
  return { port: await listenOn(app), synchronous };
}
