import type { Instant } from "../kernel/clock.js";
import { randomToken } from "../kernel/digest.js";
import type { RateVerdict } from "../limits/rate-limiter.js";
import type { HttpContext } from "./http-context.js";
import type { ApiRequest } from "./message.js";
import { withoutVersion } from "./router.js";

/** One request on its way to its answer. */
export interface Exchange {
  readonly context: HttpContext;
  readonly request: ApiRequest;
  readonly now: Instant; // the one reading of the clock for this request
  readonly requestId: string;
  readonly path: string; // below the mount point and the version
  readonly query: string; // without its question mark
  rate: RateVerdict | null; // what the limiter said of the key; null = no key, or not asked yet
}

const SAFE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const REQUEST_ID_BYTES = 12;

export function openExchange(context: HttpContext, request: ApiRequest): Exchange {
  const { target } = request;
  const mark = target.indexOf("?");
  return {
    context,
    request,
    now: context.clock.now(),
    requestId: requestIdOf(context, request),
    path: withoutVersion(mark === -1 ? target : target.slice(0, mark)),
    query: mark === -1 ? "" : target.slice(mark + 1),
    rate: null,
  };
}

/** The client's own id where it is harmless in logs and headers, else a new one. */
function requestIdOf({ random }: HttpContext, request: ApiRequest): string {
  const given = request.header("x-request-id");
  return given !== null && SAFE_REQUEST_ID.test(given) ? given : randomToken(random, REQUEST_ID_BYTES);
}
