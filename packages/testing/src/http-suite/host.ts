import { Agent, type IncomingMessage, request as openRequest } from "node:http";
import type { BudgetService } from "@budgetkit/core";

/** A request as the suite makes it; `path` begins with /v1 and goes over the wire as it is. */
export interface HostRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | null;
}

export interface HostResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly bytes: Uint8Array; // of the body
  readonly text: string; // the same, read as UTF-8
}

export type Send = (request: HostRequest) => Promise<HostResponse>;

/** A service behind some host that answers under /v1. */
export interface RunningHost {
  readonly send: Send;
  close(): Promise<void>;
}

export type StartHost = (service: BudgetService) => Promise<RunningHost>;

/** Sends over a socket, so that nothing is tidied up on the way. `origin` reads `http://127.0.0.1:8080`. */
export function overSocket(origin: string): Send {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true });
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const isMeasured = body !== null && headers["transfer-encoding"] === undefined;
      const length = !isMeasured ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const outgoing = openRequest({
        hostname,
        port,
        method,
        path,
        agent,
        headers: { ...length, ...mutable(headers) },
      });
      outgoing.on("error", reject);
      outgoing.on("socket", (socket) => {
        // A server may answer and close before it has read the whole body: then the write fails after the response.
        if (!outgoing.reusedSocket) socket.on("error", () => {});
      });
      outgoing.on("response", (incoming) => receive(incoming).then(resolve, reject));
      outgoing.end(body ?? undefined);
    });
}

function mutable(headers: HostRequest["headers"]): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
}

async function receive(incoming: IncomingMessage): Promise<HostResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  const bytes = Buffer.concat(chunks);
  return { status: incoming.statusCode ?? 0, headers, bytes, text: bytes.toString() };
}

/** Calls a standard fetch handler. */
export function overFetch(fetch: (request: Request) => Promise<Response>): Send {
  return async ({ method, path, headers, body }) => {
    const given = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      for (const line of typeof value === "string" ? [value] : value) given.append(name, line);
    }
    // A string would bring a Content-Type of its own.
    const sent = body === null ? {} : { body: typeof body === "string" ? new TextEncoder().encode(body) : body };
    const response = await fetch(new Request(`http://host.example${path}`, { method, headers: given, ...sent }));
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), bytes, text: bytes.toString() };
  };
}
