import { EVENT_TYPES } from "@budgetkit/core";
import { expect, it } from "vitest";
import type { Route } from "../../packages/core/src/http/route.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { hosts } from "../hosts/http-hosts.js";
import { documentedRequest } from "../operations/documented-call.js";
import { sendShown } from "../operations/documented-exchange.js";
import {
  canShareWorld,
  causeEveryEvent,
  type DocumentedWorld,
  inDocumentedWorld,
} from "../operations/documented-world.js";

const FILE = "../../packages/core/src/http/openapi/examples.ts";

it("The examples of the description are what the service answers; `npm test -- tests/openapi/examples -u` regenerates them", async () => {
  const recorded = new Map<string, unknown>();
  const record = async (route: Route, world: DocumentedWorld) => {
    recorded.set(route.operationId, await exampleOf(route, world));
  };
  for (const route of routes.filter((each) => !canShareWorld(each))) {
    await inDocumentedWorld(hosts.fetch, (world) => record(route, world), route.operationId);
  }
  await inDocumentedWorld(hosts.fetch, async (world) => {
    for (const route of routes.filter(canShareWorld)) await record(route, world);
  });
  const operations = Object.fromEntries(routes.map(({ operationId }) => [operationId, recorded.get(operationId)]));
  const lines = [
    "// Recorded by tests/openapi/examples.test.ts, which fails when an answer is another one.",
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
  const shown = documentedRequest(route, world);
  const answer = await sendShown(world, shown);
  expect(answer.status, `${route.operationId}: ${answer.text}`).toBe(route.success.status);
  const { path, query, body } = shown;
  return {
    path,
    query,
    body,
    answer: route.download ? answer.text : shortened(route, JSON.parse(answer.text)),
  };
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
