import { expect, it } from "vitest";
import { wrapLines } from "./wrap-lines.js";

it("measures no more than a line of a word of thousands of letters, which takes seconds to shape as a whole", () => {
  const measured: string[] = [];
  const widthOf = (text: string) => {
    measured.push(text);
    return text.length;
  };
  const word = "क".repeat(10_000);
  const lines = [...wrapLines(`a ${word}`, 100, widthOf)];
  expect(lines.join("").replace("a", "")).toBe(word);
  expect(Math.max(...lines.map(({ length }) => length))).toBe(100);
  expect(Math.max(...measured.map(({ length }) => length))).toBe(100);
});
