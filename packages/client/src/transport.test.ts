import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { type Budget, BudgetkitError, type Call, type Client, type ClientOptions, createClient } from "./index.js";

const NOW = Date.UTC(2026, 2, 2, 12);
const BUDGET = { customerId: "ana", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly afterMs: number;
}

type Reply = Response | Error | "nothing";

/** A client with scripted responses; the last one repeats. */
function clientOf(replies: readonly Reply[], options: Partial<ClientOptions> = {}): { client: Client; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const reply = replies[Math.min(sent.length, replies.length - 1)];
    const headers = new Headers(init?.headers);
    sent.push({ method: init?.method ?? "", url: String(url), headers, body: init?.body, afterMs: Date.now() - NOW });
    if (reply instanceof Response) return reply.clone();
    if (reply instanceof Error) throw reply;
    init?.signal?.throwIfAborted();
    return new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  };
  return {
    client: createClient({ baseUrl: "https://shop.example/v1", apiKey: "bgk_live_1", fetch, ...options }),
    sent,
  };
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

const OK = json(200, { data: { id: "1042" } });
const BUSY = { error: "rate_limit_exceeded", message: "Too many requests.", details: {} };
const unreachable = new TypeError("fetch failed");

/** The error of a call that fails, after all the time in the world. */
async function failureOf(call: Promise<unknown>): Promise<BudgetkitError> {
  const failed = call.then(
    () => null,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  const error = await failed;
  if (!(error instanceof BudgetkitError)) throw new Error(`no BudgetkitError: ${String(error)}`);
  return error;
}

async function settled<T>(call: Promise<T>): Promise<T> {
  call.catch(() => {});
  await vi.runAllTimersAsync();
  return call;
}

describe("A request of the client", () => {
  it("sends a request to the base URL, with the given query parameters only", async () => {
    const { client, sent } = clientOf([json(200, { data: [], pagination: {} })], {
      baseUrl: "https://shop.example/v1/",
    });
    await client.budgets.list({ status: "PENDING", search: "oak & ash", page: undefined, includeDeleted: true });
    expect(sent[0]?.url).toBe(
      "https://shop.example/v1/api/public/budgets?status=PENDING&search=oak+%26+ash&includeDeleted=true",
    );
  });

  it("sends the API key or the token that the operation needs, from a new call of its function", async () => {
    let asked = 0;
    const accessToken = async () => `token ${++asked}`;
    const { client, sent } = clientOf([OK], { accessToken });
    await client.budgets.get("1");
    await client.keys.get("1");
    await client.keys.get("2");
    await client.publicLinks.open("t");
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer bgk_live_1",
      "Bearer token 1",
      "Bearer token 2",
      null,
    ]);
  });

  it("sends the token where either serves and there is no API key", async () => {
    for (const apiKey of [undefined, ""]) {
      const { client, sent } = clientOf([OK], { apiKey, accessToken: "a token" });
      await client.budgets.get("1");
      await client.keys.get("1");
      expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer a token", "Bearer a token"]);
    }
  });

  it("keeps ids within their segment of the path", async () => {
    const { client, sent } = clientOf([OK]);
    await client.budgets.get("a/b?c");
    expect(sent[0]?.url).toBe("https://shop.example/v1/api/public/budgets/a%2Fb%3Fc");
    for (const id of ["", ".", ".."]) await expect(client.budgets.delete(id)).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(1);
  });

  it("sends a version as its number or its ETag in If-Match", async () => {
    const { client, sent } = clientOf([OK]);
    await client.budgets.update("1", {}, { ifMatch: 3 });
    await client.budgets.update("1", {}, { ifMatch: '"v3-0a1b2c3d"' });
    await client.budgets.update("1", {});
    expect(sent.map(({ headers }) => headers.get("if-match"))).toEqual(['"v3"', '"v3-0a1b2c3d"', null]);
  });

  it("sends empty headers, which the service refuses, instead of dropping a precondition or a key", async () => {
    const { client, sent } = clientOf([OK]);
    await client.budgets.submit("1", { ifMatch: "", idempotencyKey: "" });
    expect(["if-match", "idempotency-key"].map((name) => sent[0]?.headers.get(name))).toEqual(["", ""]);
  });

  it("types a call by its response", () => {
    expectTypeOf<Client["budgets"]["create"]>().returns.toEqualTypeOf<Call<Budget>>();
    expectTypeOf<Client["budgets"]["create"]>()
      .parameter(0)
      .toHaveProperty("customerId")
      .toEqualTypeOf<string | undefined>();
    expectTypeOf<Awaited<ReturnType<Client["budgets"]["delete"]>>["status"]>().toEqualTypeOf<"DELETED">();
  });
});

