import { pipeline } from "node:stream/promises";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { err, type Result } from "neverthrow";
import type { IncomingFile } from "../attachments/add-attachment.js";
import { ContentRefused } from "../attachments/measured-content.js";
import { once } from "../kernel/once.js";
import { invalid, type Problem } from "../kernel/problem.js";

const PART = "file";

/** With the first upload, if not before. */
export const loadFormParser = once(() => import("@fastify/busboy"));

/** Besides its file a form may have some short fields, which nobody reads. */
const LIMITS = { files: 1, fields: 10, parts: 12, fieldSize: 1_024, headerPairs: 20, headerSize: 8 * 1_024 };
const MAX_FIELD_NAME = 64;

/**
 * Reads a form with one file, in the part `file`, and hands the file to `use` while its bytes are still arriving. The
 * body is asked for its next chunk when the file's bytes before it were taken. The file's content ends only when the
 * whole form was sound; it throws ContentRefused for a form that turns out to be none, and what the body throws.
 *
 * Errors: 400 for a form without such a part, with other files, or that is cut off; those of `use`.
 */
export async function readFileForm<T>(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  use: (file: IncomingFile) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const leaving = new AbortController();
  try {
    const file = await openForm(body, contentType, leaving.signal);
    return file === null ? err(missing) : await use(file);
  } catch (error) {
    if (error instanceof ContentRefused) return err(error.problem);
    throw error;
  } finally {
    leaving.abort(); // whatever has not been read by now nobody wants
  }
}

/** The file, once its part begins; null = the form has ended without one. Rejects with what its content would throw. */
async function openForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  signal: AbortSignal,
): Promise<IncomingFile | null> {
  const source = new RememberedSource(body);
  const parser = await createParser(contentType);
  parser.on("error", () => {}); // the pipeline tells of them, and may be gone when the last one comes
  const refuse = (problem: Problem) => void parser.destroy(new ContentRefused(problem));
  const begun = new Promise<IncomingFile>((resolve) => {
    parser.on("file", (name: string | undefined, file: BusboyFileStream, fileName: string, _: string, type: string) => {
      file.on("error", () => {}); // its content throws what went wrong
      sound.catch((error: Error) => file.destroy(error));
      if (name === PART) resolve({ fileName, contentType: type, content: contentOf(file, sound, source) });
      else refuse(elsewhere(name ?? ""));
    });
  });
  parser.on("field", (name: string | undefined) => {
    if (name === PART) refuse(invalid(PART, "INVALID_TYPE", "This must be a file, with a name."));
  });
  parser.on("filesLimit", () => refuse(invalid(PART, "MAX_LENGTH", "A form takes one file.")));
  for (const limit of ["partsLimit", "fieldsLimit"] as const) parser.on(limit, () => refuse(overfull));
  const sound: Promise<void> = pipeline(source, parser, { signal });
  const ended = sound.then(
    () => null,
    (error: unknown) => Promise.reject(source.failureOr(error)),
  );
  ended.catch(() => {}); // whoever reads the file is told
  return Promise.race([begun, ended]);
}

/** Errors: malformed for a boundary that is none. */
async function createParser(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await loadFormParser();
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: LIMITS,
      preservePath: true, // what of a path is the name is decided elsewhere, for all files alike
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
  } catch {
    throw new ContentRefused(unsound);
  }
}

async function* contentOf(
  file: BusboyFileStream,
  sound: Promise<void>,
  source: RememberedSource,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of file) yield chunk;
    await sound;
  } catch (error) {
    throw source.failureOr(error);
  }
}

/** The body, and how it failed: the parser tells of its own failures and of those of the body alike. */
class RememberedSource implements AsyncIterable<Uint8Array> {
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

  /** What the body threw, or else that the form is not sound, unless `error` is a refusal already. */
  failureOr(error: unknown): unknown {
    if (this.#failure !== null) return this.#failure.error;
    return error instanceof ContentRefused ? error : new ContentRefused(unsound);
  }
}

function elsewhere(part: string): Problem {
  return invalid(part.slice(0, MAX_FIELD_NAME), "INVALID_VALUE", `The file must be in the part ${PART}.`);
}

const unsound: Problem = { kind: "malformed", message: "The form is cut off, or not well-formed." };
const overfull: Problem = { kind: "malformed", message: "The form has too many parts." };
const missing = invalid(PART, "REQUIRED", "The form needs a file in the part `file`.");
