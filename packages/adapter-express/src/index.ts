import { pipeline } from "node:stream/promises";
import type { ApiRequest, ApiService } from "@budgetkit/core/http";
import type { Request, RequestHandler, Response } from "express";
import { readRequestBody } from "./request-body.js";
import { streamRequestBody } from "./request-stream.js";

/**
 * The service as an Express handler: `app.use("/v1", budgetkitExpress(service))`, with any prefix. It handles every path
 * below its mount point, also behind the host's own `express.json()`.
 */
export function budgetkitExpress(service: ApiService): RequestHandler {
  return (request, response, next) => {
    respond(service, request, response).catch(next);
  };
}

async function respond(service: ApiService, request: Request, response: Response): Promise<void> {
  const { status, headers, body } = await service.handle(new ExpressRequest(request));
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === null || typeof body === "string") response.end(body ?? undefined);
  else await pipeline(body, response).catch(() => {}); // the response is already cut off
}

class ExpressRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly peerAddress: string | null;

  constructor(readonly original: Request) {
    this.method = original.method;
    this.target = original.url;
    this.peerAddress = original.socket.remoteAddress ?? null;
  }

  header(name: string): string | null {
    return headerOf(this.original, name);
  }

  readBody(limitBytes: number): Promise<Uint8Array | "too-large"> {
    return readRequestBody(this.original, limitBytes);
  }

  streamBody(): AsyncIterable<Uint8Array> {
    return streamRequestBody(this.original);
  }
}

/** Joins repeated headers. For some headers Node keeps only the first one, which would hide a second credential. */
function headerOf(request: Request, name: string): string | null {
  // A body parser decompresses the body but keeps the header.
  if (name === "content-encoding" && request.body !== undefined) return null;
  const { rawHeaders } = request;
  let joined: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index];
    if (given?.length !== name.length || given.toLowerCase() !== name) continue;
    const value = rawHeaders[index + 1] ?? "";
    joined = joined === null ? value : `${joined}, ${value}`;
  }
  return joined;
}
