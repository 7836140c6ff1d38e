import { gzipSync } from "node:zlib";
import { stringifyInTurns } from "../kernel/in-turns.js";
import { downloadHeaders } from "./body/download.js";
import { acceptsEncoding } from "./headers/negotiation.js";
import { readTagOf, versionTagOf } from "./headers/preconditions.js";
import type { PublicDocument } from "./http-context.js";
import { JSON_TYPE, type ResponseBody } from "./message.js";
import { PAGE_HEADERS } from "./pages/html.js";
import type { Reply, RequestFacts, Route } from "./route.js";

/** A response before the pipeline adds the headers of the single request, such as its id and the rate limit. */
export interface RenderedResponse {
  readonly status: number;
  readonly headers: Record<string, string>; // mutable: the pipeline adds to it
  readonly body: ResponseBody;
}

/**
 * Renders the reply of a successful request. `location` is still relative to the root of the interface.
 * Only documents read `request`.
 */
export function renderReply(
  route: Route,
  reply: Reply<unknown>,
  request: Pick<RequestFacts, "acceptEncoding"> | null = null, // null = the client accepts no encoding
  listText?: string, // the body of a list; default: made here
): RenderedResponse {
  if ("html" in reply)
    return { status: reply.status ?? 200, headers: { ...reply.html.headers }, body: reply.html.markup };
  if ("download" in reply) {
    const headers = downloadHeaders(reply.download);
    addPrivacyHeaders(headers, route);
    return { status: 200, headers, body: reply.download.content };
  }
  if ("document" in reply) return renderDocument(reply.document, request?.acceptEncoding() ?? null);
  if ("content" in reply) {
    const headers: Record<string, string> = {}; // to add to a copy made by spread takes V8 many times as long
    for (const name in reply.content.headers) headers[name] = reply.content.headers[name] ?? "";
    return { status: 200, headers, body: reply.content.body };
  }
  if ("seeOther" in reply) {
    return { status: 303, headers: { ...PAGE_HEADERS, location: reply.seeOther }, body: null };
  }
  const headers: Record<string, string> = { "content-type": JSON_TYPE };
  const body = listText ?? JSON.stringify(reply.body);
  if (reply.version !== undefined) headers.etag = tagOf(route, reply.version, body);
  if (reply.location !== undefined) headers.location = reply.location;
  addPrivacyHeaders(headers, route);
  const { status, again = status } = route.success;
  return { status: reply.isAgain === true ? again : status, headers, body };
}

/** Like {@link renderReply}. A list is written in turns of the event loop: a page may have megabytes. */
export function renderInTurns(
  route: Route,
  reply: Reply<unknown>,
  request: RequestFacts,
): RenderedResponse | Promise<RenderedResponse> {
  const list = "body" in reply ? listIn(reply.body) : null;
  return list === null ? renderReply(route, reply, request) : renderList(route, reply, list, request);
}

async function renderList(
  route: Route,
  reply: Reply<unknown>,
  { data, ...others }: List,
  request: RequestFacts,
): Promise<RenderedResponse> {
  const rest = JSON.stringify(others).slice(1);
  const text = `{"data":${await stringifyInTurns(data)}${rest === "}" ? "" : ","}${rest}`;
  return renderReply(route, reply, request, text);
}

interface List {
  readonly data: readonly unknown[];
}

/** A body whose first member, `data`, is a list; null = another body. */
function listIn(body: unknown): List | null {
  if (typeof body !== "object" || body === null || !("data" in body) || !Array.isArray(body.data)) return null;
  return Object.keys(body)[0] === "data" ? { ...body, data: body.data } : null;
}

/** The plain and the compressed form have different ETags. */
function renderDocument(document: PublicDocument, acceptEncoding: string | null): RenderedResponse {
  const { text, etag } = document;
  const headers = { "content-type": JSON_TYPE, "cache-control": "public, max-age=300", vary: "Accept-Encoding", etag };
  if (!acceptsEncoding(acceptEncoding, "gzip")) return { status: 200, headers, body: text };
  const bytes = compressed(document);
  const gzip = {
    "content-encoding": "gzip",
    "content-length": String(bytes.byteLength),
    etag: etag.replace(/"$/, '-gzip"'),
  };
  return { status: 200, headers: { ...headers, ...gzip }, body: chunkOf(bytes) };
}

const compressedDocuments = new WeakMap<PublicDocument, Uint8Array>();

/** Compressed at first use and kept as long as the document. */
function compressed(document: PublicDocument): Uint8Array {
  const known = compressedDocuments.get(document);
  if (known !== undefined) return known;
  const bytes = gzipSync(document.text);
  compressedDocuments.set(document, bytes);
  return bytes;
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function tagOf({ method }: Route, version: number, body: string): string {
  return method === "GET" ? readTagOf(version, body) : versionTagOf(version);
}

/** Logins, secrets and public links must not be cached. */
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
