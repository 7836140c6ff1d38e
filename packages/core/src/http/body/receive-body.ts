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

/**
 * Thrown by an adapter for a body that the host has read without keeping its bytes. `reader` names what read it. The
 * client gets the message, and the operator gets the error.
 */
export class BodyTaken extends Error {
  override readonly name = "BodyTaken";

  constructor(reader: string) {
    super(`The body was read before it reached Budgetkit, by ${reader}. Mount Budgetkit before it.`);
  }
}

/** By name: an adapter may load the class from the other module format. */
export function isBodyTaken(error: unknown): error is Error {
  return error instanceof Error && error.name === "BodyTaken";
}
