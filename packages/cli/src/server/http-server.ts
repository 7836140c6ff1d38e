import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Clock, systemClock } from "@budgetkit/core";
import { targetOf } from "@budgetkit/core/http";
import { StartFailure } from "../terminal/failures.js";
import { limitBodyTime } from "./body-deadline.js";
import { sharedReadiness } from "./shared-readiness.js";

/** The application that serves requests once it has started. */
interface Application {
  readonly listener: RequestListener;
  findOutage(): Promise<string | null>;
}

export interface HttpServer {
  /** Binds the port and returns its number, before anything else starts. Throws a StartFailure when it is in use. */
  listen(port: number, host: string): Promise<number>;
  /** Passes requests to the application; before this call they are answered 503. */
  serve(application: Application): void;
  /**
   * Stops in three steps: reports not ready; answers requests that are still on their way on kept-alive connections for a
   * moment, with `Connection: close`; then stops accepting and waits for open requests, at most `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

/** How long a client may take to send. */
export interface Deadlines {
  readonly headersMs: number;
  readonly bodyMs: number; // of a body that is no file
}

const DEADLINES: Deadlines = { headersMs: 30_000, bodyMs: 60_000 };

/** The service gives a file as long. */
const MAX_REQUEST_MS = 30 * 60_000;

/** How often Node looks for connections that exceed a deadline. */
const CHECKS_EVERY_MS = 1_000;

/** How long requests on kept-alive connections are still answered during a stop. */
const LINGER_MS = 250;

/** Answers `/healthz` (the process lives) and `/readyz` (it can serve) itself; the application handles all other paths. */
export function createHttpServer(
  { headersMs, bodyMs } = DEADLINES,
  clock: Pick<Clock, "monotonicMs"> = systemClock,
): HttpServer {
  let application: Application | null = null;
  let isClosing = false;
  const responses = new Set<ServerResponse>(); // of open requests
  const connections = new Set<Socket>();
  const unused = new Set<Socket>(); // without a request so far: browsers open connections in advance
  let endLinger = (): void => {};

  async function findOutage(): Promise<string | null> {
    if (isClosing) return "the server stops";
    return application === null ? "the server starts" : application.findOutage();
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    unused.delete(request.socket);
    responses.add(response);
    response.once("close", () => responses.delete(response));
    response.shouldKeepAlive &&= !isClosing;
    limitBodyTime(request, response, bodyMs);
    const probe = probeOf(request);
    if (probe === "/healthz") respond(response, 200, "alive");
    else if (probe === "/readyz") {
      void findOutage().then((reason) =>
        reason === null ? respond(response, 200, "ready") : respond(response, 503, "not ready", reason),
      );
    } else if (!isHost(request.headers.host)) refuseHost(response);
    else if (application === null) respond(response, 503, "starting");
    else {
      request.url = pathOf(request.url);
      application.listener(request, response);
    }
  }

  const options = {
    requireHostHeader: false, // isHost checks it, with a message in the answer
    headersTimeout: headersMs,
    requestTimeout: MAX_REQUEST_MS,
    connectionsCheckingInterval: CHECKS_EVERY_MS,
  };
  const server = createServer(options, handle);
  server.on("connection", (socket) => {
    connections.add(socket);
    unused.add(socket);
    socket.once("close", () => {
      connections.delete(socket);
      unused.delete(socket);
      if (!isAnyoneExpected()) endLinger();
    });
  });

  function isAnyoneExpected(): boolean {
    return connections.size > unused.size;
  }

  function linger(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LINGER_MS);
      endLinger = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", (error) => reject(new StartFailure(refusalOf(error, port, host))));
        server.listen(port, host, () => {
          const address = server.address();
          resolve(typeof address === "object" && address !== null ? address.port : port);
        });
      }),
    serve: ({ listener, findOutage }) => {
      application = { listener, findOutage: sharedReadiness(findOutage, clock) };
    },
    close: async (graceMs) => {
      isClosing = true;
      for (const response of responses) response.shouldKeepAlive = false;
      if (isAnyoneExpected()) await linger();
      const closed = new Promise((resolve) => server.close(resolve));
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
      await closed;
      clearTimeout(cutOff);
    },
  };
}

function probeOf({ method, url = "" }: IncomingMessage): string | null {
  return method === "GET" || method === "HEAD" ? (url.split("?", 1)[0] ?? null) : null;
}

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i;

/** True for a host name or an address as in a URL, with or without a port. */
function isHost(host = ""): boolean {
  const address = `http://${host}/`;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return HOST.test(host) && URL.canParse(address) && new URL(address).hostname === name;
}

/**
 * The target as a path. Frameworks treat others (`*`, a whole URL, a backslash) differently. A backslash is written as
 * %5C, because a URL parser reads it as a slash.
 */
function pathOf(sent = ""): string {
  const target = targetOf(sent);
  const query = target.indexOf("?");
  const end = query === -1 ? target.length : query;
  const path = target.slice(0, end).replaceAll("\\", "%5C");
  return `${path.startsWith("/") ? "" : "/"}${path}${target.slice(end)}`;
}

/** Frameworks treat a bad Host differently, so it is refused before them. */
function refuseHost(response: ServerResponse): void {
  const message = "The Host header is missing or not valid.";
  const errors = [{ field: "Host", code: "INVALID_FORMAT", message }];
  response.writeHead(400, {
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-request-id": randomUUID(),
    connection: "close",
  });
  response.end(JSON.stringify({ error: "validation_error", message, details: { errors } }));
}

function respond(response: ServerResponse, status: number, word: string, reason?: string): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...(status === 503 ? { "retry-after": "1" } : {}),
  });
  response.end(JSON.stringify({ status: word, reason }));
}

const HIGHEST_PORT = 65_535;

/** The command that starts the server with a port, as the operator started it. 0 = any that is free. */
function commandWith(port: number): string {
  const command = process.env.npm_lifecycle_event === "start" ? "npm start --" : "budgetkit serve";
  return `${command} --port ${port > HIGHEST_PORT ? 0 : port}`;
}

function refusalOf(error: Error, port: number, host: string): string {
  const code = "code" in error ? String(error.code) : error.message;
  if (code === "EADDRINUSE") return `PORT ${port} is in use on ${host}. To use another one: ${commandWith(port + 1)}`;
  if (code === "EACCES") return `PORT ${port} needs more rights than this process has. Choose one above 1023.`;
  return `HOST ${host} cannot be listened on (${code}).`;
}
