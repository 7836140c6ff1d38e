import { createHash } from "node:crypto";
import { type Clock, type Instant, MINUTE_MS } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import { MAX_FILE_BYTES } from "./attachment.js";

/**
 * How long a file may take to arrive. A blob has its row long before the upkeep, which waits for an hour, could take it
 * for a leftover; and what an upload holds of a key's quota never lapses before the upload ends.
 */
const MAX_ARRIVAL_MS = 30 * MINUTE_MS;

/** Thrown through whoever stores the content, for the operation that handed it over to catch. */
export class ContentRefused extends Error {
  override readonly name = "ContentRefused";

  constructor(readonly problem: Problem) {
    super("the content was refused");
  }
}

/** Bytes on their way into a blob: counted and digested as they pass, and ended where they go beyond what is allowed. */
export class MeasuredContent implements AsyncIterable<Uint8Array> {
  readonly #digest = createHash("sha256");
  size = 0;

  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly clock: Clock,
    private readonly since: Instant,
  ) {}

  /** Throws ContentRefused (too-large, malformed for one that takes too long) and what the source throws. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.source) {
      this.size += chunk.byteLength;
      if (this.size > MAX_FILE_BYTES) throw new ContentRefused({ kind: "too-large", limitBytes: MAX_FILE_BYTES });
      this.#refuseWhenLate();
      this.#digest.update(chunk);
      yield chunk;
    }
    this.#refuseWhenLate();
  }

  /** In lower-case hexadecimal; to be asked for once, after the end. */
  sha256(): string {
    return this.#digest.digest("hex");
  }

  #refuseWhenLate(): void {
    if (this.clock.now() - this.since <= MAX_ARRIVAL_MS) return;
    const message = `The file took longer than ${MAX_ARRIVAL_MS / MINUTE_MS} minutes to arrive.`;
    throw new ContentRefused({ kind: "malformed", message });
  }
}
