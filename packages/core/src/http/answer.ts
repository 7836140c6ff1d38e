import { compressedDocument } from "./compressed-document.js";
import { downloadHeaders } from "./download.js";
import { PAGE_HEADERS } from "./html.js";
import type { ResponseBody } from "./message.js";
import { acceptsEncoding } from "./negotiation.js";
import { readTagOf, versionTagOf } from "./preconditions.js";
import type { PublicDocument } from "./public-document.js";
import type { Reply, Route } from "./route.js";

/** An answer as far as the operation decides it. What belongs to the single request (its id, the rate) comes later. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>; // this answer's own: it is added to on the way out
  readonly body: ResponseBody;
}

export const JSON_TYPE = "application/json; charset=utf-8";

/**
 * The answer to a request that succeeded. A `location` is still from the root of the interface. `acceptEncoding` reads the
 * request's header of that name, which matters to documents alone.
 */
export function renderReply(route: Route, reply: Reply<unknown>, acceptEncoding = noEncoding): Answer {
  if ("html" in reply) return { status: 200, headers: { ...PAGE_HEADERS }, body: reply.html };
  if ("download" in reply) {
    return { status: 200, headers: downloadHeaders(reply.download), body: reply.download.content };
  }
  if ("document" in reply) return documentAnswer(reply.document, acceptEncoding());
  if ("content" in reply) return { status: 200, headers: { ...reply.content.headers }, body: reply.content.body };
  if ("seeOther" in reply) {
    const { "content-type": _, ...headers } = PAGE_HEADERS;
    return { status: 303, headers: { ...headers, location: reply.seeOther }, body: null };
  }
  const headers: Record<string, string> = { "content-type": JSON_TYPE };
  const body = JSON.stringify(reply.body);
  if (reply.version !== undefined) headers.etag = tagOf(route, reply.version, body);
  if (reply.location !== undefined) headers.location = reply.location;
  addPrivacyHeaders(headers, route);
  const { status, again = status } = route.success;
  return { status: reply.isAgain === true ? again : status, headers, body };
}

function noEncoding(): string | null {
  return null;
}

/** Each form of a document has a tag of its own. */
function documentAnswer(document: PublicDocument, acceptEncoding: string | null): Answer {
  const { text, etag } = document;
  const headers = { "content-type": JSON_TYPE, "cache-control": "public, max-age=300", vary: "Accept-Encoding", etag };
  if (!acceptsEncoding(acceptEncoding, "gzip")) return { status: 200, headers, body: text };
  const bytes = compressedDocument(document);
  const gzip = {
    "content-encoding": "gzip",
    "content-length": String(bytes.byteLength),
    etag: etag.replace(/"$/, '-gzip"'),
  };
  return { status: 200, headers: { ...headers, ...gzip }, body: chunkOf(bytes) };
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function tagOf({ method }: Route, version: number, body: string): string {
  return method === "GET" ? readTagOf(version, body) : versionTagOf(version);
}

/** Nothing may keep the answers of logins, of secrets and of public links. */
export function addPrivacyHeaders(
  headers: Record<string, string>,
  { surface, secret }: Pick<Route, "surface" | "secret">,
): void {
  if (secret || surface === "management" || surface === "link") headers["cache-control"] = "no-store";
  if (surface !== "link") return;
  headers.vary = "Accept";
  headers["referrer-policy"] = "no-referrer";
  headers["x-robots-tag"] = "noindex";
}
