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
    const { status, headers, body } = await service.handle(new HonoRequest(context, peerAddressOf(context)));
    await restOfBody(incomingOf(context));
    return new Response(readableBodyOf(body), { status, headers });
  });
  return app;
}

class HonoRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly original: Request;

  constructor(
    private readonly context: Context,
    readonly peerAddress: string | null,
  ) {
    this.original = context.req.raw;
    this.method = this.original.method;
    this.target = withoutSegments(rawTargetOf(context), depthOf(baseRoutePath(context)));
  }

  header(name: string): string | null {
    return this.original.headers.get(name);
  }

  readBody(limitBytes: number): Promise<Uint8Array | "too-large"> {
    return readBody(this.context, limitBytes);
  }

  streamBody(): AsyncIterable<Uint8Array> {
    return this.original.bodyUsed ? streamCached(this.context) : streamFetchBody(this.original);
  }
}

const LARGE_BYTES = 64 * 1024;

/**
 * Uses Hono's cached copy if a middleware has read the body. Otherwise, a body whose Content-Length is within the limit is
 * read at once: Node enforces the length, and `@hono/node-server` is several times slower with a stream. A large one is
 * read from the server's own request, so that others get their turns meanwhile.
 */
async function readBody(context: Context, limitBytes: number): Promise<Uint8Array | "too-large"> {
  const request = context.req.raw;
  const incoming = incomingOf(context);
  const announced = Number(incoming?.headers?.["content-length"]);
  const isBounded = announced <= limitBytes;
  if (!request.bodyUsed && isBounded && announced > LARGE_BYTES && isOf(incoming, request)) {
    return receiveBody(incoming, limitBytes);
  }
  if (!request.bodyUsed && !isBounded) return readFetchBody(request, limitBytes);
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

async function* streamCached(context: Context): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(await context.req.arrayBuffer());
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
