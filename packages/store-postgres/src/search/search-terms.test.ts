import { expect, it } from "vitest";
import { termOfId, termsOf } from "./search-terms.js";

it("termsOf keeps the numbers that indexes hold", () => {
  expect(
    [[...termsOf(1, "oak 🪑")], [...termsOf(7_000_000_000, "oak")], termOfId(1, "oak")],
    "a change of the numbers needs a migration that indexes every text again",
  ).toEqual([[343_077_731, -989_713_762, 438_856_680], [803_007_317], 260_654_817]);
});

it("the terms of a part are among those of the whole text, and two characters have none", () => {
  const whole = termsOf(1, "ñandú 🪑🪓🪑, and 日本語");
  for (const part of ["ñan", "ndú 🪑", "🪑🪓🪑", "日本語"]) {
    for (const term of termsOf(1, part)) expect(whole).toContain(term);
  }
  expect(termsOf(1, "🪑🪓").size).toBe(0);
});

it("a text has hardly any term in common with another text or business", () => {
  const texts = Array.from({ length: 40_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + (index % 200), 48, index + 99),
  );
  const terms = texts.flatMap((text, index) => [...termsOf(1 + (index % 2), text)]);
  expect(new Set(terms).size).toBeGreaterThan(39_980);
});

it("termsOf treats half a surrogate pair as the character that PostgreSQL stores instead", () => {
  expect(termsOf(1, "a\ud800b")).toEqual(termsOf(1, "a\ufffdb"));
});
