import { gzipSync } from "node:zlib";
import type { PublicDocument } from "./public-document.js";

const compressed = new WeakMap<PublicDocument, Uint8Array>();

/** The document by gzip, compressed at its first use and kept as long as the document is. */
export function compressedDocument(document: PublicDocument): Uint8Array {
  const known = compressed.get(document);
  if (known !== undefined) return known;
  const bytes = gzipSync(document.text);
  compressed.set(document, bytes);
  return bytes;
}
