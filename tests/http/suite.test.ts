import { createBudgetService } from "@budgetkit/core";
import { httpSuite, memoryStore, SCALE, type StartHost } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { writeDescription } from "../../packages/core/src/http/openapi/document.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { createRouter, withoutVersion } from "../../packages/core/src/http/router.js";
import { hosts } from "../hosts/http-hosts.js";
import { readDocumentation } from "../operations/documented-answers.js";
import { recordTelemetry } from "./logged-secrets.js";
import { shareOfCases } from "./share-of-cases.js";

/** The ids of the operations that answered with success; the suite checks each answer against its schema. */
const succeeded = new Set<string>();
const router = createRouter(routes);
const { checkAnswer } = readDocumentation(writeDescription("https://quotes.example/v1").text);

const telemetry = recordTelemetry();
let recordsByChannel: () => Record<string, number> = () => ({});
beforeAll(() => {
  const ends: (() => void)[] = [];
  recordsByChannel = telemetry.subscribe((stop) => ends.push(stop));
  return () => {
    for (const end of ends) end();
  };
});

/** A host that records its successes and secrets, and checks every answer against the OpenAPI document. */
function recording(start: StartHost): StartHost {
  return async (service) => {
    const host = await start(service);
    return {
      ...host,
      send: async (request) => {
        const response = await host.send(request);
        telemetry.record(request, response);
        checkAnswer(request, response);
        const match = router.match(request.method, withoutVersion(request.path.split("?")[0] ?? ""));
        if (match.kind === "found" && response.status < 300) succeeded.add(match.route.operationId);
        return response;
      },
    };
  };
}

/**
 * The suite on one host takes twenty seconds. A small run gives every other case to Express and the rest to Hono, and leaves
 * the handler for fetch to identical.test.ts, which compares every host.
 */
const isFull = SCALE === "full";
const { fetch, ...frameworks } = hosts;

for (const [index, [name, start]] of Object.entries(isFull ? hosts : frameworks).entries()) {
  const runner = isFull ? { describe, it } : shareOfCases({ it }, Object.keys(frameworks).length, index);
  const service = { logger: telemetry.logger };
  describe(`HTTP behind ${name}`, () => httpSuite(runner, recording(start), { service }));
}

describe("The HTTP suite", () => {
  it("the HTTP suite gets a success from every operation", () => {
    expect(routes.map(({ operationId }) => operationId).filter((name) => !succeeded.has(name))).toEqual([]);
  });
});

describe("What the HTTP suite logged and published", () => {
  it("the HTTP suite logs at every level and publishes on every channel", () => {
    const counts = recordsByChannel();
    for (const level of ["info", "warn", "error"]) expect(telemetry.lines[level], level).toBeGreaterThan(0);
    for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0);
    expect(Object.keys(counts)).toHaveLength(3);
  });

  it("logs and channels of the HTTP suite hold no credential, no body, no query and no secret", () => {
    recordsByChannel(); // collects the records
    expect(telemetry.leaks()).toEqual([]);
    expect(telemetry.secrets()).toBeGreaterThan(200);
  });
});

/** Paths that name a route once their dot segments are resolved. A standard Request resolves them itself. */
const DOTTED = [
  "/v1/api/public/budgets/x/../1",
  "/v1/api/public/budgets/./1",
  "/v1/api/public/nowhere/../budgets",
  "/v1/api/public/nowhere/%2e%2E/budgets",
  "/v1/p/x/../../api-keys",
];

const socketHosts = [
  ["Hono", hosts.Hono],
  ["Express", hosts.Express],
] as const;

describe.each(socketHosts)("Targets behind %s", (_name, start) => {
  it.each(["http://host.example/v1/?a=b", "http://host.example/v1", "/v1/#/api-keys", "/v1?a=b#c"])(
    "finds the root of %s",
    async (path) => {
      const store = memoryStore();
      const host = await start(createBudgetService({ store, secret: "a secret for tests that is long enough" }));
      try {
        const answer = await host.send({ method: "GET", path, headers: {}, body: null });
        expect([answer.status, answer.text]).toEqual([200, '{"name":"Budgetkit","version":"1.1.0"}']);
      } finally {
        await host.close();
        await store.close();
      }
    },
  );
});

describe.each(socketHosts)("Dot segments behind %s", (_name, start) => {
  it.each(DOTTED)("finds nothing at %s, which has dot segments (404)", async (path) => {
    const store = memoryStore();
    const host = await start(createBudgetService({ store, secret: "a secret for tests that is long enough" }));
    try {
      // A route would answer 401: each of them requires a credential.
      expect((await host.send({ method: "GET", path, headers: {}, body: null })).status).toBe(404);
    } finally {
      await host.close();
      await store.close();
    }
  });
});
