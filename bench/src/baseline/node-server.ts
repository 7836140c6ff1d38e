import type { IncomingMessage, ServerResponse } from "node:http";
import { listenOn } from "../harness/listen-on.js";
import type { Listening, ServerOptions } from "../harness/server-protocol.js";
import { prepareCreate } from "./create-budget.js";
import { openBaseline } from "./database.js";
import { prepareQueries } from "./queries.js";

/** node:http and better-sqlite3, and of everything else no more than a key. */
export async function listen({ path }: ServerOptions): Promise<Listening> {
  const database = openBaseline(path);
  const queries = prepareQueries(database);
  const create = prepareCreate(database);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const business = queries.businessOf(request.headers.authorization?.slice("Bearer ".length) ?? "");
    const url = request.url ?? "/";
    if (business === null) {
      send(response, 401, '{"error":"unauthorized"}');
    } else if (request.method === "POST") {
      readBody(request, (body) => send(response, 201, create(business, body)));
    } else if (url.startsWith("/budgets/")) {
      sendFound(response, queries.budget(business, Number(url.slice("/budgets/".length))));
    } else if (url.startsWith("/documents/")) {
      sendFound(response, queries.document(business, Number(url.slice("/documents/".length))));
    } else {
      send(response, 200, queries.list(business, new URLSearchParams(url.split("?")[1]).get("status")));
    }
  }

  return { port: await listenOn(answer), synchronous: Number(database.pragma("synchronous", { simple: true })) };
}

export function readBody(request: IncomingMessage, use: (body: string) => unknown): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => use(Buffer.concat(chunks).toString()));
}

export function sendFound(response: ServerResponse, body: string | null): void {
  if (body === null) send(response, 404, '{"error":"not_found"}');
  else send(response, 200, body);
}

export function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}
