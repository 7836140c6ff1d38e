import { BodyTaken, receiveBody } from "@budgetkit/core/http";
import type { Request } from "express";

/**
 * The bytes of the body. A body that the host has parsed is serialized again. Otherwise the stream is read up to the limit
 * and the rest is discarded, so that the client can receive the response. Rejects when the client disconnects, and for a
 * body that was read but is not in `request.body`.
 */
export async function readRequestBody(request: Request, limitBytes: number): Promise<Uint8Array | "too-large"> {
  if (request.headers["content-length"] === "0") return new Uint8Array(); // express.json() parses it as {}
  const parsed: unknown = request.body;
  if (parsed !== undefined) {
    const bytes = serialize(parsed, request.headers["content-type"]);
    return bytes.byteLength > limitBytes ? "too-large" : bytes;
  }
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) {
    request.resume();
    return "too-large";
  }
  if (request.readableEnded || request.destroyed) {
    throw takenBody(request);
  }
  return receiveBody(request, limitBytes);
}

function serialize(body: unknown, contentType: string | undefined): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return Buffer.from(body);
  if (contentType?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true) {
    return Buffer.from(formOf(body).toString());
  }
  return Buffer.from(JSON.stringify(body));
}

function formOf(body: unknown): URLSearchParams {
  const fields = new URLSearchParams();
  if (typeof body !== "object" || body === null) return fields;
  for (const [name, value] of Object.entries(body)) {
    for (const each of Array.isArray(value) ? value : [value]) fields.append(name, String(each));
  }
  return fields;
}

/** Names the parser by what it leaves on the request. */
export function takenBody(request: Request): BodyTaken {
  const left = ["files", "file", "body"].find((name) => Reflect.get(request, name) !== undefined);
  return new BodyTaken(
    left === undefined
      ? "a middleware that leaves nothing in req.body"
      : `a parser that leaves its result in req.${left}, without the bytes (such as multer or express-fileupload)`,
  );
}
