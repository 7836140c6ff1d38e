/** A file in a response. */
export interface Download {
  readonly fileName: string; // sanitized
  readonly contentType: string;
  readonly size: number; // bytes
  readonly sha256: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly isOwn?: boolean; // made by the service: browsers show it
  readonly policy?: string; // its Content-Security-Policy; absent = what leaves browsers their viewer, if it is its own
}

/**
 * Headers that make an untrusted file safe to serve: browsers save it instead of showing it, and run it in a sandbox if
 * they open it. Shared caches must not store it.
 */
export function downloadHeaders({
  fileName,
  contentType,
  size,
  sha256,
  isOwn = false,
  policy = isOwn ? OWN_POLICY : "sandbox; default-src 'none'",
}: Download): Record<string, string> {
  return {
    "content-type": contentType,
    "content-length": String(size),
    "content-disposition": dispositionOf(isOwn ? "inline" : "attachment", fileName),
    "content-security-policy": policy,
    "cache-control": "private, no-store",
    etag: `"${sha256}"`,
  };
}

/** Leaves browsers their viewer, which a sandbox or `default-src 'none'` would stop. */
const OWN_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NOT_PLAIN = /[^\x20-\x7e]|["%\\]/gu;
const NOT_ATTR_CHAR = /[*'()]/g;

/** A name beyond ASCII appears twice: simplified for old clients, and encoded. Source: RFC 6266, 4; RFC 8187. */
function dispositionOf(kind: "inline" | "attachment", fileName: string): string {
  const plain = fileName.replace(NOT_PLAIN, "_");
  const simple = `${kind}; filename="${plain}"`;
  return plain === fileName ? simple : `${simple}; filename*=UTF-8''${encodeExtended(fileName)}`;
}

function encodeExtended(text: string): string {
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(NOT_ATTR_CHAR, percent);
}
