import { readableBodyOf, streamFetchBody } from "./body/byte-stream.js";
import { BodyTaken } from "./body/receive-body.js";
import type { ApiHandler, ApiRequest } from "./message.js";

export interface FetchOptions {
  /** Returns the address of the connected client, which a standard Request lacks; null = unknown. */
  readonly peerAddress?: (request: Request) => string | null;
  /** The path under which the handler is mounted. A path outside it is not shortened. */
  readonly basePath?: string;
}

/** The connection of a Request. */
export interface FetchConnection {
  /** Address of the connected client; absent or null = unknown. */
  readonly peerAddress?: string | null | undefined;
}

/**
 * The interface as a standard fetch handler, for Next.js, Bun, Deno, workers and tests.
 * The URL of a standard Request never has dot segments.
 */
export function toFetchHandler(
  handle: ApiHandler,
  options: FetchOptions = {},
): (request: Request, connection?: FetchConnection) => Promise<Response> {
  const basePath = options.basePath?.replace(/\/+$/, "") ?? "";
  return async (request, connection) => {
    const target = withoutBase(targetOf(request.url), basePath);
    const peerAddress = connection?.peerAddress ?? options.peerAddress?.(request) ?? null;
    const { status, headers, body } = await handle(new FetchRequest(request, target, peerAddress));
    return new Response(readableBodyOf(body), { status, headers });
  };
}

class FetchRequest implements ApiRequest {
  readonly method: string;

  constructor(
    readonly original: Request,
    readonly target: string,
    readonly peerAddress: string | null,
  ) {
    this.method = original.method;
  }

  header(name: string): string | null {
    return this.original.headers.get(name);
  }

  async readBody(limitBytes: number): Promise<Uint8Array | "too-large"> {
    this.#refuseTaken();
    return readFetchBody(this.original, limitBytes);
  }

  streamBody(): AsyncIterable<Uint8Array> {
    this.#refuseTaken();
    return streamFetchBody(this.original);
  }

  #refuseTaken(): void {
    if (this.original.bodyUsed) throw new BodyTaken("the code of the host that called the handler");
  }
}

const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/**
 * Path and query of an address, unchanged, without scheme, authority and fragment. Source: RFC 9112, 3.2.
 */
export function targetOf(address: string): string {
  const fragment = address.indexOf("#");
  const sent = fragment === -1 ? address : address.slice(0, fragment);
  if (sent.startsWith("/")) return sent;
  const authority = AUTHORITY.exec(sent)?.[0];
  if (authority === undefined) return sent;
  const target = sent.slice(authority.length);
  return target.startsWith("/") ? target : `/${target}`;
}

function withoutBase(target: string, basePath: string): string {
  if (!target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : target;
}

/** Reads the body of a standard Request up to the limit. */
export async function readFetchBody(request: Request, limitBytes: number): Promise<Uint8Array | "too-large"> {
  // A Content-Length can refuse a body early, but the client may send more than it announces.
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) return "too-large";
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
