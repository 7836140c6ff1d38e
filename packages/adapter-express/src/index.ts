import { pipeline } from "node:stream/promises";
import type { ApiService } from "@budgetkit/core/http";
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
  const { status, headers, body } = await service.handle({
    method: request.method,
    target: request.url,
    header: (name) => headerOf(request, name),
    readBody: (limitBytes) => readRequestBody(request, limitBytes),
    streamBody: () => streamRequestBody(request),
    peerAddress: request.socket.remoteAddress ?? null,
    original: request,
  });
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === null || typeof body === "string") response.end(body ?? undefined);
  else await pipeline(body, response).catch(() => {}); // the response is already cut off
}

/** Joins repeated headers. For some headers Node keeps only the first one, which would hide a second credential. */
function headerOf(request: Request, name: string): string | null {
  // A body parser decompresses the body but keeps the header.
  if (name === "content-encoding" && request.body !== undefined) return null;
  const { rawHeaders } = request;
  let joined: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    const value = rawHeaders[index + 1] ?? "";
    joined = joined === null ? value : `${joined}, ${value}`;
  }
  return joined;
}
