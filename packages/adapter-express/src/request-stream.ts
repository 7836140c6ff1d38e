import type { Request } from "express";

/**
 * Streams the body; a chunk is read from the socket on demand. If the iteration ends early, the rest is discarded, so that
 * the client can receive the response. Throws when the client disconnects, and for a body that was read but whose bytes
 * are not in `request.body`.
 */
export async function* streamRequestBody(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const parsed: unknown = request.body;
  if (parsed instanceof Uint8Array) {
    yield parsed;
    return;
  }
  if (parsed !== undefined || request.readableEnded || request.destroyed) {
    throw new Error("the body was read before, and is not in request.body");
  }
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    request.resume();
  }
}
