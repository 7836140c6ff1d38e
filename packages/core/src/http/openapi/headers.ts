import type { Route, Surface } from "../route.js";
import type { Json } from "./json-schema.js";

const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };

/** What answers carry, by the name of its component. */
export const HEADERS: Readonly<Record<string, Json>> = {
  "X-Request-Id": always("Names this request in the logs of the service: the client's own id, or a new one.", text),
  "X-Content-Type-Options": always("Keeps a browser from guessing the type.", { const: "nosniff" }),
  "X-RateLimit-Limit": described("Requests that the key may make in an hour.", whole),
  "X-RateLimit-Remaining": described("How many of these are left in the sliding hour.", whole),
  "X-RateLimit-Reset": described("When a place comes free, in seconds since 1970.", whole),
  "X-RateLimit-Window": described("The length of the window in seconds.", { const: 3600 }),
  RateLimit: described("What is left of the hour, and of the minute where it refused: the IETF draft's form.", text),
  "RateLimit-Policy": described("The hour's quota and the minute's, in the IETF draft's form.", text),
  "Retry-After": described("Seconds to wait.", { type: "integer", minimum: 1 }),
  "WWW-Authenticate": described("The scheme to authenticate by.", { const: "Bearer" }),
  ETag: described("The version: for If-None-Match of a later read and If-Match of a later write.", text),
  Location: described("Where the resource is, relative to the path that was asked.", text),
  "Idempotent-Replayed": described("The first answer to this Idempotency-Key, once more.", { const: "true" }),
  "Cache-Control": described("Who may keep the answer.", text),
  "Content-Encoding": described("How the body is compressed, where the request accepts it so.", { const: "gzip" }),
  Vary: described("The answer goes by this header of the request.", text),
  "Referrer-Policy": described("Keeps the link out of other sites' logs.", text),
  "X-Robots-Tag": described("Keeps the link out of search engines.", text),
  "Content-Security-Policy": described("What the page or the file may do in a browser.", text),
  "Content-Disposition": described("The file's name; it is to be saved, not shown.", text),
};

function described(description: string, schema: Json): Json {
  return { description, schema };
}

function always(description: string, schema: Json): Json {
  return { description, required: true, schema };
}

const EVERYWHERE = ["X-Request-Id", "X-Content-Type-Options"];
const RATE = Object.keys(HEADERS).filter((name) => /^(X-)?RateLimit/.test(name));
const LINK = ["Cache-Control", "Vary", "Referrer-Policy", "X-Robots-Tag"];

function references(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that an answer of success may have, one without a body (303, 304) included. */
export function successHeaders(route: Route, status: number): Json {
  const { surface, secret, success, idempotent, download, auth } = route;
  const own = new Set(success.headers);
  const isDocument = surface === "meta" && own.has("etag");
  const isLink = surface === "link";
  return references([
    ...EVERYWHERE,
    ...(auth.kind === "key" ? RATE : []),
    ...(own.has("etag") && status !== 303 ? ["ETag"] : []),
    ...((own.has("location") && status === 201) || status === 303 ? ["Location"] : []),
    ...(idempotent ? ["Idempotent-Replayed"] : []),
    ...(secret || download || isDocument || surface === "management" ? ["Cache-Control"] : []),
    ...(isDocument ? ["Content-Encoding", "Vary"] : []),
    ...(isLink ? LINK : []),
    ...(isLink || download ? ["Content-Security-Policy"] : []),
    ...(download ? ["Content-Disposition"] : []),
  ]);
}

/** The headers that a refusal may have, which are the same on all of a surface. */
export function errorHeaders(surface: Surface, status: number): Json {
  return references([
    ...EVERYWHERE,
    ...(surface === "public" ? RATE : []),
    ...(surface === "management" ? ["Cache-Control"] : []),
    ...(surface === "link" ? [...LINK, "Content-Security-Policy"] : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
  ]);
}
