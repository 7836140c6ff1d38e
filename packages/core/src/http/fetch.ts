import type { ApiHandler, ApiRequest } from "./message.js";

export interface FetchOptions {
  /** Tells the address of the connected client, which a standard Request does not carry; null = unknown. */
  readonly peerAddress?: (request: Request) => string | null;
  /** The path under which the handler is mounted; paths outside it are passed on whole. */
  readonly basePath?: string;
}

/**
 * The interface as a standard fetch handler: for Next.js, Bun, Deno, workers and tests.
 * The address of a standard Request has its dot segments resolved already.
 */
export function toFetchHandler(
  handle: ApiHandler,
  options: FetchOptions = {},
): (request: Request) => Promise<Response> {
  const basePath = options.basePath?.replace(/\/+$/, "") ?? "";
  return async (request) => {
    const { status, headers, body } = await handle({
      method: request.method,
      target: withoutBase(targetOf(request.url), basePath),
      header: (name) => request.headers.get(name),
      readBody: (limitBytes) => readFetchBody(request, limitBytes),
      peerAddress: options.peerAddress?.(request) ?? null,
      original: request,
    } satisfies ApiRequest);
    return new Response(body, { status, headers });
  };
}

/** Path and query of an absolute address, as they are written in it. */
export function targetOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const fragment = url.indexOf("#");
  return start === -1 ? "/" : url.slice(start, fragment === -1 ? url.length : fragment);
}

function withoutBase(target: string, basePath: string): string {
  if (!target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : target;
}

/** Reads the body of a standard Request, and no more of it than the limit. */
export async function readFetchBody(request: Request, limitBytes: number): Promise<Uint8Array | "too-large"> {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    if (Number(announced) > limitBytes) return "too-large";
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.byteLength > limitBytes ? "too-large" : bytes;
  }
  if (request.body === null) return new Uint8Array();
  return collect(request.body.getReader(), limitBytes);
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limitBytes: number,
): Promise<Uint8Array | "too-large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > limitBytes) {
      await reader.cancel();
      return "too-large";
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}
