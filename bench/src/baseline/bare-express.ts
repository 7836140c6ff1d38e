import express from "express";
import { listenOn } from "../harness/listen-on.js";
import type { Listening, ServerOptions } from "../harness/server-protocol.js";
import { openBaseline } from "./database.js";
import { BUSINESS } from "./inserts.js";
import { prepareQueries } from "./queries.js";

/** Express 5 with one route that returns the JSON of one budget: no key, no database, no check. */
export async function listen({ path }: ServerOptions): Promise<Listening> {
  const database = openBaseline(path);
  const budget: unknown = JSON.parse(prepareQueries(database).budget(BUSINESS, 1) ?? "null");
  database.close();
  const app = express();
  app.get("/budgets/:id", (_request, response) => {
    response.json(budget);
  });
  return { port: await listenOn(app), synchronous: null };
}
