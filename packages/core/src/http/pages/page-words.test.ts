import { describe, expect, it } from "vitest";
import { PAGE_LANGUAGES } from "./page-language.js";
import { type PageWords, wordsOf } from "./page-words.js";

/** Every text, with marks in the place of what it is given. */
function textsOf(words: PageWords): readonly (readonly [name: string, text: string])[] {
  const { status, problems, each, ...rest } = words;
  const own = Object.entries(rest).map(([name, word]) => {
    const given = ["‹1›", "‹2›", "‹3›"] as const;
    return [name, typeof word === "function" ? Reflect.apply(word, null, given) : word] as const;
  });
  return [...own, ...Object.entries(status), ...Object.entries(each)];
}

describe.each(PAGE_LANGUAGES)("the words of the page in %s", (language) => {
  const texts = textsOf(wordsOf(language));

  it("the words of the page are not empty, and are other than the English ones", () => {
    const english = new Map(textsOf(wordsOf("en")));
    for (const [name, text] of texts) expect(text.trim(), name).not.toBe("");
    const same = texts.filter(([name, text]) => english.get(name) === text);
    expect(same.length).toBeLessThan(language === "en" ? 1_000 : 8);
  });

  it("the consent names the business, the number and the amount, and buttons the amount", () => {
    const { consent, acceptFor, pay } = wordsOf(language);
    for (const part of ["Norte", "P-7", "USD 5"]) expect(consent("Norte", "P-7", "USD 5")).toContain(part);
    for (const button of [acceptFor, pay]) expect(button("USD 5")).toContain("USD 5");
  });

  it("the buttons that share a row are short", () => {
    const { openPdf, ask } = wordsOf(language);
    for (const text of [openPdf, ask]) expect(text.length, text).toBeLessThanOrEqual(18);
  });
});
