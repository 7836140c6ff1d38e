import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { budgetkitExpress } from "@budgetkit/adapter-express";
import { budgetkitHono } from "@budgetkit/adapter-hono";
import { createBudgetService } from "@budgetkit/core";
import { type ManualClock, manualClock, memoryStore } from "@budgetkit/testing";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHttpServer, type Deadlines, type HttpServer } from "../../packages/cli/src/server/http-server.js";

const host = "127.0.0.1";

async function listening(
  clock?: ManualClock,
  deadlines?: Deadlines,
): Promise<{ server: HttpServer; port: number; url: string }> {
  const server = createHttpServer(deadlines, clock);
  const port = await server.listen(0, host);
  onTestFinished(() => server.close(0));
  return { server, port, url: `http://${host}:${port}` };
}

describe("the HTTP server around the application", () => {
  it("a server is alive from the start, and ready once its application is", async () => {
    const clock = manualClock();
    const { server, url } = await listening(clock);
    const statuses = () =>
      Promise.all(["/healthz", "/readyz?verbose", "/other"].map(async (path) => (await fetch(url + path)).status));
    expect(await statuses()).toEqual([200, 503, 503]);
    let findOutage: () => Promise<string | null> = async () => "the disk is full";
    server.serve({ listener: (_, response) => response.writeHead(418).end(), findOutage: () => findOutage() });
    expect(await statuses()).toEqual([200, 503, 418]);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "not ready", reason: "the disk is full" });
    findOutage = () => Promise.reject(new Error("away"));
    clock.advance(1_000);
    expect(await statuses()).toEqual([200, 503, 418]);
    findOutage = async () => null;
    clock.advance(1_000);
    expect(await statuses()).toEqual([200, 200, 418]);
    expect((await fetch(`${url}/readyz`, { method: "POST" })).status).toBe(418);
  });

  it("checks once a second whether the application is ready, however many probes arrive", async () => {
    const clock = manualClock();
    const { server, url } = await listening(clock);
    const findOutage = vi.fn(async () => null);
    server.serve({ listener: () => {}, findOutage });
    const probe = async () => (await fetch(`${url}/readyz`)).status;
    expect(await Promise.all([probe(), probe(), probe()])).toEqual([200, 200, 200]);
    clock.advance(999);
    expect(await probe()).toBe(200);
    expect(findOutage).toHaveBeenCalledTimes(1);
    clock.advance(1);
    expect(await probe()).toBe(200);
    expect(findOutage).toHaveBeenCalledTimes(2);
  });

  it.each(["", "Host:\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: a@b\r\n", "Host: a:99999\r\n", "Host: [a\r\n"])(
    "refuses the host in %j before the application sees it",
    async (line) => {
      const { server, port } = await listening();
      server.serve({ listener: (_, response) => response.writeHead(418).end(), findOutage: async () => null });
      for (const version of ["1.0", "1.1"]) {
        const client = await open(port);
        client.write(`GET /v1 HTTP/${version}\r\n${line}\r\n`);
        const received = await client.received();
        expect(received).toMatch(/^HTTP\/1\.1 400 .*^X-Request-Id: [\w-]{36}\r$/ims);
        expect(received).toContain('{"error":"validation_error","message":"');
      }
    },
  );

  it.each(["a", "A.example:3000", "127.0.0.1:80", "[::1]:3000", "a_b-c.example"])("accepts host %s", async (name) => {
    const { server, port } = await listening();
    server.serve({ listener: (_, response) => response.writeHead(418).end(), findOutage: async () => null });
    const client = await open(port);
    client.write(`GET /v1 HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    expect(await client.received()).toMatch(/^HTTP\/1\.1 418 /);
  });

  it("answers a target that is no path alike behind each framework", async () => {
    const service = createBudgetService({ store: memoryStore(), secret: "a secret for tests that is long enough" });
    const listeners = [
      express().disable("x-powered-by").use(budgetkitExpress(service)),
      getRequestListener(budgetkitHono(service).fetch, { overrideGlobalObjects: false }),
    ];
    const answersTo = async (line: string) => {
      const answers = listeners.map(async (listener) => {
        const { server, port } = await listening();
        server.serve({ listener, findOutage: async () => null });
        const client = await open(port);
        client.write(`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
        const received = await client.received();
        return [
          /^HTTP\/1\.1 (\d+) /.exec(received)?.[1],
          received.slice(received.indexOf("{"), received.lastIndexOf("}") + 1),
        ];
      });
      const [first, second] = await Promise.all(answers);
      expect(second, line).toEqual(first);
      return [first?.[0], JSON.parse(first?.[1] ?? "null")];
    };
    for (const [line, id] of [
      ["GET /v1\\x", "/v1%5Cx"],
      ["GET /v1/p/a\\..\\b?c=\\", "/p/a%5C..%5Cb"],
      ["OPTIONS *", "/*"],
      ["GET http://a/v1/x\\y", "/x%5Cy"],
    ] as const) {
      const answer = {
        error: "resource_not_found",
        message: "There is no such path.",
        details: { resource: "path", id },
      };
      expect(await answersTo(line), line).toEqual(["404", answer]);
    }
    expect((await answersTo("GET http://a/v1/api/public/budgets"))[0]).toBe("401");
  });

  it("answers a probe without a host", async () => {
    const { port } = await listening();
    const client = await open(port);
    client.write("GET /healthz HTTP/1.0\r\n\r\n");
    expect(await client.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("a server that closes is not ready", async () => {
    const { server, port } = await listening();
    server.serve({ listener: () => {}, findOutage: async () => null });
    const client = await open(port);
    client.write("GET /readyz HTTP/1.1\r\nHost: a\r\n"); // the rest comes when the server is closing
    await fetch(`http://${host}:${port}/healthz`);
    const closed = server.close(10_000);
    client.write("\r\n");
    expect(await client.received()).toMatch(
      /^HTTP\/1\.1 503 .*^Connection: close.*\{"status":"not ready","reason":"the server stops"\}$/ms,
    );
    await closed;
  });

  it("closes unused connections, and those between two requests", async () => {
    const { server, port } = await listening();
    const unused = await open(port);
    const used = await open(port);
    used.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await fetch(`http://${host}:${port}/healthz`);
    await server.close(10_000);
    expect(await unused.received()).toBe("");
    expect(await used.received()).toContain('{"status":"alive"}');
  });

  it("answers requests in flight on kept-alive connections, and closes these connections", async () => {
    const { server, port } = await listening();
    const clients = await Promise.all(Array.from({ length: 9 }, () => open(port)));
    for (const client of clients) client.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    for (const client of clients) await expect.poll(client.text).toContain('{"status":"alive"}');
    const closed = server.close(10_000);
    for (const client of clients) client.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    for (const client of clients) {
      const answers = (await client.received()).split(/^(?=HTTP)/m);
      expect(answers.map((answer) => /^Connection: .*$/m.exec(answer)?.[0])).toEqual([
        "Connection: keep-alive",
        "Connection: close",
      ]);
    }
    await closed;
  });

  it("cuts off a request that takes longer than allowed", async () => {
    const { server, port } = await listening();
    const begun = new Promise<void>((resolve) => {
      server.serve({ listener: () => resolve(), findOutage: async () => null });
    });
    const client = await open(port);
    client.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    await begun;
    await server.close(10);
    expect(await client.received()).toBe("");
  });

  describe("when a client is slow", () => {
    const POST = "POST /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n";
    const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
    const hurried = (deadlines: Partial<Deadlines>) =>
      listening(undefined, { headersMs: 600_000, bodyMs: 600_000, ...deadlines });

    it("closes the connection for headers that do not arrive, also before the first byte", async () => {
      const { port } = await hurried({ headersMs: 10 });
      for (const text of ["", POST]) {
        const client = await open(port);
        client.write(text);
        expect(await client.received()).toBe(TIMED_OUT);
      }
    });

    it("closes the connection for a body that does not arrive, before and after the answer", async () => {
      const { server, port } = await hurried({ bodyMs: 10 });
      let isRefused = false;
      const listener = (_: unknown, response: ServerResponse) => void (isRefused && response.writeHead(401).end());
      server.serve({ listener, findOutage: async () => null });
      for (const expected of [/^HTTP\/1\.1 408 /, /^HTTP\/1\.1 401 /]) {
        const client = await open(port);
        client.write(`${POST}\r\n12345`);
        expect(await client.received()).toMatch(expected);
        isRefused = true;
      }
    });

    it("gives a file upload more time until it is refused", async () => {
      const { server, port } = await hurried({ bodyMs: 10 });
      const answered = new Promise<ServerResponse>((resolve) => {
        server.serve({ listener: (_, response) => resolve(response), findOutage: async () => null });
      });
      const file = await open(port);
      file.write(`${POST}Content-Type: multipart/form-data; boundary=b\r\n\r\n12345`);
      const response = await answered;
      const other = await open(port);
      other.write(`${POST}\r\n12345`); // its deadline ends after that of the file
      await other.received();
      expect(file.text()).toBe("");
      response.writeHead(401).end();
      expect(await file.received()).toMatch(/^HTTP\/1\.1 401 /);
    });
  });

  it("reports an address that it cannot listen on", async () => {
    await expect(createHttpServer().listen(0, "host.invalid")).rejects.toThrow(/^HOST host\.invalid cannot be/);
  });
});

/** A connection on which a test writes raw bytes. */
async function open(port: number) {
  const socket: Socket = connect(port, host);
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()).on("error", () => {}));
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  onTestFinished(() => {
    socket.destroy();
  });
  return {
    write: (data: string) => socket.write(data),
    /** What has arrived so far. */
    text: () => text,
    /** Everything that arrived until the server closed the connection. */
    received: async () => {
      await closed;
      return text;
    },
  };
}
