import { describe, expect, it } from "vitest";
import { colorOnPage, contrastOf, isColor, isReadable } from "./contrast.js";

describe("contrastOf", () => {
  it("the contrast is 21 for black on white and 1 for a color on itself", () => {
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrastOf("#8a4a1c", "#8a4a1c")).toBe(1);
  });

  it("the contrast is the same from both sides, and 6.8 for brown on white", () => {
    expect(contrastOf("#8a4a1c", "#ffffff").toFixed(1)).toBe("6.8");
    expect(contrastOf("#ffffff", "#8a4a1c")).toBe(contrastOf("#8a4a1c", "#ffffff"));
  });
});

describe("colorOnPage", () => {
  it("keeps a color that is readable, and makes others darker or lighter until they are", () => {
    expect(colorOnPage("#8a4a1c", "light")).toBe("#8a4a1c");
    const lighter = colorOnPage("#8a4a1c", "dark");
    expect(isReadable(contrastOf(lighter, "#211f1d"))).toBe(true);
    expect(isReadable(contrastOf(colorOnPage("#ffee00", "light"), "#f5f4f2"))).toBe(true);
  });
});

describe("isColor", () => {
  it("takes # and six hexadecimal digits alone", () => {
    expect(["#8A4A1C", "#8a4a1", "8a4a1c", "red", "#8a4a1g"].map(isColor)).toEqual([true, false, false, false, false]);
  });
});
