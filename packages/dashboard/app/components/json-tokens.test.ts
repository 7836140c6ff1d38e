import { describe, expect, it } from "vitest";
import { bodyText, jsonText, jsonTokens } from "./json-tokens.js";

describe("jsonText", () => {
  it("the text of a long value is cut, and says so", () => {
    const { text, isCut } = jsonText({ notes: "x".repeat(100_000) });
    expect([text.length, isCut]).toEqual([16_000, true]);
    expect(jsonText({ id: "1" })).toEqual({ text: '{\n  "id": "1"\n}', isCut: false });
  });
});

describe("jsonTokens", () => {
  it("the tokens of JSON separate strings from names of fields, and lose no letter", () => {
    const { text } = jsonText({ event: "budget.approved", quote: 'a "b" \\', total: 5 });
    const tokens = jsonTokens(text);
    expect(tokens.filter(({ isString }) => isString).map((token) => token.text)).toEqual([
      '"budget.approved"',
      '"a \\"b\\" \\\\"',
    ]);
    expect(tokens.map((token) => token.text).join("")).toBe(text);
  });

  it("keeps text whose last string is cut", () => {
    expect(
      jsonTokens('{"a": "b')
        .map(({ text }) => text)
        .join(""),
    ).toBe('{"a": "b');
  });
});

describe("bodyText", () => {
  it("formats JSON, and keeps any other answer as it came", () => {
    expect(bodyText('{"error":"locked"}').text).toBe('{\n  "error": "locked"\n}');
    expect(bodyText("<h1>503</h1>").text).toBe("<h1>503</h1>");
  });
});
