import { ok, type Result } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { Problem } from "../kernel/problem.js";
import { aForm } from "../testing/http-suite/forms.js";
import { drawInteger, seededRandom } from "../testing/seeded-random.js";
import { readFileForm } from "./file-form.js";

const { body, headers } = aForm(
  { name: "note", content: "first" },
  { name: "file", fileName: "a.txt", contentType: "text/plain", content: "abc\r\n--def" },
  { name: "note", content: "last" },
);
const TYPE = headers["content-type"] ?? "";
const END = "\r\n".length; // what is behind the last boundary counts for nothing

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
  it("finds the file however the body is cut into pieces", async () => {
    const random = seededRandom(7);
    for (let times = 0; times < 200; times += 1) {
      const sizes = () => 1 + drawInteger(random, 1 + (times % 60));
      expect((await read(inPieces(body, sizes)))._unsafeUnwrap()).toBe("abc\r\n--def");
    }
  });

  it("refuses a form that is cut off, wherever that is", async () => {
    for (let length = 0; length < body.length - END; length += 1) {
      for (const size of [1, 7, body.length]) {
        const result = await read(inPieces(body.subarray(0, length), () => size));
        expect(result.isErr() && result.error.kind, `after ${length} bytes, in pieces of ${size}`).toMatch(
          /malformed|invalid/,
        );
      }
    }
  });

  it("waits for the end of the form with a file that was whole long before", async () => {
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

  it("comes to an end whatever it is given", async () => {
    const random = seededRandom(8);
    for (let times = 0; times < 1_000; times += 1) {
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

  it.each(["multipart/form-data", "text/plain", "multipart/form-data; boundary", ""])("refuses %j", async (type) => {
    const result = await read(
      inPieces(body, () => 50),
      type,
    );
    expect(result._unsafeUnwrapErr().kind).toBe("malformed");
  });

  it("passes on what the body throws, and what its reader does", async () => {
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

  it("stops reading when its reader does", async () => {
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
