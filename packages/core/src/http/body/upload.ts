import { err, type Result } from "neverthrow";
import type { PublicCaller } from "../../access/authenticate.js";
import type { IncomingFile } from "../../attachments/add-attachment.js";
import { MAX_FILE_BYTES } from "../../attachments/attachment.js";
import { ContentRefused } from "../../attachments/measured-content.js";
import type { Instant } from "../../kernel/clock.js";
import { invalid, type Problem, tooLarge } from "../../kernel/problem.js";
import { randomToken } from "../../kernel/random.js";
import { UPLOAD_WINDOW, uploadSubject, userUploadSubject } from "../../limits/upload-quota.js";
import type { HttpContext } from "../http-context.js";
import { readFileForm } from "./file-form.js";
import { isBodyTaken } from "./receive-body.js";

/** A body that the handler reads itself. */
export interface Upload {
  readonly contentType: string;
  readonly announcedBytes: number | null; // Content-Length; null = not given
  body(): AsyncIterable<Uint8Array>;
  /** Repeats the authorization after the body has arrived, without counting the request again; returns the time. */
  reauthorize(): Promise<Result<Instant, Problem>>;
}

/**
 * Reads one file of at most `maxBytes` from a form. The Content-Length is checked before reading, and the size of the whole
 * form while it arrives, whatever its parts are. Errors: 400, 413; those of `use`.
 */
export async function receiveSmallFile<T>(
  upload: Upload,
  maxBytes: number,
  use: (file: IncomingFile) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  if (upload.announcedBytes === 0) return err(missingBody);
  if ((upload.announcedBytes ?? 0) > maxBytes + FORM_BYTES) return err(tooLarge(maxBytes));
  return readFileForm(boundedForm(upload.body(), maxBytes), upload.contentType, use);
}

type Confirm = (size: number) => Promise<Result<Instant, Problem>>;

/**
 * Reads one file from a form and charges its bytes to the caller's upload quota. The Content-Length is checked before
 * reading. A refused upload charges nothing: the caller's request limit bounds those. `use` calls `confirm` after the last
 * byte; an unexpected error after that leaves the bytes charged, because the file may have been attached.
 * Errors: 400, 413, 429 (quota in bytes); those of the repeated authorization; those of `use`.
 */
export async function receiveFile<T>(
  { context, upload }: { readonly context: HttpContext; readonly upload: Upload },
  actor: PublicCaller,
  use: (file: IncomingFile, confirm: Confirm) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const { announcedBytes: announced } = upload;
  if (announced === 0) return err(missingBody);
  if (announced !== null && announced > MAX_FILE_BYTES + FORM_BYTES) return err(fileTooLarge);
  const meter = new UploadMeter(context, actor);
  const refusal = await meter.begin(announced);
  if (refusal !== null) return err(refusal);
  let fileBytes: number | null = null;
  try {
    const result = await readFileForm(meter.metered(upload.body()), upload.contentType, async (file) => {
      const confirm: Confirm = async (bytes) => {
        const unheld = await meter.holdFor(bytes);
        if (unheld !== null) return err(unheld);
        fileBytes = bytes;
        return upload.reauthorize();
      };
      return use(file, confirm);
    });
    if (result.isErr()) fileBytes = null;
    return result.isErr() && meter.received === 0 ? err(missingBody) : result;
  } finally {
    await meter.settle(fileBytes);
  }
}

/** Bytes around the file that do not count against the quota. */
const FORM_BYTES = 16 * 1024;
/** The quota that an upload of unknown length reserves ahead. */
const BLOCK_BYTES = 1024 * 1024;
const HOLD_ID_BYTES = 16;

/** Charges one upload to the quota of its caller: reserves bytes while they arrive, and settles at the end. */
class UploadMeter {
  received = 0;
  #held = 0;
  readonly #subject: string;
  readonly #holdId: string;

  constructor(
    private readonly context: HttpContext,
    { kind, businessId, id }: PublicCaller,
  ) {
    this.#subject = kind === "key" ? uploadSubject(businessId, id) : userUploadSubject(businessId, id);
    this.#holdId = randomToken(context.random, HOLD_ID_BYTES);
  }

  /** Reserves bytes before reading. null = reserved. */
  begin(announced: number | null): Promise<Problem | null> {
    const needed = announced === null ? 1 : Math.max(1, announced - FORM_BYTES);
    return this.#hold(needed, announced ?? BLOCK_BYTES);
  }

  /** The body; reserves each chunk before it is passed on. Throws ContentRefused beyond the limits or if the body fails. */
  async *metered(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of boundedForm(body, MAX_FILE_BYTES)) {
      this.received += chunk.byteLength;
      const refusal = await this.holdFor(this.received - FORM_BYTES, this.received + BLOCK_BYTES);
      if (refusal !== null) throw new ContentRefused(refusal);
      yield chunk;
    }
  }

  /** Reserves `needed` bytes in total, if possible `wanted`. null = reserved. */
  async holdFor(needed: number, wanted: number = needed): Promise<Problem | null> {
    return needed <= this.#held ? null : this.#hold(needed, wanted);
  }

  /** Replaces the reservation by the final count; `fileBytes` null = nothing was attached, so nothing counts. */
  async settle(fileBytes: number | null): Promise<void> {
    const counted = fileBytes === null ? 0 : Math.max(fileBytes, this.received - FORM_BYTES);
    const bytes = Math.min(counted, this.#held);
    const { store, clock, onError } = this.context.attachments;
    try {
      await store.settleUpload(this.#subject, this.#holdId, bytes, UPLOAD_WINDOW, clock.now());
    } catch (error) {
      onError(error); // the reservation keeps counting instead
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
    const message = "The hourly upload quota is used up. Try again later.";
    return { kind: "rate-limited", limit: UPLOAD_WINDOW.limit, remaining: room, resetAtMs: fitsAt, message };
  }
}

/** The body of a form with a file of at most `maxBytes`. Throws ContentRefused beyond that or if the body fails. */
async function* boundedForm(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = maxBytes + FORM_BYTES;
  for await (const chunk of readable(body)) {
    left -= chunk.byteLength;
    if (left < 0) throw new ContentRefused(tooLarge(maxBytes));
    yield chunk;
  }
}

/** The client disconnected or sent broken framing, so the operator gets no error report. */
async function* readable(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (error) {
    if (isBodyTaken(error)) throw error;
    throw new ContentRefused({ kind: "malformed", message: "The body is incomplete." });
  }
}

const missingBody = invalid("", "REQUIRED", "The request needs a body.");
const fileTooLarge = tooLarge(MAX_FILE_BYTES);
