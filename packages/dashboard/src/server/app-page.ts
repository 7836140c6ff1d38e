import { createHash } from "node:crypto";
import { type ApiRequest, type ApiResponse, acceptsEncoding, weightOf } from "@budgetkit/core/http";
import { type Headers, notFound, PRIVATE_HEADERS, wrongMethod } from "./answers.js";
import type { App, AppFile } from "./app-files.js";
import type { DashboardSettings } from "./options.js";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const DOCUMENT_HEADERS = {
  ...PRIVATE_HEADERS,
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "x-frame-options": "DENY",
  "cache-control": "no-cache",
  vary: "Accept",
} as const;

/** The answers with the built page: its document at every address of the dashboard, and its files. */
export interface AppPage {
  document(request: ApiRequest): ApiResponse;
  /** null = there is no such file. */
  file(request: ApiRequest, name: string): ApiResponse | null;
}

export function appPage({ document, files }: App, settings: DashboardSettings): AppPage {
  const html = filledIn(document, settings);
  const etag = `"${createHash("sha256").update(html).digest("hex").slice(0, 32)}"`;
  return {
    document: (request) => {
      if (!isRead(request)) return wrongMethod(["GET", "HEAD"]);
      if (!acceptsHtml(request.header("accept"))) return notFound();
      return unlessKnown(request, { ...DOCUMENT_HEADERS, etag }, () => html);
    },
    file: (request, name) => {
      const file = files.get(name);
      if (file === undefined) return null;
      return isRead(request) ? fileAnswer(request, name, file) : wrongMethod(["GET", "HEAD"]);
    },
  };
}

/** The page learns by attributes where it is mounted, since a policy without `unsafe-inline` allows no inline script. */
function filledIn(document: string, { publicPath, service }: DashboardSettings): string {
  return document
    .replace(/<html\b[^>]*>/i, `<html lang="en" data-base="${publicPath}" data-session="${service.site.session}">`)
    .replaceAll('="./', `="${publicPath}/`);
}

/** The build writes a digest into the names of assets: a name never gets other content. */
const FOREVER = "public, max-age=31536000, immutable";

function fileAnswer(request: ApiRequest, name: string, file: AppFile): ApiResponse {
  const accepted = request.header("accept-encoding");
  const compressed = file.compressed.find(({ encoding }) => acceptsEncoding(accepted, encoding));
  const content = compressed ?? file.plain;
  const headers = {
    ...PRIVATE_HEADERS,
    "content-type": file.contentType,
    "cache-control": name.startsWith("assets/") ? FOREVER : "no-cache",
    vary: "Accept-Encoding",
    etag: compressed === undefined ? `"${file.etag}"` : `"${file.etag}-${compressed.encoding}"`,
    // A picture that is opened by itself is a document of this origin.
    ...(file.contentType === "image/svg+xml" ? { "content-security-policy": "default-src 'none'; sandbox" } : {}),
    ...(compressed === undefined ? {} : { "content-encoding": compressed.encoding }),
    "content-length": String(content.size),
  };
  return unlessKnown(request, headers, () => content.read());
}

function unlessKnown(
  request: ApiRequest,
  headers: Headers & { readonly etag: string },
  read: () => Exclude<ApiResponse["body"], null>,
): ApiResponse {
  const known = (request.header("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(headers.etag)) {
    const { "content-length": _, ...others } = headers;
    return { status: 304, headers: others, body: null };
  }
  return { status: 200, headers, body: request.method === "HEAD" ? null : read() };
}

function isRead({ method }: ApiRequest): boolean {
  return method === "GET" || method === "HEAD";
}

const HTML_RANGES = ["text/html", "application/xhtml+xml", "text/*", "*/*"];

function acceptsHtml(accept: string | null): boolean {
  return accept === null || HTML_RANGES.some((range) => weightOf(accept, range) > 0);
}
