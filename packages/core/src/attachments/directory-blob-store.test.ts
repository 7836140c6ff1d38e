import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobSuite } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { directoryBlobStore } from "./directory-blob-store.js";

const NOW = Date.UTC(2026, 0, 15, 12);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "budgetkit-blobs-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("the blob store in a directory", () => {
  const open = async () => directoryBlobStore(join(folder, "made/when needed"));
  blobSuite({ describe, it }, async () => ({ blobs: await open() }), { reopen: open });

  const filesIn = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

  async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) yield Buffer.from(part);
  }

  it("stores blob files under their ids, readable by the owner of the process alone", async () => {
    const blobs = directoryBlobStore(folder);
    await blobs.writeBlob("1042", chunks("abc"), NOW);
    await blobs.writeBlob("7", chunks("abc"), NOW);
    expect(filesIn()).toEqual(["07", "07/7", "42", "42/1042"]);
    expect(statSync(join(folder, "42/1042")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "42")).mode & 0o777).toBe(0o700);
  });

  it("shows a blob file under its name only when it is whole, and leaves no partial file", async () => {
    const blobs = directoryBlobStore(folder);
    const seen: string[][] = [];
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("half");
      seen.push(filesIn());
      throw new Error("gone");
    }
    await expect(blobs.writeBlob("1042", breaking(), NOW)).rejects.toThrow("gone");
    expect(seen).toEqual([["42", "42/1042.part"]]);
    expect(filesIn()).toEqual(["42"]);
  });

  it.each(["", "0", "007", "../1042", "a", "1042.part", "1e3"])("writes no blob under the id %j", async (id) => {
    await expect(directoryBlobStore(folder).writeBlob(id, chunks("abc"), NOW)).rejects.toThrow(RangeError);
    expect(filesIn()).toEqual([]);
  });

  it("removes leftovers of writes that a crash ended, once they are old", async () => {
    const blobs = directoryBlobStore(folder);
    for (const id of ["142", "242", "342"]) await blobs.writeBlob(id, chunks("abc"), NOW);
    for (const name of ["42/442.part", "42/542.part"]) writeFileSync(join(folder, name), "half");
    utimesSync(join(folder, "42/442.part"), new Date(NOW - 1), new Date(NOW - 1));
    utimesSync(join(folder, "42/542.part"), new Date(NOW), new Date(NOW));
    expect(await blobs.findBlobsBefore(NOW, null, 10)).toEqual({ ids: [], next: null });
    expect(readdirSync(join(folder, "42"))).toEqual(["142", "242", "342", "542.part"]);
  });

  it("ignores files that are not its own", async () => {
    const blobs = directoryBlobStore(folder);
    await blobs.writeBlob("142", chunks("abc"), NOW - 1);
    for (const name of ["readme.txt", "42/notes", "42/007"]) writeFileSync(join(folder, name), "mine");
    expect((await blobs.findBlobsBefore(NOW, null, 10)).ids).toEqual(["142"]);
    expect(filesIn()).toEqual(["42", "42/007", "42/142", "42/notes", "readme.txt"]);
  });

  it("rejects when its path is a file", async () => {
    writeFileSync(join(folder, "file"), "");
    const blobs = directoryBlobStore(join(folder, "file"));
    await expect(blobs.writeBlob("1042", chunks("abc"), NOW)).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await blobs.openBlob("1042")).toBeNull();
  });

  it.runIf(existsSync("/proc/self/fd"))("keeps no file open without a reader", async () => {
    const blobs = directoryBlobStore(folder);
    await blobs.writeBlob("1042", chunks("x".repeat(500_000)), NOW);
    const read = await blobs.openBlob("1042");
    for await (const _ of read ?? []) {
      expect(openFiles()).toEqual([join(folder, "42/1042")]);
      break;
    }
    await blobs.openBlob("1042");
    await expect.poll(openFiles).toEqual([]);
  });

  function openFiles(): string[] {
    const links = readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return []; // that of this look itself
      }
    });
    return links.filter((path) => path.startsWith(folder));
  }
});
