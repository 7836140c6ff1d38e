import { sha256Hex } from "../kernel/digest.js";
import type { ResponseBody } from "./message.js";
import { acceptsEncoding } from "./negotiation.js";
import type { ReferenceFile, ReferencePage } from "./reference-page.js";

/** Content that is the same for everybody, with the headers that go with it. */
export interface StaticContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

/** The page itself: it tells nobody where it is, and a new version of it is seen at once. */
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

/** A file of the page, compressed where the client takes it so. */
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
