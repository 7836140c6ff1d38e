import type { Route } from "../../packages/core/src/http/route.js";
import type { ShownRequest } from "./documented-exchange.js";
import { DOCUMENTED_REQUESTS } from "./documented-requests.js";
import type { DocumentedWorld } from "./documented-world.js";

/** The documented request of an operation, with the ids and tokens of a world. */
export function documentedRequest(route: Route, world: DocumentedWorld): ShownRequest {
  const request = DOCUMENTED_REQUESTS[route.operationId];
  if (request === undefined) throw new Error(`${route.operationId} has no documented request`);
  const [pattern] = route.paths;
  const parameters = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const path = Object.fromEntries(
    parameters.map((name) => {
      const known = request.path?.[name] ?? name;
      return [name, known.startsWith("=") ? known.slice(1) : world.named(known)];
    }),
  );
  const { query = {} } = request;
  const body = typeof request.body === "function" ? request.body(world.named) : request.body;
  const isForm = route.body.reading === "file";
  const mediaType = body === undefined ? null : isForm ? "multipart/form-data" : "application/json";
  const credential = route.auth.kind === "none" ? null : route.auth.kind === "key" ? "apiKey" : "login";
  return { method: route.method, pattern, path, query, headers: {}, mediaType, body, credential };
}
