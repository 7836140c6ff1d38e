import type { Instant } from "../kernel/clock.js";

/**
 * Stores the bytes of attachments. Blob names are ids of this service, never text of a client. One blob store serves one
 * database: blobs without a row there are removed.
 */
export interface BlobStore {
  /**
   * Stores all of `content` under `id`, or nothing: when `content` throws, the call rejects with that error and leaves no
   * blob. It reads the next chunk after it has stored the previous one. After it resolves, the blob survives a crash.
   * Replaces an existing blob. {@link findBlobsBefore} uses `now` as the time of writing.
   * Rejects with StoreUnavailable when the disk is full.
   */
  writeBlob(id: string, content: AsyncIterable<Uint8Array>, now: Instant): Promise<void>;

  /**
   * null when there is no such blob. The first read opens the content; the end of the iteration, early or not, closes it.
   * Chunks are read on demand.
   */
  openBlob(id: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** Does nothing when there is no such blob. */
  removeBlob(id: string): Promise<void>;

  /**
   * Checks at most `limit` blobs, beginning at the position of an earlier call (null = from the first), and returns those
   * written before `before`. Also removes unfinished writes that began before then.
   */
  findBlobsBefore(before: Instant, position: string | null, limit: number): Promise<BlobsFound>;
}

export interface BlobsFound {
  /** The names of the blobs. */
  readonly ids: readonly string[];
  /** Position for the next call; null = no more blobs. */
  readonly next: string | null;
}
