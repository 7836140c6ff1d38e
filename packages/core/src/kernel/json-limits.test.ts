import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exceedsJsonLimits } from "./json-limits.js";
import { checkJsonShape } from "./validation.js";

const check = (text: string) => exceedsJsonLimits(new TextEncoder().encode(text));
const list = (length: number) => `[${new Array(length).fill("0").join(" , ")}]`;
const nested = (levels: number) =>
  `${"[{".repeat(levels / 2)}"a":1${"}]".repeat(levels / 2)}`.replaceAll("{[", '{"a":[');

describe("the limits of a JSON document", () => {
  it("a JSON document may have 20,000 values and 32 levels", () => {
    expect(check(list(19_999))).toBeNull();
    expect(check(list(20_000))).toMatchObject({ message: "The document holds too many values." });
    expect(check(nested(32))).toBeNull();
    expect(check(nested(34))).toMatchObject({ message: "The document nests more than 32 levels deep." });
  });

  it("the JSON limits count no characters within text, and each empty list and object once", () => {
    expect(check(`"${"[,".repeat(30_000)}"`)).toBeNull();
    expect(check(`["${'\\"[{,'.repeat(30_000)}\\\\", "${"ñ🙂,".repeat(30_000)}"]`)).toBeNull();
    expect(check(`[${new Array(19_999).fill("[ ]").join()}]`)).toBeNull();
    expect(check(`[${new Array(20_000).fill("{}").join()}]`)).not.toBeNull();
  });

  it("the JSON limits find the end of text of any length, behind any number of backslashes", () => {
    const deep = "[".repeat(40);
    for (const plain of [0, 1, ...Array.from({ length: 12 }, (_, index) => 58 + index), 200]) {
      for (const backslashes of ["", "\\\\", "\\\\\\\\"]) {
        const text = "a".repeat(plain) + backslashes;
        expect(check(`["${text}",${deep}`), text).toMatchObject({ kind: "malformed" });
        expect(check(`["${text}\\"${deep}"]`), text).toBeNull();
        expect(check(`["${text}\\"${text}",${deep}`), text).toMatchObject({ kind: "malformed" });
      }
    }
  });

  it("the JSON limits leave broken documents to the parser", () => {
    for (const text of ["", '"', '"\\', "]]]]", "nul", "\u0000"]) expect(check(text)).toBeNull();
  });

  it("the JSON limits refuse what the check of the parsed value refuses", () => {
    const surroundings = fc.record({
      others: fc.integer({ min: 0, max: 19_998 }),
      levels: fc.integer({ min: 0, max: 33 }),
    });
    fc.assert(
      fc.property(fc.json(), surroundings, (text, { others, levels }) => {
        const document = `[${"0,".repeat(others)}${"[".repeat(levels)}${text}${"]".repeat(levels)}]`;
        expect(check(document) !== null).toBe(checkJsonShape(JSON.parse(document))?.kind === "malformed");
      }),
      { seed: 20_261_122, numRuns: rounds({ small: 40, full: 1_000 }) },
    );
  });
});