describe("An error of the client", () => {
  const fields = [{ field: "items", code: "MIN_LENGTH", message: "At least one." }];

  it.each([
    ["flat", { error: "validation_error", message: "Not valid.", details: { errors: fields } }, "MIN_LENGTH"],
    [
      "nested",
      { error: { code: "VALIDATION_ERROR", message: "Not valid.", details: [{ ...fields[0], code: undefined }] } },
      null,
    ],
    [
      "of RFC 9457",
      {
        type: "about:blank",
        title: "No",
        status: 400,
        detail: "Not valid.",
        code: "VALIDATION_ERROR",
        details: {},
        errors: fields,
      },
      "MIN_LENGTH",
    ],
  ])("reads the same members of an error from a body that is %s", async (_, body, code) => {
    const { client } = clientOf([json(400, body, { "x-request-id": "r1" })]);
    expect(await failureOf(client.budgets.create(BUDGET))).toMatchObject({
      name: "BudgetkitError",
      status: 400,
      code: "VALIDATION_ERROR",
      message: "Not valid.",
      rule: null,
      fieldErrors: [{ field: "items", code, message: "At least one." }],
      retryAfterMs: null,
      requestId: "r1",
    });
  });

  it.each([
    ["flat", { error: "validation_error", message: "No.", details: { rule: "INVALID_TRANSITION", from: "APPROVED" } }],
    ["nested", { error: { code: "VALIDATION_ERROR", message: "No.", details: [], rule: "INVALID_TRANSITION" } }],
    ["of RFC 9457", { detail: "No.", code: "VALIDATION_ERROR", details: { rule: "INVALID_TRANSITION" } }],
  ])("reads the broken rule (INVALID_TRANSITION) from an error body that is %s", async (_, body) => {
    const { client } = clientOf([json(422, body)]);
    expect(await failureOf(client.budgets.submit("1"))).toMatchObject({ status: 422, rule: "INVALID_TRANSITION" });
  });

  it.each([
    [502, "<h1>Bad gateway</h1>"],
    [404, '"gone"'],
    [500, "null"],
    [200, "<h1>Log in</h1>"],
    [200, '"fine"'],
  ])("reports a response (%i, %s) of another service (UNEXPECTED_ANSWER)", async (status, body) => {
    const { client } = clientOf([new Response(body, { status })], { retries: 0 });
    expect(await failureOf(client.budgets.get("1"))).toMatchObject({ status, code: "UNEXPECTED_ANSWER" });
  });

  it("reports a redirect of a write, also a hidden one (UNEXPECTED_ANSWER)", async () => {
    const hidden = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
    const fetch = vi.fn(async () => hidden);
    const { client } = clientOf([], { fetch });
    const error = await failureOf(client.budgets.create(BUDGET));
    expect(error).toMatchObject({ status: null, code: "UNEXPECTED_ANSWER" });
    expect(error.message).toMatch(/redirect.*baseUrl/);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it("reads the time to wait, in seconds or as a date (RATE_LIMIT_EXCEEDED)", async () => {
    for (const [header, retryAfterMs] of [
      ["90", 90_000],
      [new Date(NOW + 60_000).toUTCString(), 60_000],
      [new Date(NOW - 60_000).toUTCString(), 0],
      ["soon", null],
    ] as const) {
      vi.setSystemTime(NOW);
      const { client } = clientOf([json(429, BUSY, { "retry-after": header })], { retries: 0 });
      expect(await failureOf(client.budgets.get("1"))).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryAfterMs });
    }
  });

  it("tells an unreachable service (NETWORK_ERROR) from a timeout (TIMEOUT)", async () => {
    const gone = await failureOf(clientOf([unreachable]).client.budgets.get("1"));
    expect(gone).toMatchObject({ status: null, code: "NETWORK_ERROR", cause: unreachable });
    vi.setSystemTime(NOW);
    const { client, sent } = clientOf(["nothing"], { timeoutMs: 5_000 });
    expect(await failureOf(client.budgets.get("1"))).toMatchObject({ status: null, code: "TIMEOUT" });
    expect([Date.now() - NOW, sent.length]).toEqual([5_000, 1]);
  });

  it("rejects an aborted call with the caller's reason, also between two attempts", async () => {
    const controller = new AbortController();
    const { client } = clientOf(["nothing"]);
    const call = client.budgets.get("1", { signal: controller.signal });
    const reason = new Error("the page was left");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);

    const other = new AbortController();
    const waiting = clientOf([json(503, BUSY, { "retry-after": "20" })]);
    const paused = waiting.client.budgets.get("1", { signal: other.signal });
    paused.catch(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    other.abort(reason);
    await expect(paused).rejects.toBe(reason);
    expect(waiting.sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("rejects only the promise that the caller uses", async () => {
    const unheard: unknown[] = [];
    const note = (error: unknown) => unheard.push(error);
    process.on("unhandledRejection", note);
    const { client } = clientOf([json(404, {})]);
    await expect(client.budgets.get("1").withResponse()).rejects.toThrow();
    await expect(client.budgets.get("1")).rejects.toThrow();
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unheard).toEqual([]);
  });
});

describe("A credential of the client", () => {
  const never = () => new Promise<string>(() => {});

  it("counts the wait for a credential towards the timeout of the call, also at a retry", async () => {
    const { client, sent } = clientOf([OK], { apiKey: never, timeoutMs: 5_000 });
    expect(await failureOf(client.budgets.get("1"))).toMatchObject({ status: null, code: "TIMEOUT" });
    expect([Date.now() - NOW, sent.length]).toEqual([5_000, 0]);

    vi.setSystemTime(NOW);
    const keys = [async () => "bgk_live_1", never];
    const repeated = clientOf([unreachable], { apiKey: () => (keys.shift() ?? never)(), timeoutMs: 5_000 });
    expect(await failureOf(repeated.client.budgets.get("1"))).toMatchObject({ code: "TIMEOUT" });
    expect([Date.now() - NOW, repeated.sent.length]).toEqual([5_000, 1]);
  });

  it("awaits no credential after an abort, and requests none for an aborted call", async () => {
    const controller = new AbortController();
    const apiKey = vi.fn(never);
    const { client, sent } = clientOf([OK], { apiKey });
    const reason = new Error("the page was left");
    const call = client.budgets.get("1", { signal: controller.signal });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect(client.budgets.get("1", { signal: controller.signal })).rejects.toBe(reason);
    expect([apiKey.mock.calls.length, sent.length, vi.getTimerCount()]).toEqual([1, 0, 0]);
  });

  it("rejects a call whose credential fails, and does not retry it (CREDENTIAL_ERROR)", async () => {
    const cause = new Error("the vault is closed");
    for (const fail of [
      async () => Promise.reject(cause),
      () => {
        throw cause;
      },
    ]) {
      const apiKey = vi.fn<() => Promise<string>>(fail);
      const { client, sent } = clientOf([OK], { apiKey });
      expect(await failureOf(client.budgets.get("1"))).toMatchObject({ status: null, code: "CREDENTIAL_ERROR", cause });
      expect([apiKey.mock.calls.length, sent.length]).toEqual([1, 0]);
    }
  });

  it("rejects with the service's own error when a credential is not refreshed", async () => {
    const refusal = new BudgetkitError({ status: 401, code: "UNAUTHORIZED", message: "Log in again." });
    const { client } = clientOf([OK], { accessToken: () => Promise.reject(refusal) });
    expect(await failureOf(client.keys.list())).toBe(refusal);
  });
});

describe("Retries of the client", () => {
  const keyOf = ({ headers }: Sent) => headers.get("idempotency-key");

  it("retries a write with one key for all attempts, and a new key for each call", async () => {
    const { client, sent } = clientOf([unreachable, json(503, BUSY), OK]);
    expect(await settled(client.budgets.create(BUDGET))).toEqual({ id: "1042" });
    expect(await settled(client.budgets.create(BUDGET))).toEqual({ id: "1042" });
    const keys = sent.map(keyOf);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[3]).not.toBe(keys[0]);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set([JSON.stringify(BUDGET)]));
  });

  it("retries with the caller's key", async () => {
    const { client, sent } = clientOf([unreachable, OK]);
    await settled(client.budgets.submit("1", { idempotencyKey: "order-1" }));
    expect(sent.map(keyOf)).toEqual(["order-1", "order-1"]);
  });

  it("retries no write without a key", async () => {
    const calls: ((client: Client) => Promise<unknown>)[] = [
      (client) => client.budgets.update("1", { notes: "a" }),
      (client) => client.budgets.delete("1"),
      (client) => client.auth.login({ email: "a@example.com", password: "b" }),
      (client) => client.publicLinks.accept("t", { version: 1 }),
      (client) => client.webhooks.test("1"),
      (client) => client.attachments.upload("1", new Blob(["a"])),
    ];
    for (const reply of [unreachable, json(503, BUSY, { "retry-after": "1" }), json(429, BUSY)]) {
      for (const call of calls) {
        const { client, sent } = clientOf([reply], { retries: 5 });
        await failureOf(call(client));
        expect(sent).toHaveLength(1);
        expect(sent[0]?.headers.has("idempotency-key")).toBe(false);
      }
    }
  });

  it("retries after Retry-After, or after an exponential wait", async () => {
    const asked = clientOf([json(429, BUSY, { "retry-after": "7" }), OK]);
    await settled(asked.client.budgets.get("1"));
    expect(asked.sent.map(({ afterMs }) => afterMs)).toEqual([0, 7_000]);
    vi.setSystemTime(NOW);
    const unasked = clientOf([unreachable], { retries: 8, timeoutMs: 60_000 });
    await failureOf(unasked.client.budgets.get("1"));
    expect(unasked.sent.map(({ afterMs }) => afterMs)).toEqual([0, 125, 375, 875, 1_875, 3_875, 7_875, 11_875, 15_875]);
  });

  it("retries with jitter, so that clients do not retry together", async () => {
    vi.mocked(Math.random).mockReturnValue(0.5);
    const asked = clientOf([json(503, BUSY, { "retry-after": "7" }), unreachable, OK]);
    await settled(asked.client.budgets.get("1"));
    expect(asked.sent.map(({ afterMs }) => afterMs)).toEqual([0, 7_500, 7_875]);
  });

  it("retries as often as configured, or not at all", async () => {
    for (const [client, call, requests] of [
      [{}, {}, 3],
      [{ retries: 4 }, {}, 5],
      [{ retries: 4 }, { retries: 1 }, 2],
      [{ retries: 0 }, {}, 1],
      [{}, { retries: 0 }, 1],
    ] as const) {
      vi.setSystemTime(NOW);
      const each = clientOf([unreachable], client);
      await failureOf(each.client.budgets.get("1", call));
      expect(each.sent).toHaveLength(requests);
    }
  });

  it("retries within the timeout of the call only", async () => {
    const { client, sent } = clientOf([json(429, BUSY, { "retry-after": "31" })]);
    expect(await failureOf(client.budgets.get("1"))).toMatchObject({ status: 429, retryAfterMs: 31_000 });
    expect([sent.length, Date.now() - NOW]).toEqual([1, 0]);
    const patient = clientOf([json(429, BUSY, { "retry-after": "3000" }), OK], { timeoutMs: Infinity });
    vi.setSystemTime(NOW);
    await settled(patient.client.budgets.get("1"));
    expect(patient.sent.map(({ afterMs }) => afterMs)).toEqual([0, 3_000_000]);
  });

  it("retries no error that a retry cannot fix", async () => {
    for (const status of [400, 401, 403, 404, 409, 412, 422, 500, 501]) {
      const { client, sent } = clientOf([json(status, BUSY)]);
      await failureOf(client.budgets.create(BUDGET));
      expect(sent).toHaveLength(1);
    }
  });

  it("retries a 409, since a lost attempt may still be running", async () => {
    const underWay = json(409, { detail: "Under way.", code: "CONFLICT", details: {} });
    const { client, sent } = clientOf([unreachable, underWay, OK]);
    expect(await settled(client.budgets.create(BUDGET))).toEqual({ id: "1042" });
    expect(sent).toHaveLength(3);
  });

  it("leaves no timer behind after a retry", async () => {
    const { client } = clientOf([unreachable, OK]);
    const call = client.budgets.get("1");
    await vi.advanceTimersByTimeAsync(125);
    await call;
    expect(vi.getTimerCount()).toBe(0);
  });
});
