import { randomToken } from "../kernel/digest.js";
import { once } from "../kernel/once.js";
import type { HttpContext } from "./http-context.js";
import type { ApiHandler, ApiResponse } from "./message.js";

const REQUEST_ID_BYTES = 12;

/** An interface that is loaded when it is first needed. */
export interface LaterAnswers {
  readonly handle: ApiHandler;
  /** Loads it before the first request. Rejects when that fails. */
  load(): Promise<unknown>;
}

/** The HTTP interface, and what uploads need: a host that only calls operations does without them. */
export async function loadInterface(context: HttpContext): Promise<ApiHandler> {
  const [{ createPipeline }, { loadFormParser }] = await Promise.all([
    import("./pipeline.js"),
    import("./file-form.js"),
  ]);
  await loadFormParser();
  return createPipeline(context);
}

/** Should it not load, each request is answered 500, and `onError` is told why. */
export function answerLater(
  loadAnswers: () => Promise<ApiHandler>,
  { random, onError }: Pick<HttpContext, "random" | "onError">,
): LaterAnswers {
  let answer: ApiHandler | null = null; // null = not loaded
  const load = once(async () => {
    answer = await loadAnswers();
    return answer;
  });

  const loadAndAnswer: ApiHandler = async (request) => {
    try {
      return (await load())(request);
    } catch (error) {
      const requestId = randomToken(random, REQUEST_ID_BYTES);
      onError(error, requestId);
      return notLoaded(requestId);
    }
  };

  return { handle: async (request) => (answer ?? loadAndAnswer)(request), load };
}

/** As the interface itself answers what went wrong on its own side. */
function notLoaded(requestId: string): ApiResponse {
  const message = "Something went wrong on our side. The request id helps to find out what.";
  const headers = { "content-type": "application/json; charset=utf-8", "x-request-id": requestId };
  return { status: 500, headers, body: JSON.stringify({ error: "internal_error", message, details: { requestId } }) };
}
