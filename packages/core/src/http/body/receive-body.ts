import type { Readable } from "node:stream";

/** Bytes of a body that one turn of the event loop takes in. Node itself would take up to two megabytes a connection. */
export const TURN_BYTES = 64 * 1024;

/** A request of Node, as far as its body is read. */
export type IncomingBody = Pick<Readable, "on" | "pause" | "resume" | "readableEnded" | "destroyed">;

/**
 * The bytes of a body that arrives at a Node server. Other requests get their turns while a large one arrives. What is
 * beyond the limit is dropped, so that the client can receive the response. Rejects when the client disconnects, and for a
 * body that was read before.
 */
export function receiveBody(body: IncomingBody, limitBytes: number): Promise<Uint8Array | "too-large"> {
  return new Promise((resolve, reject) => {
    if (body.readableEnded || body.destroyed) {
      reject(new Error("the body was read before"));
      return;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    let ofTurn = 0;
    body.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size <= limitBytes) chunks.push(chunk);
      else resolve("too-large");
      ofTurn += chunk.byteLength;
      if (ofTurn < TURN_BYTES) return;
      ofTurn = 0;
      body.pause();
      setImmediate(() => body.resume());
    });
    body.on("end", () => resolve(Buffer.concat(chunks)));
    body.on("error", reject);
    body.on("close", () => reject(new Error("the client disconnected")));
  });
}
