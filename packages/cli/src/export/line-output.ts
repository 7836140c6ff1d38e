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

/** Standard output, or a file, which appears under its name when it is complete. Throws a StartFailure for a bad name. */
export async function lineOutput(path: string | undefined): Promise<LineOutput> {
  if (path === undefined)
    return { write: (line) => writeTo(process.stdout, line), finish: async () => {}, abandon: () => {} };
  const part = `${path}.part`;
  const file = createWriteStream(part);
  try {
    await once(file, "open");
  } catch (error) {
    throw new StartFailure(`--output cannot be written: ${error instanceof Error ? error.message : String(error)}`);
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

async function writeTo(stream: Writable, line: string): Promise<void> {
  if (!stream.write(line)) await once(stream, "drain");
}
