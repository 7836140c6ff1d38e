import { createServer, type IncomingMessage, request as openRequest, type RequestOptions } from "node:http";
import type { ApiRequest, ApiResponse, ApiService } from "@budgetkit/core/http";
import express, { type Express } from "express";
import { describe, expect, it } from "vitest";
import { budgetkitExpress } from "./index.js";

/** A service that answers with what it was asked. */
const echo: ApiService = {
  handle: async (request) => ({
    status: 200,
    headers: {
      "x-method": request.method,
      "x-authorization": String(request.header("authorization")),
      "x-encoding": String(request.header("content-encoding")),
      "x-peer": String(request.peerAddress),
    },
    body: request.target,
  }),
};

/** A service that answers with the body, of which it reads no more than 20 bytes. */
const reading: ApiService = { handle: bodyOf };

async function bodyOf(request: ApiRequest): Promise<ApiResponse> {
  const bytes = await request.readBody(20);
  return { status: 200, headers: {}, body: bytes === "too-large" ? bytes : new TextDecoder().decode(bytes) };
}

/** A service that sends the body back as it comes. */
const mirror: ApiService = { handle: async (request) => ({ status: 200, headers: {}, body: request.streamBody() }) };

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Serves `app` for the time of `run`. */
async function serving(
  app: Express,
  run: (ask: (path: string, options?: RequestOptions, body?: string) => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    await run(
      (path, options = {}, body) =>
        new Promise((resolve, reject) => {
          const outgoing = openRequest({ host: "127.0.0.1", port, path, agent: false, ...options });
          outgoing.on("error", reject);
          outgoing.on("response", async (incoming) => {
            let text = "";
            for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
            resolve({ status: incoming.statusCode, headers: incoming.headers, text });
          });
          outgoing.end(body);
        }),
    );
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const JSON_POST = { method: "POST", headers: { "content-type": "application/json" } };

describe("budgetkitExpress", () => {
  it("Express adapter answers everything below the prefix that it is mounted under, as it was sent", async () => {
    const app = express();
    app.use("/shop/v1", budgetkitExpress(echo));
    await serving(app, async (ask) => {
      for (const rest of ["/api/public/budgets?page=2&x=%2F", "/a%2Fb%20c", "//a/", "/public/../secret", "/%zz"]) {
        expect((await ask(`/shop/v1${rest}`)).text).toBe(rest);
      }
      expect((await ask("/shop/v1")).text).toBe("/");
      expect((await ask("/shop/v1?a=b")).text).toBe("/?a=b");
      expect((await ask("/other")).status).toBe(404);
    });
  });

  it("Express adapter hands over method, address and every line of a header", async () => {
    const app = express();
    app.use(budgetkitExpress(echo));
    await serving(app, async (ask) => {
      const headers = ["host", "127.0.0.1", "authorization", "Bearer a", "authorization", "Bearer b"];
      const answer = await ask("/", { method: "DELETE", headers });
      expect(answer.headers["x-method"]).toBe("DELETE");
      expect(answer.headers["x-authorization"]).toBe("Bearer a, Bearer b");
      expect(answer.headers["x-peer"]).toBe("127.0.0.1");
      expect((await ask("/", { method: "HEAD" })).text).toBe("");
    });
  });

  it("Express adapter reads a body up to the limit, with or without a Content-Length", async () => {
    const app = express();
    app.use(budgetkitExpress(reading));
    await serving(app, async (ask) => {
      expect((await ask("/", JSON_POST, '{"a":1}')).text).toBe('{"a":1}');
      expect((await ask("/", JSON_POST)).text).toBe("");
      const long = "x".repeat(300_000);
      expect((await ask("/", { ...JSON_POST, headers: { "content-length": long.length } }, long)).text).toBe(
        "too-large",
      );
      expect((await ask("/", { ...JSON_POST, headers: { "transfer-encoding": "chunked" } }, long)).text).toBe(
        "too-large",
      );
    });
  });

  it("Express adapter uses a body that the host has parsed", async () => {
    const app = express();
    app.use(express.json(), express.urlencoded(), express.text(), express.raw());
    app.use("/read", budgetkitExpress(reading));
    app.use("/echo", budgetkitExpress(echo));
    const post = (type: string) => ({ method: "POST", headers: { "content-type": type } });
    await serving(app, async (ask) => {
      expect((await ask("/read", JSON_POST, '{ "a": [1, "ñ"] }')).text).toBe('{"a":[1,"ñ"]}');
      expect((await ask("/read", JSON_POST, `{"a":"${"x".repeat(30)}"}`)).text).toBe("too-large");
      const form = post("application/x-www-form-urlencoded");
      expect((await ask("/read", form, "a=1&b=x+y&a=2")).text).toBe("a=1&a=2&b=x+y");
      expect((await ask("/read", post("text/plain"), "plain")).text).toBe("plain");
      expect((await ask("/read", post("application/octet-stream"), "bytes")).text).toBe("bytes");
      const empty = { method: "POST", headers: { ...JSON_POST.headers, "content-length": 0 } };
      expect((await ask("/read", empty)).text).toBe("");
      const identity = { method: "POST", headers: { ...JSON_POST.headers, "content-encoding": "identity" } };
      expect((await ask("/echo", identity, "{}")).headers["x-encoding"]).toBe("null");
    });
  });

  it("Express adapter refuses a body that was read before and discarded", async () => {
    const app = express();
    app.use((request, _response, next) => {
      request.resume().on("end", () => next());
    });
    app.use(
      budgetkitExpress({
        handle: async (request) => ({
          status: 200,
          headers: {},
          body: await request.readBody(20).then(String, (error: Error) => error.message),
        }),
      }),
    );
    await serving(app, async (ask) => {
      expect((await ask("/", JSON_POST, "{}")).text).toContain("by a middleware that leaves nothing in req.body");
    });
  });

  it("Express adapter hands a body over as it arrives, that of a parser of bytes as well, and sends bytes back", async () => {
    const app = express();
    app.use("/raw", express.raw({ type: "*/*", limit: "1mb" }));
    app.use(budgetkitExpress(mirror));
    await serving(app, async (ask) => {
      const long = "x".repeat(300_000);
      for (const path of ["/", "/raw"]) expect((await ask(path, JSON_POST, long)).text).toBe(long);
      expect((await ask("/", JSON_POST)).text).toBe("");
      const head = await ask("/", { method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
    });
  });

  it("Express adapter refuses the bytes of a body that a parser took apart", async () => {
    const app = express();
    app.use(express.json());
    app.use(
      budgetkitExpress({
        handle: async (request) => {
          const failure = await collect(request.streamBody()).then(String, (error: Error) => error.message);
          return { status: 200, headers: {}, body: failure };
        },
      }),
    );
    await serving(app, async (ask) => {
      expect((await ask("/", JSON_POST, "{}")).text).toContain("by a parser that leaves its result in req.body");
    });
  });

  it("Express adapter lets the rest of a body pass when no more of it is wanted", async () => {
    const app = express();
    app.use(
      budgetkitExpress({
        handle: async (request) => {
          for await (const _ of request.streamBody()) break;
          return { status: 413, headers: {}, body: "enough" };
        },
      }),
    );
    await serving(app, async (ask) => {
      const answer = await ask("/", JSON_POST, "x".repeat(5_000_000));
      expect([answer.status, answer.text]).toEqual([413, "enough"]);
    });
  });

  it("Express adapter gives an error of its own to the host", async () => {
    const app = express();
    app.use(budgetkitExpress({ handle: () => Promise.reject(new Error("broken")) }));
    app.use((_error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
      response.status(500).end("the host's page");
    });
    await serving(app, async (ask) => {
      expect(await ask("/")).toMatchObject({ status: 500, text: "the host's page" });
    });
  });
});
