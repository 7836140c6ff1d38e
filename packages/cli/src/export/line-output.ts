import { once } from "node:events";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import type { Writable } from "node:stream";
import { StartFailure } from "../terminal/failures.js";

/** The destination of an export. */
export interface LineOutput {
  /** Resolves when the next line can be written. */
  write(line: string): Promise<void>;
  /** Gives the file its final name. */
  finish(): Promise<void>;
  /** Removes the unfinished file. */
  abandon(): void;
}

/**
 * Standard output, or a file of mode 0600 that gets its name when it is complete. Throws a StartFailure for a bad name, and
 * when the temporary file exists.
 */
export async function lineOutput(path: string | undefined): Promise<LineOutput> {
  if (path === undefined)
    return { write: (line) => writeTo(process.stdout, line), finish: async () => {}, abandon: () => {} };
  const part = `${path}.part`;
  const file = createWriteStream(part, { flags: "wx", mode: 0o600 });
  try {
    await once(file, "open");
  } catch (error) {
    throw new StartFailure(`--output cannot be written: ${reasonOf(error, part)}`);
  }
  return {
    write: (line) => writeTo(file, line),
    finish: async () => {
      file.end();
      await once(file, "close");
      renameSync(part, path);
    },
    abandon: () => {
      file.destroy();
      rmSync(part, { force: true });
    },
  };
}

function reasonOf(error: unknown, part: string): string {
  if (!(error instanceof Error)) return String(error);
  const exists = "code" in error && error.code === "EEXIST";
  return exists ? `${part} exists. Remove it, unless another export is writing it.` : error.message;
}

async function writeTo(stream: Writable, line: string): Promise<void> {
  if (!stream.write(line)) await once(stream, "drain");
}
