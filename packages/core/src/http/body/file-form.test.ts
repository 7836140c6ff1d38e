import { aForm, drawInteger, rounds, seededRandom } from "@budgetkit/testing";
import { ok, type Result } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../kernel/problem.js";
import { readFileForm } from "./file-form.js";

const DAMAGED_BODIES = rounds({ small: 200, full: 1_000 });
/** Reading a body byte by byte takes most of the time, so a small run tries it at every fifth length. */
const BYTEWISE_STEP = rounds({ small: 5, full: 1 });

const { body, headers } = aForm(
  { name: "note", content: "first" },
  { name: "file", fileName: "a.txt", contentType: "text/plain", content: "abc\r\n--def" },
  { name: "note", content: "last" },
);
const TYPE = headers["content-type"] ?? "";
const END = "\r\n".length; // after the last boundary

async function* inPieces(bytes: Uint8Array, sizes: () => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + sizes();
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** The file's text, or the problem. */
function read(pieces: AsyncIterable<Uint8Array>, contentType = TYPE): Promise<Result<string, Problem>> {
  return readFileForm(pieces, contentType, async ({ content }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return ok(Buffer.concat(chunks).toString());
  });
}

describe("readFileForm", () => {
  it("readFileForm finds the file in a body of any chunk sizes", async () => {
    const random = seededRandom(7);
    for (let times = 0; times < 200; times += 1) {
      const sizes = () => 1 + drawInteger(random, 1 + (times % 60));
      expect((await read(inPieces(body, sizes)))._unsafeUnwrap()).toBe("abc\r\n--def");
    }
  });

  it("readFileForm refuses a form that ends early, at any byte", async () => {
    for (let length = 0; length < body.length - END; length += 1) {
      for (const size of length % BYTEWISE_STEP === 0 ? [1, 7, body.length] : [7, body.length]) {
        const result = await read(inPieces(body.subarray(0, length), () => size));
        expect(result.isErr() && result.error.kind, `after ${length} bytes, in pieces of ${size}`).toMatch(
          /malformed|invalid/,
        );
      }
    }
  });

  it("readFileForm ends a complete file only at the end of the form", async () => {
    const fileEnd = Buffer.from(body).indexOf("last");
    async function* halting(rest: Uint8Array): AsyncGenerator<Uint8Array> {
      yield body.subarray(0, fileEnd);
      for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate);
      yield rest;
    }
    expect((await read(halting(body.subarray(fileEnd))))._unsafeUnwrap()).toBe("abc\r\n--def");
    for (const end of [fileEnd, fileEnd + 4, body.length - 5]) {
      expect((await read(halting(body.subarray(fileEnd, end))))._unsafeUnwrapErr().kind).toBe("malformed");
    }
  });

  it("readFileForm ends for every corrupted form", async () => {
    const random = seededRandom(8);
    for (let times = 0; times < DAMAGED_BODIES; times += 1) {
      const bytes = Buffer.from(body);
      for (let changes = 0; changes < 1 + (times % 8); changes += 1) {
        const at = drawInteger(random, bytes.length);
        if (times % 2 === 0) bytes[at] = drawInteger(random, 256);
        else bytes.copyWithin(at, drawInteger(random, bytes.length), drawInteger(random, bytes.length));
      }
      const result = await read(inPieces(bytes, () => 1 + drawInteger(random, 40)));
      if (result.isErr()) expect(result.error.kind).toMatch(/malformed|invalid/);
    }
  });

  it.each(["multipart/form-data", "text/plain", "multipart/form-data; boundary", ""])(
    "readFileForm refuses %j",
    async (type) => {
      const result = await read(
        inPieces(body, () => 50),
        type,
      );
      expect(result._unsafeUnwrapErr().kind).toBe("malformed");
    },
  );

  it("readFileForm rejects with the error of the body or of its reader", async () => {
    const cause = new Error("locked");
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield body.subarray(0, 250);
      throw cause;
    }
    await expect(read(breaking())).rejects.toBe(cause);
    await expect(
      readFileForm(
        inPieces(body, () => 50),
        TYPE,
        () => Promise.reject(cause),
      ),
    ).rejects.toBe(cause);
  });

  it("readFileForm stops reading when its reader stops", async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield body.subarray(0, 250);
        for (;;) yield new Uint8Array(10_000);
      } finally {
        ended = true;
      }
    }
    const result = await readFileForm(endless(), TYPE, async ({ content }) => {
      for await (const _ of content) break;
      return ok("enough");
    });
    expect(result._unsafeUnwrap()).toBe("enough");
    await expect.poll(() => ended).toBe(true);
  });
});
