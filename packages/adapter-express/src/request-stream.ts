import type { Request } from "express";

/**
 * The bytes of the body as they arrive; a chunk is taken from the socket when it is asked for. When the iteration is
 * ended early, the rest is let pass, so that the client gets to see the answer. Throws when the client goes away, and
 * for a body that somebody has read without keeping its bytes in `request.body`.
 */
export async function* streamRequestBody(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const parsed: unknown = request.body;
  if (parsed instanceof Uint8Array) {
    yield parsed;
    return;
  }
  if (parsed !== undefined || request.readableEnded || request.destroyed) {
    throw new Error("the body was read before, and not kept");
  }
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    request.resume();
  }
}
