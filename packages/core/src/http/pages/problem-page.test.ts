import { expect, it } from "vitest";
import { PAGE_LANGUAGES } from "./page-language.js";
import { problemPage, wayBackFrom } from "./problem-page.js";

it.each([
  [404, "Este enlace", null],
  [429, "Demasiadas", "../token"],
  [503, "", null],
])("a link that answers %i tells so in the language of its reader", (status, text, back) => {
  const { markup } = problemPage(status, { asked: null, accepted: "sv, es;q=0.5" }, back);
  expect(markup).toContain('<html lang="es" dir="ltr">');
  expect(markup).toContain(text);
  expect(markup.includes('href="../token"')).toBe(back !== null);
});

it("an error page in Arabic is written from right to left", () => {
  expect(problemPage(404, { asked: "ar", accepted: "en" }, null).markup).toContain('dir="rtl"');
});

it("each language says each problem by a title and a text of its own", () => {
  const pages = PAGE_LANGUAGES.flatMap((asked) =>
    [400, 404, 409, 429, 500].map((status) => problemPage(status, { asked, accepted: null }, null).markup),
  );
  expect(new Set(pages).size).toBe(pages.length);
});

it("the way back leads from a form to its budget, and from nothing else", () => {
  const token = "A".repeat(43);
  for (const form of ["accept", "decline", "request-change", "messages"]) {
    expect(wayBackFrom(`/p/${token}/${form}`)).toBe(`../${token}`);
  }
  for (const path of [`/p/${token}`, "/p/short/accept", `/p/${token}/logo`]) expect(wayBackFrom(path)).toBeNull();
});
