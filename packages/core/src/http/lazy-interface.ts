import { randomToken } from "../kernel/random.js";
import { memoizedSingleFlight } from "../kernel/single-flight.js";
import type { HttpContext, PublicDocument } from "./http-context.js";
import type { ApiHandler, ApiResponse } from "./message.js";

const REQUEST_ID_BYTES = 12;

/** Loads the HTTP interface on first use: a host that only calls operations starts faster without it. */
export interface LazyInterface {
  readonly handle: ApiHandler;
  /** Loads it ahead of the first request. Rejects when loading fails; the next call tries again. */
  load(): Promise<unknown>;
}

/** Loads the pipeline, and the form parser that uploads need. */
export async function loadInterface(context: HttpContext): Promise<ApiHandler> {
  const [{ createPipeline }, { loadFormParser }] = await Promise.all([
    import("./pipeline/pipeline.js"),
    import("./body/file-form.js"),
  ]);
  await loadFormParser();
  return createPipeline(context);
}

/** Writes the OpenAPI document on first use, and keeps it. */
export function lazyDocument(publicBaseUrl: string): () => Promise<PublicDocument> {
  return memoizedSingleFlight(async () => (await import("./openapi/document.js")).writeDescription(publicBaseUrl));
}

/** If loading fails, the request gets a 500 and `onError` gets the error. */
export function lazyInterface(
  loadHandler: () => Promise<ApiHandler>,
  { random, onError }: Pick<HttpContext, "random" | "onError">,
): LazyInterface {
  let loaded: ApiHandler | null = null; // null = not loaded yet
  const load = memoizedSingleFlight(async () => {
    loaded = await loadHandler();
    return loaded;
  });

  const loadAndHandle: ApiHandler = async (request) => {
    try {
      return (await load())(request);
    } catch (error) {
      const requestId = randomToken(random, REQUEST_ID_BYTES);
      onError(error, requestId);
      return notLoaded(requestId);
    }
  };

  return { handle: (request) => (loaded ?? loadAndHandle)(request), load };
}

/** The same 500 as the pipeline sends. */
function notLoaded(requestId: string): ApiResponse {
  const message = "An unexpected error occurred. Include the request id when you report it.";
  const headers = { "content-type": "application/json; charset=utf-8", "x-request-id": requestId };
  return { status: 500, headers, body: JSON.stringify({ error: "internal_error", message, details: { requestId } }) };
}
