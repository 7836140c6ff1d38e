import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Instant } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { StoreUnavailable } from "../kernel/problem.js";
import type { BlobStore } from "./blob-store.js";

/** Suffix of a file during its write. */
const UNFINISHED = ".part";

/**
 * Stores blobs as files in a directory, which the first write creates; several processes may share it. A write creates a
 * temporary file, syncs it, renames it and syncs the folder. Folders are named by the last two digits of the ids, which
 * keeps them small.
 */
export function directoryBlobStore(path: string): BlobStore {
  const folderOf = (id: string) => join(path, id.slice(-2).padStart(2, "0"));
  const fileOf = (id: string) => join(folderOf(id), id);

  return {
    writeBlob: async (id, content, now) => {
      if (parseId(id) === null) throw new RangeError(`not an id: ${JSON.stringify(id)}`);
      const unfinished = `${fileOf(id)}${UNFINISHED}`;
      try {
        await makeFolder(path, folderOf(id));
        await writeDurably(unfinished, content, now);
        await rename(unfinished, fileOf(id));
        await syncFolder(folderOf(id));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw DISK_FULL.has(codeOf(error)) ? new StoreUnavailable("the disk is full") : error;
      }
    },

    openBlob: async (id) =>
      parseId(id) === null || (await writtenAt(fileOf(id))) === null ? null : contentOf(fileOf(id)),

    removeBlob: async (id) => {
      if (parseId(id) !== null) await rm(fileOf(id), { force: true });
    },

    findBlobsBefore: async (before, after, limit) => {
      const ids: string[] = [];
      let checked = 0;
      let last = after ?? "";
      for (const folder of await namesIn(path)) {
        if (folder < dirname(last)) continue;
        for (const name of await namesIn(join(path, folder))) {
          const position = `${folder}/${name}`;
          if (position <= last) continue;
          if (checked === limit) return { ids, next: last };
          checked += 1;
          last = position;
          const instant = await writtenAt(join(path, position));
          if (instant === null || instant >= before) continue;
          if (name.endsWith(UNFINISHED)) await rm(join(path, position), { force: true });
          else if (parseId(name) !== null) ids.push(name);
        }
      }
      return { ids, next: null };
    },
  };
}

async function writeDurably(path: string, content: AsyncIterable<Uint8Array>, now: Instant): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await writeFile(file, content); // writes each chunk before it reads the next one
    await file.utimes(new Date(now), new Date(now));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The first read opens the file; the end of the iteration closes it. */
async function* contentOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path);
}

async function makeFolder(path: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  await syncFolder(path);
  await syncFolder(dirname(path));
}

/** Makes names in the folder durable. Windows has no such call and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The time that writeDurably set; null when there is no such file. */
async function writtenAt(path: string): Promise<Instant | null> {
  return unlessMissing(async () => Math.round((await stat(path)).mtimeMs), null);
}

/** Sorted; empty when the path is not a folder. */
async function namesIn(path: string): Promise<string[]> {
  return unlessMissing(async () => (await readdir(path)).sort(), []);
}

async function unlessMissing<T, U>(read: () => Promise<T>, missing: U): Promise<T | U> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return missing;
    throw error;
  }
}

const DISK_FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
