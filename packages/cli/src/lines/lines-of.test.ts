import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { linesOf } from "./lines-of.js";

async function read(chunks: readonly Uint8Array[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(chunks))) lines.push(line);
  return lines;
}

describe("linesOf", () => {
  it.each([
    ["\\n", "a\nb\n", ["a", "b"]],
    ["\\r\\n", "a\r\nb\r\n", ["a", "b"]],
    ["the end of the file", "a\nb", ["a", "b"]],
    ["\\n alone, which is an empty line", "a\n\nb", ["a", "", "b"]],
    [
      "nothing else: not U+2028, U+2029, U+0085 or a lone \\r",
      "a\u2028b\u2029c\u0085d\re\n",
      ["a\u2028b\u2029c\u0085d\re"],
    ],
    ["nothing: a file without a line", "", []],
  ])("linesOf ends a line at %s", async (_, text, lines) => {
    expect(await read([Buffer.from(text)])).toEqual(lines);
  });

  it("linesOf reads the same lines however the bytes arrive", async () => {
    const bytes = Buffer.from("\ufeffñandú\u2028🐦\r\n{}\n\nb");
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(await read(chunks), `${size} bytes at a time`).toEqual(["ñandú\u2028🐦", "{}", "", "b"]);
    }
  });

  it("linesOf leaves a byte order mark out before the first line only", async () => {
    expect(await read([Buffer.from("\ufeffa\n\ufeffb")])).toEqual(["a", "\ufeffb"]);
  });
});
