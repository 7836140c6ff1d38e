/** The PDFs that were made last, and those that are being made, by what they show. */
export type RecentPdfs = Map<string, Promise<Uint8Array>>;

const MAX_KEPT = 50;
/** A larger file is not kept: fifty of them would be too much memory. */
const MAX_KEPT_BYTES = 256 * 1024;

/**
 * Makes a PDF, unless the same one was made before: everyone who has a link may ask for its PDF again and again, and each one
 * costs a hundred times the page of the link. A failure is not kept.
 */
export async function madeOnce(
  recent: RecentPdfs,
  key: string,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const made = recent.get(key) ?? make();
  recent.delete(key);
  recent.set(key, made); // the one that was asked for last is the last
  const [oldest] = recent.keys();
  if (recent.size > MAX_KEPT && oldest !== undefined) recent.delete(oldest);
  const forget = () => {
    if (recent.get(key) === made) recent.delete(key);
  };
  try {
    const content = await made;
    if (content.byteLength > MAX_KEPT_BYTES) forget();
    return Uint8Array.from(content); // the caller's own
  } catch (error) {
    forget();
    throw error;
  }
}
