import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Instant } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { StoreUnavailable } from "../kernel/problem.js";
import type { BlobStore } from "./blob-store.js";

/** At the end of the name of a file that is being written. */
const UNFINISHED = ".part";

/**
 * Blobs as files of a directory, which is made when it is first needed; several processes may share it. A file is
 * written under another name, brought to the disk and then given its name, which is brought to the disk as well. Files
 * are spread over folders by the end of their ids, so that no folder becomes very long.
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
        throw NO_ROOM.has(codeOf(error)) ? new StoreUnavailable("there is no room for a file") : error;
      }
    },

    openBlob: async (id) =>
      parseId(id) === null || (await writtenAt(fileOf(id))) === null ? null : contentOf(fileOf(id)),

    removeBlob: async (id) => {
      if (parseId(id) !== null) await rm(fileOf(id), { force: true });
    },

    findBlobsBefore: async (before, position, limit) => {
      const ids: string[] = [];
      let looked = 0;
      let last = position ?? "";
      for (const folder of await namesIn(path)) {
        if (folder < dirname(last)) continue;
        for (const name of await namesIn(join(path, folder))) {
          const place = `${folder}/${name}`;
          if (place <= last) continue;
          if (looked === limit) return { ids, next: last };
          looked += 1;
          last = place;
          const moment = await writtenAt(join(path, place));
          if (moment === null || moment >= before) continue;
          if (name.endsWith(UNFINISHED)) await rm(join(path, place), { force: true });
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
    await writeFile(file, content); // each chunk is written before the next one is asked for
    await file.utimes(new Date(now), new Date(now));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Opens the file at the first chunk that is asked for; whoever stops asking has it closed. */
async function* contentOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path);
}

async function makeFolder(path: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  await syncFolder(path);
  await syncFolder(dirname(path));
}

/** A name is on the disk once its folder is. Windows knows no such call, and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The moment that the file was given when it was written; null when there is none. */
async function writtenAt(path: string): Promise<Instant | null> {
  return unlessMissing(async () => Math.round((await stat(path)).mtimeMs), null);
}

/** In the order of their characters; none when it is no folder. */
async function namesIn(path: string): Promise<string[]> {
  return unlessMissing(async () => (await readdir(path)).sort(), []);
}

async function unlessMissing<T, U>(look: () => Promise<T>, missing: U): Promise<T | U> {
  try {
    return await look();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return missing;
    throw error;
  }
}

const NO_ROOM: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
