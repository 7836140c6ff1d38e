import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBudgetService } from "../../create-service.js";
import type { BudgetServiceOptions } from "../../service-options.js";
import { CHANNELS } from "../../telemetry/channels.js";
import type { Logger } from "../../telemetry/logger.js";
import { watch } from "../../testing/watched-channel.js";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

/** A service with one key, and its log lines. */
async function logged(options: Partial<BudgetServiceOptions> = {}) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const to = (level: string) => (line: object, message: string) => void lines.push({ level, message, ...line });
  const logger: Logger = { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") };
  const store = memoryStore();
  const secret = "a secret for tests that is long enough";
  const base = { store, secret, clock: manualClock(), random: seededRandom(3) };
  const service = createBudgetService({ ...base, logger, publicBaseUrl: "https://quotes.example/v1", ...options });
  onTestFinished(() => service.stop());
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"] as const;
  const key = (
    await service.keys.create(actor, { name: "shop", scopes: [...scopes], rateLimitPerHour: 2 })
  )._unsafeUnwrap();
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    service.fetch(
      new Request(`https://quotes.example/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return { lines, service, store, actor, key, ask };
}

describe("the log of a service", () => {
  it("has a line per request: route, outcome, size, caller and business", async () => {
    const { lines, ask, key, actor } = await logged();
    const response = await ask("GET", "/api/public/budgets?search=ana", {
      "x-request-id": "order-4711",
      traceparent: TRACEPARENT,
    });
    const { byteLength } = await response.arrayBuffer();
    expect(response.headers.get("x-request-id")).toBe("order-4711");
    expect(lines).toEqual([
      {
        level: "info",
        message: "request answered",
        requestId: "order-4711",
        method: "GET",
        route: "/api/public/budgets",
        status: 200,
        durationMs: 0,
        bytes: byteLength,
        businessId: actor.businessId,
        keyId: key.id,
        traceId: TRACE_ID,
      },
    ]);
  });

  it("contains no unknown path, unknown method or unauthenticated caller", async () => {
    const { lines, ask } = await logged();
    await ask("BREW", "/p/what-a-token", { authorization: "Bearer bgk_live_what" });
    expect(lines).toMatchObject([{ method: "_OTHER", route: null, status: 405 }]);
    expect(lines[0]).not.toHaveProperty("businessId");
    expect(JSON.stringify(lines)).not.toContain("what");
  });

  it("replaces an unsafe request id, in the log and in the response", async () => {
    const { lines, ask } = await logged();
    const response = await ask("GET", "/api/public/budgets", { "x-request-id": "a b" });
    expect(lines[0]?.requestId).toBe(response.headers.get("x-request-id"));
    expect(lines[0]?.requestId).toMatch(/^[\w-]{16}$/);
  });

  it("warns of requests refused by a limit", async () => {
    const { lines, ask } = await logged();
    for (let request = 0; request < 3; request += 1) await ask("GET", "/api/public/budgets");
    expect(lines.map(({ level, status }) => [level, status])).toEqual([
      ["info", 200],
      ["info", 200],
      ["warn", 429],
    ]);
    expect(lines[2]?.message).toBe("request refused by a limit");
  });

  it("has a failure with its cause, under the client's request id", async () => {
    const { lines, ask, store } = await logged();
    store.listBudgets = async () => {
      throw new Error("no rows", { cause: new Error("disk gone") });
    };
    const response = await ask("GET", "/api/public/budgets");
    expect(lines).toMatchObject([
      {
        level: "error",
        requestId: response.headers.get("x-request-id"),
        err: { message: "no rows", cause: { message: "disk gone" } },
      },
      { level: "info", requestId: response.headers.get("x-request-id"), status: 500 },
    ]);
  });

  it("does not fail a request when the logger throws", async () => {
    const errors: unknown[] = [];
    const full = () => {
      throw new Error("disk full");
    };
    const logger = { debug: full, info: full, warn: full, error: full };
    const { ask } = await logged({ logger, onError: (error) => errors.push(error) });
    expect((await ask("GET", "/api/public/budgets")).status).toBe(200);
    expect(errors).toContainEqual(expect.objectContaining({ message: "disk full" }));
  });
});

describe("the channel of requests", () => {
  it("reports a request with the attribute names of OpenTelemetry", async () => {
    const { ask, key, actor } = await logged();
    const observed = watch(CHANNELS.request, onTestFinished);
    const response = await ask("HEAD", "/api/public/budgets", { traceparent: TRACEPARENT });
    expect(observed.ended).toEqual([
      {
        attributes: {
          "http.request.method": "HEAD",
          "http.route": "/api/public/budgets",
          "url.scheme": "https",
          "http.response.status_code": 200,
          "http.response.body.size": 0,
          "budgetkit.request.id": response.headers.get("x-request-id"),
          "budgetkit.traceparent": TRACEPARENT,
          "budgetkit.business.id": actor.businessId,
          "budgetkit.key.id": key.id,
        },
        durationMs: 0,
      },
    ]);
  });

  it("reports an error of the service, and no route for an unknown path", async () => {
    const { ask, store } = await logged({ onError: () => {} });
    store.listBudgets = () => Promise.reject(new Error("no rows"));
    const observed = watch(CHANNELS.request, onTestFinished);
    await ask("GET", "/api/public/budgets");
    await ask("GET", "/nowhere");
    expect(observed.ended).toMatchObject([
      { attributes: { "http.response.status_code": 500, "error.type": "500" } },
      { attributes: { "http.response.status_code": 404 } },
    ]);
    expect(observed.ended[1]?.attributes).not.toHaveProperty("http.route");
  });
});

describe("the origin of a request", () => {
  const budget = { customerId: "ana", items: [{ description: "Chair", quantity: 1, unitPrice: 9 }] };
  const eventsOf = async ({ store, actor }: Awaited<ReturnType<typeof logged>>) => {
    const query = { type: null, subjectId: null, since: null, until: null, limit: 10, offset: 0 };
    return (await store.listEvents(actor.businessId, query)).entries;
  };

  it("is stored with its events and appears in no response", async () => {
    const world = await logged();
    const headers = { "x-request-id": "order-4711", traceparent: TRACEPARENT, tracestate: "vendor=1" };
    const made = await world.ask("POST", "/api/public/budgets", headers, budget);
    expect(made.status).toBe(201);
    const trace = { traceparent: TRACEPARENT, tracestate: "vendor=1" };
    const [latest] = await eventsOf(world);
    expect(latest).toMatchObject({ type: "budget.created", origin: { requestId: "order-4711", trace } });
    const listed = (await world.service.events.list(world.actor))._unsafeUnwrap();
    expect(JSON.stringify(listed)).not.toMatch(/order-4711|traceparent|vendor/);
  });

  it("has no trace without a valid one from the caller, unless the service starts traces", async () => {
    const world = await logged();
    await world.ask("POST", "/api/public/budgets", { traceparent: "00-what" }, budget);
    expect((await eventsOf(world))[0]?.origin?.trace).toBeNull();
    const starting = await logged({ startTraces: true });
    await starting.ask("POST", "/api/public/budgets", {}, budget);
    expect((await eventsOf(starting))[0]?.origin?.trace?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it("is set by a host that calls in process", async () => {
    const world = await logged();
    const origin = { requestId: "job-7", trace: null };
    (await world.service.budgets.create({ ...world.actor, origin }, budget))._unsafeUnwrap();
    expect((await eventsOf(world))[0]?.origin).toEqual(origin);
  });

  it("includes an acceptance through a public link", async () => {
    const world = await logged();
    const created = (await world.service.budgets.create(world.actor, budget))._unsafeUnwrap();
    const link = (await world.service.budgets.createPublicLink(world.actor, created.id))._unsafeUnwrap();
    const answer = { version: created.version + 1, name: "Ana" };
    const path = `/p/${link.publicToken}/decline`;
    expect((await world.ask("POST", path, { traceparent: TRACEPARENT }, answer)).status).toBe(200);
    const [latest] = await eventsOf(world);
    expect([latest?.type, latest?.origin?.trace?.traceparent]).toEqual(["budget.rejected", TRACEPARENT]);
    expect(JSON.stringify(world.lines)).not.toContain(link.publicToken);
  });
});
