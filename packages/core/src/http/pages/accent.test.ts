import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrastOf, DARK_BACKGROUND, LIGHT_BACKGROUND, readableAccents } from "./accent.js";

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("the accent of a business", () => {
  it("the accent colour of a business is readable in both themes, whichever colour it picks", () => {
    fc.assert(
      fc.property(color, (picked) => {
        const { light, dark } = readableAccents(picked);
        expect(contrastOf(light, LIGHT_BACKGROUND)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(dark, DARK_BACKGROUND)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it("keeps an accent colour that is readable", () => {
    expect(readableAccents("#0b6e4f").light).toBe("#0b6e4f");
    expect(readableAccents("#ffcc00").dark).toBe("#ffcc00");
  });

  it.each([
    ["#000000", "#ffffff", 21],
    ["#777777", "#ffffff", 4.48],
    ["#ff0000", "#ffffff", 4],
  ])("computes the contrast of the standard: %s on %s", (one, other, contrast) => {
    expect(contrastOf(one, other)).toBeCloseTo(contrast, 1);
    expect(contrastOf(other, one)).toBeCloseTo(contrast, 1);
  });
});
