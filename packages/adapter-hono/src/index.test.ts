import { EventEmitter, once } from "node:events";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import type { ApiRequest, ApiResponse, ApiService } from "@budgetkit/core/http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { budgetkitHono } from "./index.js";

/** A service that answers with what it was asked. */
const echo: ApiService = {
  handle: async (request) => ({
    status: 200,
    headers: { "x-method": request.method, "x-peer": String(request.peerAddress) },
    body: request.target,
  }),
};

async function targetAt(app: Hono, path: string, incomingUrl?: string): Promise<string> {
  const env = incomingUrl === undefined ? {} : { incoming: { url: incomingUrl } };
  return (await app.request(path, {}, env)).text();
}

describe("budgetkitHono", () => {
  it("Hono adapter answers everything below the prefix that it is mounted under", async () => {
    const app = new Hono().route("/v1", budgetkitHono(echo));
    expect(await targetAt(app, "/v1/api/public/budgets?page=2&x=%2F")).toBe("/api/public/budgets?page=2&x=%2F");
    expect(await targetAt(app, "/v1/a%2Fb%20c")).toBe("/a%2Fb%20c");
    expect(await targetAt(app, "/v1")).toBe("/");
    expect(await targetAt(app, "/v1?a=b")).toBe("/?a=b");
    expect(await targetAt(app, "/v1/")).toBe("/");
    expect(await targetAt(app, "/v1//a/")).toBe("//a/");
    expect((await app.request("/v2/a")).status).toBe(404);
  });

  it("Hono adapter mounts at the root, deep down, and under prefixes with parameters", async () => {
    expect(await targetAt(budgetkitHono(echo), "/v1/a?b=c")).toBe("/v1/a?b=c");
    expect(await targetAt(new Hono().route("/", budgetkitHono(echo)), "/v1/a")).toBe("/v1/a");
    expect(
      await targetAt(new Hono().basePath("/shop").route("/quotes/v1", budgetkitHono(echo)), "/shop/quotes/v1/a"),
    ).toBe("/a");
    const inner = new Hono().route("/v1", budgetkitHono(echo));
    expect(await targetAt(new Hono().route("/:tenant/quotes", inner), "/a%20b/quotes/v1/x")).toBe("/x");
  });

  it("Hono adapter runs behind the host's middleware", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      await next();
      context.header("x-host", "yes");
    });
    app.route("/v1", budgetkitHono(echo));
    const response = await app.request("/v1/a");
    expect([response.headers.get("x-host"), await response.text()]).toEqual(["yes", "/a"]);
  });

  it("Hono adapter passes on dot segments that the server read and the address has lost", async () => {
    const app = new Hono().route("/v1", budgetkitHono(echo));
    expect(await targetAt(app, "/v1/secret", "/v1/public/../secret")).toBe("/public/../secret");
    expect(await targetAt(app, "/v1/secret", "/v1/public/%2E%2e/secret?a=b")).toBe("/public/%2E%2e/secret?a=b");
    expect(await targetAt(app, "/v1/secret", "http://a.example/v1/public/../secret#b")).toBe("/public/../secret");
    expect(await targetAt(app, "/v1/rewritten", "/v1/original")).toBe("/rewritten");
  });

  it("Hono adapter hands over every method, and HEAD without a body", async () => {
    const app = new Hono().route("/v1", budgetkitHono(echo));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"]) {
      expect((await app.request("/v1/a", { method })).headers.get("x-method")).toBe(method);
    }
    const head = await app.request("/v1/a", { method: "HEAD" });
    expect([head.headers.get("x-method"), await head.text()]).toEqual(["HEAD", ""]);
  });

  it("Hono adapter takes the peer's address from the socket, or from where the host says", async () => {
    const app = new Hono().route("/v1", budgetkitHono(echo));
    const env = { incoming: { url: "/v1/a", socket: { remoteAddress: "192.0.2.1" } } };
    expect((await app.request("/v1/a", {}, env)).headers.get("x-peer")).toBe("192.0.2.1");
    expect((await app.request("/v1/a")).headers.get("x-peer")).toBe("null");
    const custom = new Hono().route("/v1", budgetkitHono(echo, { getPeerAddress: () => "192.0.2.2" }));
    expect((await custom.request("/v1/a")).headers.get("x-peer")).toBe("192.0.2.2");
  });

  it("Hono adapter reads a body up to the limit, even one that the host has read before", async () => {
    const limited: ApiService = { handle: sizeOfBody };
    const app = new Hono();
    app.use("/read/*", async (context, next) => {
      await context.req.json();
      await next();
    });
    for (const prefix of ["/read", "/unread"]) app.route(prefix, budgetkitHono(limited));
    for (const prefix of ["/read", "/unread"]) {
      const post = async (body: string) => (await app.request(prefix, { method: "POST", body })).text();
      expect(await post('{"a":1}')).toBe("7");
      expect(await post('{"a":12345}')).toBe("too-large");
    }
  });

  it("Hono adapter hands a body over as it arrives, one that the host has read before as well, and sends bytes back", async () => {
    const mirror: ApiService = {
      handle: async (request) => ({ status: 200, headers: {}, body: request.streamBody() }),
    };
    const app = new Hono();
    app.use("/read/*", async (context, next) => {
      await context.req.text();
      await next();
    });
    for (const prefix of ["/read", "/unread"]) app.route(prefix, budgetkitHono(mirror));
    const body = "x".repeat(300_000);
    for (const prefix of ["/read", "/unread"]) {
      expect(await (await app.request(prefix, { method: "POST", body })).text()).toBe(body);
    }
    expect(await (await app.request("/unread", { method: "POST" })).text()).toBe("");
  });

  it("Hono adapter serves the character for bytes that are not UTF-8, which the client sent itself, after c.req.text()", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      await context.req.text();
      await next();
    });
    app.route("/v1", budgetkitHono({ handle: textOfBody }));
    const sent = { method: "POST", body: "a\uFFFDb", headers: { "content-length": "5" } };
    expect(await (await app.request("/v1/a", sent)).text()).toBe("a\uFFFDb");
  });

  it("Hono adapter reads a large body whatever a middleware did with it", async () => {
    const app = new Hono();
    app.use("/upper/*", async (context, next) => {
      const { raw } = context.req;
      context.req.raw = new Request(raw, { body: raw.body?.pipeThrough(upperCase()) ?? null, duplex: "half" });
      await next();
    });
    app.use("/limited/*", bodyLimit({ maxSize: 1_000_000 }));
    app.use("/looked-at/*", async (context, next) => {
      expect(context.req.raw.body).not.toBeNull();
      await next();
    });
    app.use("/copied/*", async (context, next) => {
      const copy = context.req.raw.clone();
      await next();
      expect((await copy.text()) === body).toBe(true);
    });
    app.use("/read/*", async (context, next) => {
      expect((await context.req.text()) === body).toBe(true);
      await next();
    });
    const body = "abc".repeat(100_000);
    const sent: Readonly<Record<string, string>> = {
      "/plain": body,
      "/upper": body.toUpperCase(),
      "/limited": body,
      "/looked-at": body,
      "/copied": body,
      "/read": body,
    };
    for (const prefix of Object.keys(sent)) app.route(prefix, budgetkitHono({ handle: textOfBody }));
    const server = createServer(getRequestListener(app.fetch)).listen(0);
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = Object(server.address());
    for (const [prefix, expected] of Object.entries(sent)) {
      const response = await fetch(`http://127.0.0.1:${port}${prefix}/a`, { method: "POST", body });
      expect((await response.text()) === expected, prefix).toBe(true);
    }
  });

  describe("answers a request whose body is unread", () => {
    const app = new Hono().route("/v1", budgetkitHono(echo));
    const arriving = (headers: Record<string, string> = {}) =>
      Object.assign(new EventEmitter(), { url: "/v1/a", headers, complete: false, resume: () => {} });
    const post = (incoming: EventEmitter) => {
      let isAnswered = false;
      const answered = Promise.resolve(app.request("/v1/a", { method: "POST", body: "x" }, { incoming }));
      void answered.then(() => {
        isAnswered = true;
      });
      return { answered, isAnswered: () => isAnswered };
    };
    const someTurns = async () => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    };

    it.each(["end", "close"])("Hono adapter answers a request of unread body after its %s", async (event) => {
      const incoming = arriving();
      const { answered, isAnswered } = post(incoming);
      await someTurns();
      incoming.emit("data", new Uint8Array(1_000));
      await someTurns();
      expect(isAnswered()).toBe(false);
      incoming.emit(event);
      expect((await answered).status).toBe(200);
    });

    it("Hono adapter answers a request after its end, when a part was read", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout"] }); // not after the longest wait
      onTestFinished(() => void vi.useRealTimers());
      const limited = new Hono().route("/v1", budgetkitHono({ handle: sizeOfBody }));
      const server = createServer(getRequestListener(limited.fetch)).listen(0);
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      await once(server, "listening");
      const { port } = Object(server.address());
      const sent = request({ port, path: "/v1/a", method: "POST", headers: { "transfer-encoding": "chunked" } });
      for (let chunk = 0; chunk < 64; chunk += 1) sent.write(Buffer.alloc(64 * 1024));
      sent.end();
      const [response] = await once(sent, "response");
      expect(await text(response)).toBe("too-large");
    });

    it("Hono adapter answers a request at once when its body is too long to wait for", async () => {
      expect((await post(arriving({ "content-length": "1000000000" })).answered).status).toBe(200);
      const endless = arriving();
      const { answered } = post(endless);
      await someTurns();
      for (let sent = 0; sent < 34; sent += 1) endless.emit("data", { length: 1024 * 1024 });
      expect((await answered).status).toBe(200);
    });
  });
});

async function sizeOfBody(request: ApiRequest): Promise<ApiResponse> {
  const bytes = await request.readBody(10);
  return { status: 200, headers: {}, body: bytes === "too-large" ? bytes : String(bytes.byteLength) };
}

async function textOfBody(request: ApiRequest): Promise<ApiResponse> {
  const bytes = await request.readBody(1_000_000);
  return { status: 200, headers: {}, body: bytes === "too-large" ? bytes : Buffer.from(bytes).toString() };
}

function upperCase() {
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => controller.enqueue(Buffer.from(Buffer.from(chunk).toString().toUpperCase())),
  });
}
