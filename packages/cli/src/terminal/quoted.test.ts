import { describe, expect, it } from "vitest";
import { printable } from "./complaint.js";
import { quoted } from "./quoted.js";

describe("a typed text on a terminal", () => {
  it.each([
    ["in quotes", "Ana", '"Ana"'],
    ["with its own quotes escaped", 'Ana" accepted \\', '"Ana\\" accepted \\\\"'],
    ["with its direction isolated", "שרה", '"\u2068שרה\u2069"'],
    ["without marks that change the direction or end its isolation", "a\u202eb\u2069c\u200fd", '"a b c d"'],
    ["on one line", "a\nb\u2028c\u2029d\u0085e", '"a b c d e"'],
  ])("quotes a typed text %s", (_, text, shown) => {
    expect(quoted(text)).toBe(shown);
  });

  it("removes control characters and those that reorder text, before the terminal", () => {
    expect(printable("a\u001b[31mb\u061cc\u2066d")).toBe("a [31mb c d");
  });
});
