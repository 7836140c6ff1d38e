import type { IncomingMessage, ServerResponse } from "node:http";

const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

/**
 * Closes the connection when the body has not arrived after `bodyMs`, with 408 unless a response has begun. A file that
 * is still being received may take longer.
 */
export function limitBodyTime(request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  if (!hasBody(request)) return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    if (isFile(request) && !response.writableEnded) {
      timer.refresh();
      return;
    }
    const { socket } = request;
    if (!response.headersSent) socket.write(TIMED_OUT);
    socket.destroySoon();
  }, bodyMs);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isFile({ headers }: IncomingMessage): boolean {
  return headers["content-type"]?.toLowerCase().startsWith("multipart/form-data") === true;
}
