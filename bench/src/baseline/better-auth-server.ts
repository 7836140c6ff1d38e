import express from "express";
import { listenOn } from "../harness/listen-on.js";
import type { Listening, ServerOptions } from "../harness/server-protocol.js";
import { openBetterAuth } from "./better-auth.js";
import { openBaseline } from "./database.js";
import { BUSINESS } from "./inserts.js";
import { prepareQueries } from "./queries.js";

/** Express 5 that asks better-auth for each request, and then reads like the hand-written server. */
export async function listen({ path }: ServerOptions): Promise<Listening> {
  const queries = prepareQueries(openBaseline(path));
  const { key, isValid } = await openBetterAuth(`${path}-accounts`);
  const app = express();
  app.get("/budgets/:id", (request, response, next) => {
    const answer = async () => {
      if (!(await isValid(request.headers.authorization?.slice("Bearer ".length) ?? ""))) {
        response.status(401).json({ error: "unauthorized" });
        return;
      }
      const body = queries.budget(BUSINESS, Number(request.params.id));
      response.type("json").send(body);
    };
    answer().catch(next);
  });
  return { port: await listenOn(app), synchronous: null, key };
}
