import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BudgetDocument } from "@budgetkit/core";
import { describe, expect, it } from "vitest";
import { pdfDocuments } from "./index.js";
import { aDocument, anItem, CHANGED_AT } from "./testing/a-document.js";
import { drawnLines } from "./testing/drawn-lines.js";
import { readPdf } from "./testing/read-pdf.js";

const pdf = pdfDocuments();
const details = { changedAt: CHANGED_AT, logo: null };
const render = (document: BudgetDocument) => pdf.render(document, details);

const SCRIPTS = [
  ["Arabic", "مرحبا بالعالم ولا إلى الإسلام بيت"],
  ["Persian", "می‌خواهم کتاب"],
  ["Hebrew", "שלום עולם בית ספר"],
  ["Thai", "น้ำมันธรรมชาติ เคลือบเงา ที่ไม้มี"],
  ["Hindi", "हिन्दी प्राकृतिक क्षत्रिय डिलीवरी"],
  ["Japanese", "見積書「オーク材のテーブル」、二週間"],
  ["emoji", "🎂 👍 🇦🇷"],
] as const;

/** Of poppler, which not every machine has. */
const hasPdftotext = spawnSync("pdftotext", ["-v"]).status === 0;

function pdftotext(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-pdf-"));
  try {
    const file = join(folder, "a.pdf");
    writeFileSync(file, bytes);
    // Direction marks that it adds around parts, and the order of their spaces, are its own.
    return execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }).replace(/[\u202a-\u202e]/g, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("a PDF of every script", () => {
  it.each(SCRIPTS)("PDF text in %s can be read again, in reading order", async (_, text) => {
    const direction = /\p{sc=Arabic}|\p{sc=Hebrew}/u.test(text) ? "rtl" : "ltr";
    const bytes = await render(aDocument({ direction, title: text, rows: [anItem(text)], texts: [] }));
    const { pages, info } = await readPdf(bytes);
    expect(info.Title).toBe(text);
    expect(pages.join("")).not.toContain("[?]");
    expect(await pdf.undrawable(aDocument({ title: text }))).toEqual([]);
  });

  it.runIf(hasPdftotext).each(SCRIPTS)("pdftotext reads %s in a PDF as it was written", async (_, text) => {
    const plain = text.replace(/\u200c/g, "");
    const read = pdftotext(await render(aDocument({ title: "1", rows: [], texts: [{ title: text, text }] })));
    for (const word of plain.split(" ")) expect(read.replace(/\u200c/g, "")).toContain(word);
    const order = plain.split(" ").map((word) => read.replace(/\u200c/g, "").indexOf(word));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it("PDF of the same text has the same bytes, whatever was rendered before", async () => {
    const document = aDocument({ title: "عرض سعر", rows: [anItem("हिन्दी 見積書")] });
    const first = Buffer.from(await pdfDocuments().render(document, details));
    await render(aDocument({ title: "إسلام ثبت نور", rows: [anItem("प्राकृतिक 備考")] }));
    expect(Buffer.from(await render(document)).equals(first)).toBe(true);
  });

  it("PDF has no fonts of other scripts unless a text needs them", async () => {
    const fontsIn = async (document: BudgetDocument) =>
      new Set(
        Buffer.from(await render(document))
          .toString("latin1")
          .match(/\/FontName \/[A-Z]+\+[\w-]+/g),
      );
    expect([...(await fontsIn(aDocument()))].join()).not.toContain("noto");
    const mixed = [...(await fontsIn(aDocument({ rows: [anItem("table\nبيت")] })))].join();
    expect(mixed).toContain("noto-sans-arabic-arabic-regular");
    expect(mixed).not.toContain("devanagari");
  });

  it("PDF names the characters that no font has, and prints [?] in their place, never a box", async () => {
    const document = aDocument({ rows: [anItem("Ox 𓃒𓃓 cart ꙮ")] });
    expect(await pdf.undrawable(document)).toEqual(["𓃒", "𓃓", "ꙮ"]);
    expect((await readPdf(await render(document))).pages.join("")).toContain("Ox [?] cart [?]");
    expect(await pdf.undrawable(aDocument())).toEqual([]);
  });
});

describe("a PDF from right to left", () => {
  const arabic = aDocument({
    direction: "rtl",
    columns: { description: "الوصف", quantity: "الكمية", price: "السعر", amount: "المبلغ" },
  });

  it("PDF in a language from right to left has its columns reversed, and its text at the right", async () => {
    const at = async (document: BudgetDocument, text: string) => {
      const line = (await drawnLines(await render(document))).find(({ text: drawn }) => drawn.includes(text));
      return line ?? { x: Number.NaN, right: Number.NaN };
    };
    const plain = aDocument();
    expect((await at(plain, "Oak table")).x).toBeCloseTo(45, 0);
    expect((await at(plain, "USD 900.00")).right).toBeCloseTo(550, 0);
    expect((await at(arabic, "Oak table")).right).toBeCloseTo(550, 0);
    expect((await at(arabic, "USD 900.00")).x).toBeCloseTo(45, 0);
  });

  it("an Arabic name in a Spanish PDF does not turn the date beside it", async () => {
    const facts = [
      { term: "Para", text: "محمد علي" },
      { term: "24/12", text: "2026" },
    ];
    const lines = await drawnLines(await render(aDocument({ facts })));
    const name = lines.find(({ text }) => text.includes("محمد") || text.includes("علي"));
    const date = lines.find(({ text }) => text.includes("24/12"));
    expect(date?.x ?? 0).toBeGreaterThan(name?.x ?? Number.NaN);
  });

  it.each(["\u202e", "\u202d", "\u2067", "\u2066", "\u200f", "\u202b"])(
    "a control of the direction (%j) cannot disguise an amount in a PDF",
    async (control) => {
      const spoofed = { ...anItem(`Deposit ${control}USD 900.00`), amount: `USD ${control}1.009` };
      const drawn = (await drawnLines(await render(aDocument({ rows: [spoofed] })))).map(({ text }) => text);
      expect(drawn).toContain("Deposit USD 900.00");
      expect(drawn).toContain("USD 1.009");
    },
  );
});
