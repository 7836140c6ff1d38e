import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A request as a receiver saw it. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver of callbacks on a real port of this machine. */
export interface Receiver {
  readonly origin: string; // http://127.0.0.1:<port>
  readonly port: number;
  readonly calls: readonly ReceivedCall[];
  /** Connections opened since the start, by whomever. */
  connections(): number;
  /** Those that are open now. */
  openConnections(): number;
  close(): Promise<void>;
}

/** Longer than any sender keeps an idle connection: it is the sender who closes it. */
const KEEP_ALIVE_MS = 120_000;

export type Respond = (call: ReceivedCall, response: ServerResponse, request: IncomingMessage) => void;

/** Listens on `port`, by default a free one; answers 204 unless `respond` says otherwise. */
export async function startReceiver(
  respond: Respond = (_, response) => response.writeHead(204).end(),
  port = 0,
): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => {
    readCall(request).then(
      (call) => {
        calls.push(call);
        respond(call, response, request);
      },
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver listens on no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    calls,
    connections: () => connections,
    openConnections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readCall(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? "", path: request.url ?? "", headers, body: Buffer.concat(chunks).toString() };
}
