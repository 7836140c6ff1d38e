import assert from "node:assert/strict";
import type { BlobStore } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "./fixtures.js";
import type { SuiteRunner } from "./store-suite/suite.js";

/** An empty blob store of its own for one case. */
export type MakeBlobStore = () => Promise<{ readonly blobs: BlobStore; close?(): Promise<void> }>;

export interface BlobSuiteOptions {
  /** Opens another blob store on the same data as the last that was made. Left out: nothing outlives the store. */
  readonly reopen?: () => Promise<BlobStore>;
}

type Case = (name: string, body: (blobs: BlobStore) => Promise<void>) => void;

/**
 * Every promise of the BlobStore port, as cases that any blob store can be held to:
 *
 * ```ts
 * blobSuite({ describe, it }, async () => ({ blobs: myBlobStore() }));
 * ```
 */
export function blobSuite(runner: SuiteRunner, make: MakeBlobStore, { reopen }: BlobSuiteOptions = {}): void {
  const it: Case = (name, body) =>
    void runner.it(name, async () => {
      const { blobs, close } = await make();
      try {
        await body(blobs);
      } finally {
        await close?.();
      }
    });
  runner.describe("a blob", () => {
    contentCases(it);
    failureCases(it);
    if (reopen === undefined) return;
    it("a blob is there after the store was opened again", async (blobs) => {
      await blobs.writeBlob("1042", chunks("abc"), NOW);
      assert.equal(await textOf(await reopen(), "1042"), "abc");
    });
  });
  runner.describe("finding blobs by their age", () => ageCases(it));
}

function contentCases(it: Case): void {
  for (const parts of [[], [""], ["a"], ["abc", "", "def"], ["x".repeat(200_000), "y".repeat(65_536), "z"]]) {
    it(`reads back a blob of ${parts.join("").length} bytes in ${parts.length} chunks`, async (blobs) => {
      await blobs.writeBlob("1042", chunks(...parts), NOW);
      assert.equal(await textOf(blobs, "1042"), parts.join(""));
      assert.equal(await textOf(blobs, "1042"), parts.join(""), "a second time");
    });
  }

  it("a blob keeps every byte", async (blobs) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await blobs.writeBlob("7", chunks(bytes), NOW);
    assert.deepEqual(Buffer.concat(await piecesOf(blobs, "7")), Buffer.from(bytes));
  });

  it("a blob keeps a chunk as it was when it was handed over", async (blobs) => {
    const reused = new Uint8Array(1);
    await blobs.writeBlob("7", reusing(reused, [1, 2, 3]), NOW);
    assert.deepEqual([...Buffer.concat(await piecesOf(blobs, "7"))], [1, 2, 3]);
  });

  it("a blob belongs to its name alone", async (blobs) => {
    await blobs.writeBlob("42", chunks("a"), NOW);
    await blobs.writeBlob("1042", chunks("b"), NOW);
    await blobs.removeBlob("42");
    assert.deepEqual([await blobs.openBlob("42"), await textOf(blobs, "1042")], [null, "b"]);
  });

  it("writing a blob replaces another of its name", async (blobs) => {
    await blobs.writeBlob("42", chunks("a longer one"), NOW);
    await blobs.writeBlob("42", chunks("b"), NOW);
    assert.equal(await textOf(blobs, "42"), "b");
  });

  it("an unknown blob is null, and removed without a fault", async (blobs) => {
    await blobs.removeBlob("42");
    for (const id of ["42", "", "..", "../42", "0", "007", "a/b", "%2e", "\u0000"]) {
      assert.equal(await blobs.openBlob(id), null, id);
      await blobs.removeBlob(id);
    }
  });

  it("opens a blob without reading it, and reads it in part", async (blobs) => {
    await blobs.writeBlob("42", chunks("x".repeat(300_000)), NOW);
    await blobs.openBlob("42");
    const content = await blobs.openBlob("42");
    assert.ok(content !== null);
    for await (const chunk of content) {
      assert.ok(chunk.byteLength > 0);
      break;
    }
    assert.equal((await textOf(blobs, "42")).length, 300_000);
  });
}

