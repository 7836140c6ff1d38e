import { pipeline } from "node:stream/promises";
import type { ApiService } from "@budgetkit/core/http";
import type { Request, RequestHandler, Response } from "express";
import { readRequestBody } from "./request-body.js";
import { streamRequestBody } from "./request-stream.js";

/**
 * The service as an Express handler, for `app.use("/v1", budgetkitExpress(service))` under any prefix.
 * It answers every path below its mount point. A body that the host's own `express.json()` has read is used as it is.
 */
export function budgetkitExpress(service: ApiService): RequestHandler {
  return (request, response, next) => {
    answer(service, request, response).catch(next);
  };
}

async function answer(service: ApiService, request: Request, response: Response): Promise<void> {
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
  else await pipeline(body, response).catch(() => {}); // it has cut the answer off, and there is nothing else to say
}

/** Every line of the header, joined: Node keeps only the first of some, which would hide a second credential. */
function headerOf(request: Request, name: string): string | null {
  // A parser that has undone the encoding leaves the header behind.
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
