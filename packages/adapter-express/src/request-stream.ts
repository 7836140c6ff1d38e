import type { Request } from "express";
import { takenBody } from "./request-body.js";

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
    throw takenBody(request);
  }
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    request.resume();
  }
}
