import type { Instant } from "../kernel/clock.js";

/**
 * Where the bytes of attachments are kept. Names are ids of this service, and never a client's text. One blob store
 * serves one database: what has no row in it is removed as a leftover.
 */
export interface BlobStore {
  /**
   * Keeps `content` under `id`, whole or not at all: when `content` throws, the call rejects with the same error and
   * nothing stays behind. It asks for the next chunk when the one before is stored. Once it resolves, the blob survives
   * a crash. A blob of that name is replaced. `now` is the moment that {@link findBlobsBefore} goes by.
   * Rejects with StoreUnavailable when there is no room.
   */
  writeBlob(id: string, content: AsyncIterable<Uint8Array>, now: Instant): Promise<void>;

  /**
   * The content; null when there is no such blob. It is opened by the first chunk that is asked for, read no further
   * than asked for, and let go of at the end or when the iteration is ended.
   */
  openBlob(id: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Does nothing when there is no such blob. */
  removeBlob(id: string): Promise<void>;

  /**
   * Looks at no more than `limit` blobs, from a position that an earlier call gave (null = from the first), and tells
   * which of them were written before `before`. Removes on the way what writes left that began before then and never
   * ended.
   */
  findBlobsBefore(before: Instant, position: string | null, limit: number): Promise<BlobsFound>;
}

export interface BlobsFound {
  readonly ids: readonly string[];
  readonly next: string | null; // where to go on; null = there are no more
}
