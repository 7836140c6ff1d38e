import type { ResponseBody } from "../message.js";

/** Streams the body of a standard Request. Ending the iteration early cancels the rest. */
export async function* streamFetchBody(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  let ended = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    ended = true;
  } finally {
    if (!ended) await reader.cancel().catch(() => {}); // rejects for a body that failed
  }
}

/** Converts a body for a standard Response. A chunk is read when the client has room for it. */
export function readableBodyOf(body: ResponseBody): string | ReadableStream<Uint8Array> | null {
  return body === null || typeof body === "string" ? body : streamOf(body);
}

function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
