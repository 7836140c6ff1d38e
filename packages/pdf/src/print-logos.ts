import { createHash } from "node:crypto";

/** The documents of a business have the same logo. Each is at most half a megabyte. */
const MAX_RECENT = 32;

/**
 * Keeps the logos that were reduced last, by their content: each is decoded once for all documents, also while several
 * are made. null = none, or an image that cannot be read.
 */
export function createPrintLogos(
  reduce: (bytes: Uint8Array) => Promise<Buffer | null>,
): (bytes: Uint8Array | null) => Promise<Buffer | null> {
  const recent = new Map<string, Promise<Buffer | null>>(); // the one that was used last is the last
  return (bytes) => {
    if (bytes === null) return Promise.resolve(null);
    const key = createHash("sha256").update(bytes).digest("hex");
    const logo = recent.get(key) ?? reduce(bytes);
    recent.delete(key);
    recent.set(key, logo);
    const [oldest] = recent.keys();
    if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest);
    logo.catch(() => recent.delete(key));
    return logo;
  };
}