function failureCases(it: Case): void {
  it("requests one chunk of a blob after the other", async (blobs) => {
    let asked = 0;
    let open = 0;
    const content: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          asked += 1;
          open += 1;
          assert.equal(open, 1, "two chunks were asked for at once");
          await Promise.resolve();
          open -= 1;
          return asked > 20 ? { done: true, value: undefined } : { done: false, value: new Uint8Array(70_000) };
        },
      }),
    };
    await blobs.writeBlob("42", content, NOW);
    assert.equal(asked, 21);
  });

  it("a blob whose content breaks off was never there", async (blobs) => {
    const cause = new Error("the client went away");
    await assert.rejects(blobs.writeBlob("42", breaking(cause, "abc"), NOW), (error) => error === cause);
    assert.equal(await blobs.openBlob("42"), null);
    assert.deepEqual(await blobs.findBlobsBefore(NOW + 1, null, 10), { ids: [], next: null });
  });

  it("a blob stays unchanged when its replacement breaks off", async (blobs) => {
    await blobs.writeBlob("42", chunks("whole"), NOW);
    await assert.rejects(blobs.writeBlob("42", breaking(new Error("gone"), "half"), NOW));
    assert.equal(await textOf(blobs, "42"), "whole");
  });
}

function ageCases(it: Case): void {
  it("finds blobs that were written before a moment", async (blobs) => {
    for (const [id, age] of [
      ["1", 0],
      ["2", 1],
      ["103", 2],
    ] as const) {
      await blobs.writeBlob(id, chunks(id), NOW - age);
    }
    const before = async (moment: number) => [...(await blobs.findBlobsBefore(moment, null, 10)).ids].sort();
    assert.deepEqual(await before(NOW - 2), []);
    assert.deepEqual(await before(NOW), ["103", "2"]);
    assert.deepEqual(await before(NOW + 1), ["1", "103", "2"]);
  });

  it("finds a few blobs at a time and each of them once", async (blobs) => {
    const ids = Array.from({ length: 23 }, (_, index) => String(95 + index * 50));
    for (const [index, id] of ids.entries()) await blobs.writeBlob(id, chunks(id), index % 2 === 0 ? NOW - 1 : NOW);
    const met: string[] = [];
    let rounds = 0;
    let position: string | null = null;
    do {
      const found: Awaited<ReturnType<BlobStore["findBlobsBefore"]>> = await blobs.findBlobsBefore(NOW, position, 4);
      met.push(...found.ids);
      position = found.next;
      rounds += 1;
    } while (position !== null && rounds < 100);
    assert.deepEqual(met.sort(), ids.filter((_, index) => index % 2 === 0).sort());
    assert.ok(rounds >= 6, `${rounds} rounds`);
  });

  it("continues after blobs that it returned and that were removed", async (blobs) => {
    for (const id of ["101", "201", "301"]) await blobs.writeBlob(id, chunks(id), NOW);
    const first = await blobs.findBlobsBefore(NOW + 1, null, 2);
    for (const id of first.ids) await blobs.removeBlob(id);
    const second = await blobs.findBlobsBefore(NOW + 1, first.next, 2);
    assert.deepEqual([...first.ids, ...second.ids].sort(), ["101", "201", "301"]);
  });

  it("finds no blob in an empty store", async (blobs) => {
    assert.deepEqual(await blobs.findBlobsBefore(NOW, null, 10), { ids: [], next: null });
  });
}

async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

async function* reusing(chunk: Uint8Array, values: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const value of values) {
    chunk[0] = value;
    yield chunk;
  }
}

async function* breaking(cause: Error, ...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  yield* chunks(...parts);
  throw cause;
}

async function piecesOf(blobs: BlobStore, id: string): Promise<Uint8Array[]> {
  const content = await blobs.openBlob(id);
  assert.ok(content !== null, `blob ${id} is not there`);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return pieces;
}

async function textOf(blobs: BlobStore, id: string): Promise<string> {
  return Buffer.concat(await piecesOf(blobs, id)).toString();
}
