import { err, type Result } from "neverthrow";
import type { IncomingFile } from "../attachments/add-attachment.js";
import { MAX_FILE_BYTES } from "../attachments/attachment.js";
import { ContentRefused } from "../attachments/measured-content.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { randomToken } from "../kernel/digest.js";
import { invalid, type Problem } from "../kernel/problem.js";
import { UPLOAD_WINDOW, uploadSubject } from "../limits/upload-quota.js";
import { readFileForm } from "./file-form.js";
import type { HttpContext } from "./http-context.js";
import type { ApiRequest } from "./message.js";

/** A body that a route reads by itself. */
export interface Upload {
  readonly contentType: string;
  readonly announcedBytes: number | null; // null = the client has not said
  body(): AsyncIterable<Uint8Array>;
  /** Judges the caller once more, after the body has come; gives that moment. It is not counted again. */
  judgeAgain(): Promise<Result<Instant, Problem>>;
}

export function uploadOf(request: ApiRequest, judgeAgain: Upload["judgeAgain"]): Upload {
  return {
    get contentType() {
      return request.header("content-type") ?? "";
    },
    get announcedBytes() {
      const length = request.header("content-length");
      return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
    },
    body: () => request.streamBody(),
    judgeAgain,
  };
}

type Confirm = (size: number) => Promise<Result<Instant, Problem>>;

/**
 * Takes one file from a form and charges its bytes to the key: what was announced is judged before anything is read,
 * and what was received counts whatever comes of it. `use` asks `confirm` when it has all the bytes.
 * Errors: 400, 413, 429 in bytes; whatever the caller may not do any more; those of `use`.
 */
export async function receiveFile<T>(
  { context, upload }: { readonly context: HttpContext; readonly upload: Upload },
  actor: Extract<Actor, { kind: "key" }>,
  use: (file: IncomingFile, confirm: Confirm) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const { announcedBytes: announced } = upload;
  if (announced === 0) return err(noBody);
  if (announced !== null && announced > MAX_FILE_BYTES + FORM_BYTES) return err(tooLarge);
  const meter = new UploadMeter(context, actor);
  const refusal = await meter.begin(announced);
  if (refusal !== null) return err(refusal);
  let counted: number | null = null;
  try {
    const result = await readFileForm(meter.metered(upload.body()), upload.contentType, async (file) => {
      let size = 0;
      const confirm: Confirm = async (bytes) => {
        size = bytes;
        const unheld = await meter.holdFor(bytes);
        return unheld === null ? upload.judgeAgain() : err(unheld);
      };
      const used = await use(file, confirm);
      if (used.isOk()) counted = size;
      return used;
    });
    return result.isErr() && meter.received === 0 ? err(noBody) : result;
  } finally {
    await meter.settle(counted);
  }
}

/** What a form may have around its file, in bytes, before that counts as well. */
const FORM_BYTES = 16 * 1024;
/** How much room an upload that does not say its length holds ahead. */
const BLOCK_BYTES = 1024 * 1024;
const HOLD_ID_BYTES = 16;

/** The bytes of one upload against the quota of its key. */
class UploadMeter {
  received = 0;
  #held = 0;
  readonly #subject: string;
  readonly #holdId: string;

  constructor(
    private readonly context: HttpContext,
    { businessId, id }: { readonly businessId: string; readonly id: string },
  ) {
    this.#subject = uploadSubject(businessId, id);
    this.#holdId = randomToken(context.random, HOLD_ID_BYTES);
  }

  /** Holds room for what is to come. null = there is room. */
  begin(announced: number | null): Promise<Problem | null> {
    const needed = announced === null ? 1 : Math.max(1, announced - FORM_BYTES);
    return this.#hold(needed, announced ?? BLOCK_BYTES);
  }

  /** The body, with room held for all that has passed. Throws ContentRefused for too much, and for one that breaks off. */
  async *metered(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of readable(body)) {
      this.received += chunk.byteLength;
      if (this.received > MAX_FILE_BYTES + FORM_BYTES) throw new ContentRefused(tooLarge);
      const refusal = await this.holdFor(this.received - FORM_BYTES, this.received + BLOCK_BYTES);
      if (refusal !== null) throw new ContentRefused(refusal);
      yield chunk;
    }
  }

  /** null = so many bytes are held. */
  async holdFor(needed: number, wanted: number = needed): Promise<Problem | null> {
    return needed <= this.#held ? null : this.#hold(needed, wanted);
  }

  /** Counts the file's bytes, and what was around them beyond the usual; of a failed upload (null) all that was received. */
  async settle(fileBytes: number | null): Promise<void> {
    const counted = fileBytes === null ? this.received : Math.max(fileBytes, this.received - FORM_BYTES);
    const bytes = Math.min(counted, this.#held);
    const { store, clock, onError } = this.context.attachments;
    try {
      await store.settleUpload(this.#subject, this.#holdId, bytes, UPLOAD_WINDOW, clock.now());
    } catch (error) {
      onError(error); // the hold goes on counting in its place
    }
  }

  async #hold(needed: number, wanted: number): Promise<Problem | null> {
    const { store, clock } = this.context.attachments;
    const hold = { id: this.#holdId, needed, wanted: Math.max(needed, Math.min(wanted, MAX_FILE_BYTES)) };
    const { held, room, fitsAt } = await store.holdUpload(this.#subject, hold, UPLOAD_WINDOW, clock.now());
    if (held !== null) {
      this.#held = held;
      return null;
    }
    const message = "Too many bytes were uploaded within an hour; try later.";
    return { kind: "rate-limited", limit: UPLOAD_WINDOW.limit, remaining: room, resetAtMs: fitsAt, message };
  }
}

/** The client has gone, or its framing was broken: nothing that the operator could do about it. */
async function* readable(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch {
    throw new ContentRefused({ kind: "malformed", message: "The body could not be read to its end." });
  }
}

const noBody = invalid("", "REQUIRED", "The request needs a body.");
const tooLarge: Problem = { kind: "too-large", limitBytes: MAX_FILE_BYTES };
