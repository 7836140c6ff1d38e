import { EVENT_TYPES } from "@budgetkit/core";
import { expect, it } from "vitest";
import type { Route } from "../packages/core/src/http/route.js";
import { routes } from "../packages/core/src/http/route-table.js";
import { sendShown } from "./documented-exchange.js";
import { DOCUMENTED_REQUESTS } from "./documented-requests.js";
import { causeEveryEvent, type DocumentedWorld, inDocumentedWorld } from "./documented-world.js";
import { hosts } from "./http-hosts.js";

const FILE = "../packages/core/src/http/openapi/examples.ts";

it("The examples of the description are what the service answers; `npm test -- openapi-examples -u` regenerates them", async () => {
  const operations: Record<string, unknown> = {};
  for (const route of routes) {
    const record = async (world: DocumentedWorld) => {
      operations[route.operationId] = await exampleOf(route, world);
    };
    await inDocumentedWorld(hosts.fetch, record, route.operationId);
  }
  const lines = [
    "// Recorded by tests/openapi-examples.test.ts, which fails when an answer is another one.",
    'import type { OperationExample } from "./request.js";',
    "",
    ...table("operationExamples(): Readonly<Record<string, OperationExample>>", operations),
    ...table("callbackExamples(): Readonly<Record<string, unknown>>", await callbackExamples()),
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot(FILE);
});

/** A function, so that starting the service makes nothing of it. A line an entry: differences are seen entry by entry. */
function table(signature: string, entries: Readonly<Record<string, unknown>>): string[] {
  const body = Object.entries(entries).map(([name, each]) => `    ${JSON.stringify(name)}: ${JSON.stringify(each)},`);
  return [`export function ${signature} {`, "  return {", ...body, "  };", "}", ""];
}

async function exampleOf(route: Route, world: DocumentedWorld) {
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
  const { method } = route;
  const answer = await sendShown(world, { method, pattern, path, query, headers: {}, mediaType, body, credential });
  expect(answer.status, `${route.operationId}: ${answer.text}`).toBe(route.success.status);
  return { path, query, body, answer: route.download ? answer.text : shortened(route, JSON.parse(answer.text)) };
}

/** The description is no example of itself. */
function shortened(route: Route, answer: Readonly<Record<string, unknown>>): unknown {
  return route.operationId === "getOpenApi"
    ? { openapi: answer.openapi, info: answer.info, servers: answer.servers, paths: {} }
    : answer;
}

/** The first callback of each event. */
async function callbackExamples(): Promise<Record<string, unknown>> {
  const examples: Record<string, unknown> = {};
  await inDocumentedWorld(hosts.fetch, async (world) => {
    await causeEveryEvent(world);
    for (const { body } of world.calls) {
      const payload: { event: string } = JSON.parse(body);
      examples[payload.event] ??= payload;
    }
  });
  expect(Object.keys(examples).sort()).toEqual([...EVENT_TYPES].sort());
  return Object.fromEntries(EVENT_TYPES.map((event) => [event, examples[event]]));
}
