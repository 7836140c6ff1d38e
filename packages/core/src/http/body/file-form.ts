import { pipeline } from "node:stream/promises";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { err, type Result } from "neverthrow";
import type { IncomingFile } from "../../attachments/add-attachment.js";
import { ContentRefused } from "../../attachments/measured-content.js";
import { invalid, type Problem } from "../../kernel/problem.js";
import { memoizedSingleFlight } from "../../kernel/single-flight.js";

const PART = "file";

/** Loaded ahead of the first upload, by `lazy-interface.ts`. */
export const loadFormParser = memoizedSingleFlight(() => import("@fastify/busboy"));

/** A form may have a few short fields beside its file; they are ignored. */
const LIMITS = { files: 1, fields: 10, parts: 12, fieldSize: 1_024, headerPairs: 20, headerSize: 8 * 1_024 };
const MAX_FIELD_NAME = 64;

/**
 * Reads a form with one file, in the part `file`, and passes the file to `use` while its bytes still arrive. `use` sets
 * the pace: the next chunk of the body is read when it has taken the bytes before. The content ends only after the whole
 * form was valid; it throws ContentRefused for an invalid form, and the errors of the body.
 *
 * Errors: 400 for a form without that part, with other files, or that is incomplete; those of `use`.
 */
export async function readFileForm<T>(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  use: (file: IncomingFile) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const done = new AbortController();
  try {
    const file = await openForm(body, contentType, done.signal);
    return file === null ? err(missing) : await use(file);
  } catch (error) {
    if (error instanceof ContentRefused) return err(error.problem);
    throw error;
  } finally {
    done.abort(); // discards the unread rest
  }
}

/** Resolves when the part of the file begins; null = the form has no file. Rejects as the content would throw. */
async function openForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  signal: AbortSignal,
): Promise<IncomingFile | null> {
  const source = new BodySource(body);
  const parser = await createParser(contentType);
  parser.on("error", () => {}); // the pipeline reports errors; one may follow after its end
  const refuse = (problem: Problem) => void parser.destroy(new ContentRefused(problem));
  const begun = new Promise<IncomingFile>((resolve) => {
    parser.on("file", (name: string | undefined, file: BusboyFileStream, fileName: string, _: string, type: string) => {
      file.on("error", () => {}); // the content throws it
      parsed.catch((error: Error) => file.destroy(error));
      if (name === PART) resolve({ fileName, contentType: type, content: contentOf(file, parsed, source) });
      else refuse(wrongPart(name ?? ""));
    });
  });
  parser.on("field", (name: string | undefined) => {
    if (name === PART) refuse(invalid(PART, "INVALID_TYPE", "This must be a file with a name."));
  });
  parser.on("filesLimit", () => refuse(invalid(PART, "MAX_LENGTH", "A form takes one file.")));
  for (const limit of ["partsLimit", "fieldsLimit"] as const) parser.on(limit, () => refuse(tooManyParts));
  const parsed: Promise<void> = pipeline(source, parser, { signal });
  const ended = parsed.then(
    () => null,
    (error: unknown) => Promise.reject(source.failureOr(error)),
  );
  ended.catch(() => {}); // after `begun` the content throws it
  return Promise.race([begun, ended]);
}

/** Throws ContentRefused for an invalid boundary. */
async function createParser(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await loadFormParser();
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: LIMITS,
      preservePath: true, // addAttachment reduces a path to its name
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
  } catch {
    throw new ContentRefused(malformedForm);
  }
}

async function* contentOf(
  file: BusboyFileStream,
  parsed: Promise<void>,
  source: BodySource,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of file) yield chunk;
    await parsed;
  } catch (error) {
    throw source.failureOr(error);
  }
}

/** Keeps the error of the body, which the parser's own errors cannot be distinguished from. */
class BodySource implements AsyncIterable<Uint8Array> {
  #failure: { readonly error: unknown } | null = null;

  constructor(private readonly body: AsyncIterable<Uint8Array>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.body;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** The error of the body if it failed, else `error`: a ContentRefused as it is, any other as a malformed form. */
  failureOr(error: unknown): unknown {
    if (this.#failure !== null) return this.#failure.error;
    return error instanceof ContentRefused ? error : new ContentRefused(malformedForm);
  }
}

function wrongPart(part: string): Problem {
  return invalid(part.slice(0, MAX_FIELD_NAME), "INVALID_VALUE", `The file must be in the part ${PART}.`);
}

const malformedForm: Problem = { kind: "malformed", message: "The form is incomplete or malformed." };
const tooManyParts: Problem = { kind: "malformed", message: "The form has too many parts." };
const missing = invalid(PART, "REQUIRED", "The form needs a file in the part `file`.");
