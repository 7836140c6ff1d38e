import type { IncomingMessage } from "node:http";
import {
  type ApiRequest,
  type ApiService,
  checkOptionNames,
  type IncomingBody,
  type OptionNames,
  readableBodyOf,
  readFetchBody,
  receiveBody,
  streamFetchBody,
  targetOf,
} from "@budgetkit/core/http";
import { type Context, Hono } from "hono";
import { baseRoutePath } from "hono/route";
import { type HostBody, hostBodyOf, takenRaw } from "./host-body.js";

export interface BudgetkitHonoOptions {
  /**
   * Returns the address of the connected client; null = unknown. Default: that of the `@hono/node-server` socket. Other
   * runtimes have a helper, `getConnInfo`.
   */
  readonly getPeerAddress?: (context: Context) => string | null;
}

const OPTIONS: OptionNames<BudgetkitHonoOptions> = { getPeerAddress: true };

/**
 * The service as a Hono application: `app.route("/v1", budgetkitHono(service))`, with any prefix. It handles every path
 * below its mount point. Throws a RangeError for an unknown option.
 */
export function budgetkitHono(service: ApiService, options: BudgetkitHonoOptions = {}): Hono {
  checkOptionNames("budgetkitHono", options, OPTIONS);
  const peerAddressOf = options.getPeerAddress ?? socketAddressOf;
  const app = new Hono();
  app.all("*", async (context) => {
    const hostBody = await hostBodyOf(context);
    const request = new MountedRequest(context, peerAddressOf(context), hostBody);
    const { status, headers, body } = await service.handle(request);
    await restOfBody(incomingOf(context));
    return new Response(readableBodyOf(body), { status, headers });
  });
  return app;
}

class MountedRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly original: Request;

  constructor(
    private readonly context: Context,
    readonly peerAddress: string | null,
    private readonly hostBody: HostBody | Error | null, // null = no middleware has read the body
  ) {
    this.original = context.req.raw;
    this.method = this.original.method;
    this.target = withoutSegments(rawTargetOf(context), depthOf(baseRoutePath(context)));
  }

  header(name: string): string | null {
    const own = this.hostBody;
    if (own !== null && !(own instanceof Error) && own.contentType !== null) {
      if (name === "content-type") return own.contentType;
      if (name === "content-length") return String(own.bytes.byteLength);
    }
    return this.original.headers.get(name);
  }

  async readBody(limitBytes: number): Promise<Uint8Array | "too-large"> {
    const bytes = this.#keptBytes();
    if (bytes === null) return readBody(this.context, limitBytes);
    return bytes.byteLength > limitBytes ? "too-large" : bytes;
  }

  async *streamBody(): AsyncGenerator<Uint8Array, void, undefined> {
    const bytes = this.#keptBytes();
    if (bytes === null) yield* streamFetchBody(this.original);
    else yield bytes;
  }

  /** Hono's copy of the body; null = it is still to be read. Throws BodyTaken, and why the body failed. */
  #keptBytes(): Uint8Array | null {
    if (this.hostBody instanceof Error) throw this.hostBody;
    if (this.hostBody !== null) return this.hostBody.bytes;
    if (this.original.bodyUsed) throw takenRaw();
    return null;
  }
}

const LARGE_BYTES = 64 * 1024;

/**
 * A body whose Content-Length is within the limit is read at once: Node enforces the length, and `@hono/node-server` is
 * several times slower with a stream. A large one is read from the server's own request, so that others get their turns
 * meanwhile.
 */
async function readBody(context: Context, limitBytes: number): Promise<Uint8Array | "too-large"> {
  const request = context.req.raw;
  const incoming = incomingOf(context);
  const announced = Number(incoming?.headers?.["content-length"]);
  const isBounded = announced <= limitBytes;
  if (isBounded && announced > LARGE_BYTES && isOf(incoming, request)) return receiveBody(incoming, limitBytes);
  if (!isBounded) return readFetchBody(request, limitBytes);
  const bytes = new Uint8Array(await context.req.arrayBuffer());
  return bytes.byteLength > limitBytes ? "too-large" : bytes;
}

/**
 * True for the server's own request while its body is untouched. False for one that a middleware has put in its place, and
 * once `@hono/node-server` has made a Request of it, which has a reader of its own.
 */
function isOf(incoming: Incoming | undefined, request: Request): incoming is Incoming & IncomingBody {
  const parts: unknown[] = Reflect.ownKeys(request).map((key) => Reflect.get(request, key));
  return incoming !== undefined && parts.includes(incoming) && !parts.some((part) => part instanceof Request);
}

const REST_BYTES = 32 * 1024 * 1024;
const REST_MS = 5_000;

/**
 * Reads and drops what the handler has left of the body, within bounds. `@hono/node-server` would cut the connection half
 * a second after the answer, and a client that still sends would see that instead of the answer.
 */
function restOfBody(incoming: Incoming | undefined): Promise<void> | undefined {
  if (incoming?.complete !== false || Number(incoming.headers?.["content-length"] ?? 0) > REST_BYTES) return;
  return new Promise((resolve) => {
    let left = REST_BYTES;
    const timer = setTimeout(resolve, REST_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    incoming.once("end", end).once("close", end);
    incoming.removeAllListeners("data"); // a reader that has stopped keeps what arrives, and then pauses the body
    incoming.on("data", ({ length }) => {
      left -= length;
      if (left < 0) end();
    });
    incoming.resume();
  });
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/**
 * The target as received. Parsing a URL resolves its dot segments, so a target with dot segments is read from the
 * server's own request.
 */
function rawTargetOf(context: Context): string {
  const sent = incomingOf(context)?.url;
  return targetOf(sent !== undefined && DOT_SEGMENT.test(sent) ? sent : context.req.raw.url);
}

function depthOf(mountPath: string): number {
  let depth = 0;
  for (let slash = 0; slash !== -1; slash = mountPath.indexOf("/", slash + 1)) depth += 1;
  return mountPath === "/" ? 0 : depth;
}

/** Drops the segments of the mount point by count, since a mount point may contain parameters. */
function withoutSegments(target: string, count: number): string {
  let rest = target;
  for (let dropped = 0; dropped < count; dropped += 1) {
    const next = rest.slice(1).search(/[/?]/);
    rest = next === -1 ? "" : rest.slice(next + 1);
  }
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** The part of the `@hono/node-server` request that the adapter uses. */
type Incoming = Pick<IncomingMessage, "on" | "once" | "removeAllListeners" | "resume"> &
  Partial<Pick<IncomingMessage, "url" | "headers" | "socket" | "complete">>;

function incomingOf(context: Context): Incoming | undefined {
  const bindings: { readonly incoming?: Incoming } | undefined = context.env;
  return bindings?.incoming;
}

function socketAddressOf(context: Context): string | null {
  return incomingOf(context)?.socket?.remoteAddress ?? null;
}
