import { createHash } from "node:crypto";
import { type Clock, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { type Problem, tooLarge } from "../kernel/problem.js";
import { MAX_FILE_BYTES } from "./attachment.js";

/**
 * Longest duration of an upload. It is shorter than the hour after which the sweep treats a blob without a row as an
 * orphan, and than the hour after which a hold on the upload quota lapses.
 */
const MAX_UPLOAD_MS = 30 * MINUTE_MS;

/** Thrown from the iteration, so it passes through the blob store to the operation that started the upload. */
export class ContentRefused extends Error {
  override readonly name = "ContentRefused";

  constructor(readonly problem: Problem) {
    super("the content was refused");
  }
}

/** Counts and digests the bytes on their way into a blob, and refuses content that is too large or too slow. */
export class MeasuredContent implements AsyncIterable<Uint8Array> {
  readonly #digest = createHash("sha256");
  size = 0;

  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly clock: Clock,
    private readonly since: Instant,
  ) {}

  /** Throws ContentRefused (too-large; malformed when too slow) and the errors of the source. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.source) {
      this.size += chunk.byteLength;
      if (this.size > MAX_FILE_BYTES) throw new ContentRefused(tooLarge(MAX_FILE_BYTES));
      this.#refuseWhenLate();
      this.#digest.update(chunk);
      yield chunk;
    }
    this.#refuseWhenLate();
  }

  /** In lower-case hexadecimal. Call it once, after the last chunk. */
  sha256(): string {
    return this.#digest.digest("hex");
  }

  #refuseWhenLate(): void {
    if (this.clock.now() - this.since <= MAX_UPLOAD_MS) return;
    const message = `The file took longer than ${MAX_UPLOAD_MS / MINUTE_MS} minutes to arrive.`;
    throw new ContentRefused({ kind: "malformed", message });
  }
}
