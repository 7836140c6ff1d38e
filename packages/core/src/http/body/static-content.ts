import { sha256Hex } from "../../kernel/secret-box.js";
import { acceptsEncoding } from "../headers/negotiation.js";
import type { ResponseBody } from "../message.js";
import type { ReferenceFile, ReferencePage } from "../reference-page.js";

/** Content that is written once and sent many times, with its headers. */
export interface StaticContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

/** The page. It sends no referrer, and clients check for a new version at each load. */
export function pageContent({ html, contentSecurityPolicy }: ReferencePage): StaticContent {
  return {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy,
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
      etag: `"${sha256Hex(html)}"`,
    },
    body: html,
  };
}

/** A file of the page, compressed if the client accepts it. */
export function fileContent(file: ReferenceFile, acceptEncoding: string | null): StaticContent {
  const compressed = file.compressed.find(({ encoding }) => acceptsEncoding(acceptEncoding, encoding));
  const { size, read } = compressed ?? file.plain;
  return {
    headers: {
      "content-type": file.contentType,
      "content-length": String(size),
      ...(compressed === undefined ? {} : { "content-encoding": compressed.encoding }),
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      etag: compressed === undefined ? `"${file.sha256}"` : `"${file.sha256}-${compressed.encoding}"`,
    },
    body: read(),
  };
}
