import { once } from "node:events";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import type { Writable } from "node:stream";
import { StartFailure } from "../start-failure.js";

/** Where the lines of an export go. */
export interface LineOutput {
  /** Resolves when there is room for the next one. */
  write(line: string): Promise<void>;
  /** The file has its name from now on. */
  finish(): Promise<void>;
  /** Removes what was written to a file. */
  abandon(): void;
}

/**
 * Standard output, or a file for its owner alone, which appears under its name when it is complete. Throws a StartFailure for
 * a bad name, and where the file that takes the lines until then exists.
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
