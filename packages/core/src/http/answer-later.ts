import { once } from "../kernel/once.js";
import type { HttpContext } from "./http-context.js";
import type { ApiHandler } from "./message.js";

/** The HTTP interface, which is loaded with the first request: a host that only calls operations does without it. */
export function answerLater(context: HttpContext): ApiHandler {
  let answer: ApiHandler | null = null; // null = not loaded
  const load = once(async () => {
    const { createPipeline } = await import("./pipeline.js");
    answer = createPipeline(context);
    return answer;
  });
  return async (request) => (answer ?? (await load()))(request);
}
