/** A file that a route answers with. */
export interface Download {
  readonly fileName: string; // made safe
  readonly contentType: string;
  readonly size: number; // bytes
  readonly sha256: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * What keeps a file of somebody's making from acting on behalf of this site: it is saved and not shown, its type is not
 * guessed, and opened all the same it has no rights. Nobody between the two ends may keep it.
 */
export function downloadHeaders({ fileName, contentType, size, sha256 }: Download): Record<string, string> {
  return {
    "content-type": contentType,
    "content-length": String(size),
    "content-disposition": dispositionOf(fileName),
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "private, no-store",
    etag: `"${sha256}"`,
  };
}

const NOT_PLAIN = /[^\x20-\x7e]|["%\\]/gu;
const NOT_ATTR_CHAR = /[*'()]/g;

/** The name twice where it has more than plain ASCII: for the few that cannot read the second. Source: RFC 6266, 4; RFC 8187. */
function dispositionOf(fileName: string): string {
  const plain = fileName.replace(NOT_PLAIN, "_");
  const simple = `attachment; filename="${plain}"`;
  return plain === fileName ? simple : `${simple}; filename*=UTF-8''${encodeExtended(fileName)}`;
}

function encodeExtended(text: string): string {
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(NOT_ATTR_CHAR, percent);
}
