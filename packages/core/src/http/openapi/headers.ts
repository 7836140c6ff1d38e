import { isCounted } from "../error-schemas.js";
import type { Route, Surface } from "../route.js";
import type { Json } from "./json-schema.js";

const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };

/** Response headers, by the name of their component. */
export const HEADERS: Readonly<Record<string, Json>> = {
  "X-Request-Id": always("The id of the request in the service's logs: the client's own, or a new one.", text),
  "X-Content-Type-Options": always("Prevents content sniffing.", { const: "nosniff" }),
  "X-RateLimit-Limit": described("Requests per hour of the key.", whole),
  "X-RateLimit-Remaining": described("Requests left in the sliding hour; 0 on a 429.", whole),
  "X-RateLimit-Reset": described("When the next request is possible again, in seconds since 1970.", whole),
  "X-RateLimit-Window": described("Length of the window in seconds.", { const: 3600 }),
  RateLimit: described("Requests left in the hour, and in the minute if that refused, by the IETF draft.", text),
  "RateLimit-Policy": described("The quotas per hour and per minute, by the IETF draft.", text),
  "Retry-After": described("Seconds to wait.", { type: "integer", minimum: 1 }),
  "WWW-Authenticate": described("The authentication scheme.", { const: "Bearer" }),
  ETag: described("The version, for If-None-Match of a later read or If-Match of a later write.", text),
  Location: described("The resource, relative to the requested path.", text),
  "Idempotent-Replayed": described("Present on a replay of the first response to the Idempotency-Key.", {
    const: "true",
  }),
  "Preference-Applied": described("Present if the request prefers strict handling.", { const: "handling=strict" }),
  "Cache-Control": described("Caching rules of the response.", text),
  "Content-Encoding": described("Compression of the body, if the request accepts it.", { const: "gzip" }),
  Vary: described("The request headers that the response depends on.", text),
  "Referrer-Policy": described("Keeps the link out of other sites' logs.", text),
  "X-Robots-Tag": described("Keeps the link out of search engines.", text),
  "Content-Security-Policy": described("Restricts the page or the file in a browser.", text),
  "Content-Disposition": described("The name of the file; browsers save an attachment instead of showing it.", text),
};

function described(description: string, schema: Json): Json {
  return { description, schema };
}

function always(description: string, schema: Json): Json {
  return { description, required: true, schema };
}

const EVERYWHERE = ["X-Request-Id", "X-Content-Type-Options", "Preference-Applied"];
const RATE = Object.keys(HEADERS).filter((name) => /^(X-)?RateLimit/.test(name));
const LINK = ["Cache-Control", "Vary", "Referrer-Policy", "X-Robots-Tag"];

function references(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of a success response, 303 and 304 included. */
export function successHeaders(route: Route, status: number): Json {
  const { surface, secret, success, idempotent, download } = route;
  const own = new Set(success.headers);
  const isDocument = surface === "meta" && own.has("etag");
  const isLink = surface === "link";
  return references([
    ...EVERYWHERE,
    ...(isCounted(route) ? RATE : []),
    ...(own.has("etag") && status !== 303 ? ["ETag"] : []),
    ...((own.has("location") && status === 201) || status === 303 ? ["Location"] : []),
    ...(idempotent ? ["Idempotent-Replayed"] : []),
    ...(secret || download !== false || isDocument || surface === "management" ? ["Cache-Control"] : []),
    ...(isDocument ? ["Content-Encoding", "Vary"] : []),
    ...(isLink ? LINK : []),
    ...(isLink || download !== false ? ["Content-Security-Policy"] : []),
    ...(download !== false ? ["Content-Disposition"] : []),
  ]);
}

/** The headers of an error response: the same for all routes of a surface. */
export function errorHeaders(surface: Surface, status: number): Json {
  return references([
    ...EVERYWHERE,
    ...(surface === "public" || surface === "management" ? RATE : []),
    ...(surface === "management" ? ["Cache-Control"] : []),
    ...(surface === "link" ? [...LINK, "Content-Security-Policy"] : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
  ]);
}
