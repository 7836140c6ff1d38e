import { type ApiService, readableBodyOf, readFetchBody, streamFetchBody, targetOf } from "@budgetkit/core/http";
import { type Context, Hono } from "hono";
import { baseRoutePath } from "hono/route";

export interface BudgetkitHonoOptions {
  /**
   * Tells the address of the connected client; null = unknown. By default it is taken from the socket that
   * `@hono/node-server` passes on; other runtimes have helpers of their own (`getConnInfo`).
   */
  readonly getPeerAddress?: (context: Context) => string | null;
}

/**
 * The service as a Hono application, for `app.route("/v1", budgetkitHono(service))` under any prefix.
 * It answers every path below its mount point.
 */
export function budgetkitHono(service: ApiService, options: BudgetkitHonoOptions = {}): Hono {
  const peerAddressOf = options.getPeerAddress ?? socketAddressOf;
  const app = new Hono();
  app.all("*", async (context) => {
    const request = context.req.raw;
    const { status, headers, body } = await service.handle({
      method: request.method,
      target: withoutSegments(rawTargetOf(context), depthOf(baseRoutePath(context))),
      header: (name) => request.headers.get(name),
      readBody: (limitBytes) => readBody(context, limitBytes),
      streamBody: () => (request.bodyUsed ? streamAgain(context) : streamFetchBody(request)),
      peerAddress: peerAddressOf(context),
      original: request,
    });
    return new Response(readableBodyOf(body), { status, headers });
  });
  return app;
}

/**
 * What a middleware of the host has read before, Hono has kept. Node holds a body to the length that it announced, so
 * that one within the limit can be taken whole: the stream of a standard Request costs `@hono/node-server` a multiple.
 */
async function readBody(context: Context, limitBytes: number): Promise<Uint8Array | "too-large"> {
  const request = context.req.raw;
  const announced = incomingOf(context)?.headers?.["content-length"];
  const isBounded = announced !== undefined && Number(announced) <= limitBytes;
  if (!request.bodyUsed && !isBounded) return readFetchBody(request, limitBytes);
  const bytes = new Uint8Array(await context.req.arrayBuffer());
  return bytes.byteLength > limitBytes ? "too-large" : bytes;
}

async function* streamAgain(context: Context): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(await context.req.arrayBuffer());
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/**
 * The target as it was sent. Parsing an address resolves its dot segments; where they matter, the target that the
 * server read from the socket tells of them.
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

/** Drops the segments of the mount point; a parameter in it may stand for any text, so they are counted. */
function withoutSegments(target: string, count: number): string {
  let rest = target;
  for (let dropped = 0; dropped < count; dropped += 1) {
    const next = rest.slice(1).search(/[/?]/);
    rest = next === -1 ? "" : rest.slice(next + 1);
  }
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** What is used of the request that `@hono/node-server` passes in the environment. */
interface Incoming {
  readonly url?: string | undefined;
  readonly headers?: { readonly "content-length"?: string | undefined } | undefined;
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
}

function incomingOf(context: Context): Incoming | undefined {
  const bindings: { readonly incoming?: Incoming } | undefined = context.env;
  return bindings?.incoming;
}

function socketAddressOf(context: Context): string | null {
  return incomingOf(context)?.socket?.remoteAddress ?? null;
}
