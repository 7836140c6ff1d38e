import type { BudgetDocument } from "@budgetkit/core";
import { beforeAll, describe, expect, it } from "vitest";
import { pdfDocuments } from "./index.js";
import { aDocument, anItem, CHANGED_AT } from "./testing/a-document.js";
import { type PdfContent, readPdf } from "./testing/read-pdf.js";

const pdf = pdfDocuments();
const details = { changedAt: CHANGED_AT, logo: null };
const render = (document: BudgetDocument, logo: Uint8Array | null = null) => pdf.render(document, { ...details, logo });
const read = async (document: BudgetDocument) => readPdf(await render(document));
const textOf = ({ pages }: PdfContent) => pages.join(" ").replace(/\s+/g, " ");

describe("the PDF of a budget", () => {
  let shown: PdfContent;
  beforeAll(async () => {
    shown = await read(aDocument());
  });

  it("PDF shows every text of the document", () => {
    const {
      pageLabel: _,
      readableAccent: __,
      accentColor: ___,
      itemsTitle: ____,
      direction: _____,
      ...document
    } = aDocument();
    const texts = textsIn({ ...document, language: null, locale: null, rows: [{ ...anItem(), kind: null }] });
    expect(texts.length).toBeGreaterThan(25);
    for (const text of texts.filter((each) => each !== "sum" && each !== "total")) {
      expect(textOf(shown)).toContain(text.replace(/\s+/g, " "));
    }
    expect(textOf(shown)).toContain("Page 1 of 1");
  });

  it("a document of thirty thousand letters to shape is the longest, and Latin ones have no bound", async () => {
    const of = (letter: string, count: number) =>
      aDocument({ texts: [{ title: "Notes", text: letter.repeat(count) }] });
    for (const letter of ["\u0915", "\u6f22", "\u0628"]) {
      expect(await pdf.isTooLong(of(letter, 30_000))).toBe(false);
      expect(await pdf.isTooLong(of(letter, 30_001))).toBe(true);
      const rows = [...Array(15)].map(() => anItem(`${letter.repeat(999)}\n${letter.repeat(1_001)}`));
      expect(await pdf.isTooLong(aDocument({ rows }))).toBe(false);
    }
    for (const letter of ["a", "\u00f1", "\u03a9", "\u0416"])
      expect(await pdf.isTooLong(of(letter, 90_000))).toBe(false);
  });

  it("PDF gives its title, author, language and time", () => {
    expect(shown.info).toMatchObject({ Title: "Quote 42", Author: "Norte", CreationDate: "D:20260302120000Z" });
    expect(shown.lang).toBe("en");
  });

  it("PDF tags headings, paragraphs, links, and tables with header cells", () => {
    const counts = new Map<string, number>();
    for (const role of shown.roles) counts.set(role, (counts.get(role) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toMatchObject({ H1: 1, H2: 2, Table: 2, TR: 4, TH: 6, TD: 6, Link: 2 });
  });

  it("PDF links the website and the email address, and nothing else", async () => {
    expect([...shown.urls].sort()).toEqual(["https://norte.example/", "mailto:sales@norte.example"]);
    for (const website of ["javascript:alert(1)", "file:///etc/passwd", "https://", "data:text/html,x", "//evil"]) {
      const { urls } = await read(aDocument({ seller: { ...aDocument().seller, website, email: "a b@x<y" } }));
      expect(urls).toEqual([]);
    }
  });

  it("PDF pages are A4, and Letter in the United States", async () => {
    expect(shown.size.map(Math.round)).toEqual([595, 842]);
    expect((await read(aDocument({ locale: "en-US" }))).size.map(Math.round)).toEqual([612, 792]);
  });

  it("PDF leaves out what the document does not have", async () => {
    const none = { name: null, legalName: null, taxId: null, address: null, email: null, phone: null, website: null };
    const bare = await read(aDocument({ seller: none, facts: [], answer: null, rows: [], texts: [], footer: null }));
    expect(textOf(bare)).toContain("Quote 42");
    expect(bare.annotations).toEqual([]);
  });
});

describe("any text", () => {
  it.each([
    ["Greek", "Ελληνικά ξύλινα τραπέζια"],
    ["Cyrillic", "Деревянный стол, съёмный ящик; їжак"],
    ["Polish", "Zażółć gęślą jaźń, łóżko dębowe"],
    ["signs", "€ £ ¥ ½ × − “quotes” … ™ (a\\b) 100 %"],
    ["Vietnamese", "Bàn gỗ sồi cỡ lớn"],
  ])("PDF text in %s can be read again", async (_, text) => {
    expect(textOf(await read(aDocument({ rows: [anItem(text)], texts: [{ title: "Notes", text }] })))).toContain(text);
  });

  it.each([
    ["characters that no font has", "a 𓀀𓀁 b ꙮ c", "a [?] b [?] c"],
    ["lone surrogates", "a\ud800b", "a[?]b"],
    ["control characters", "a\u0000b\u0007c\u001bd\u0085e", "abcde"],
    ["overrides of the direction", "file\u202egnp.exe \u2066x\u2069 \u200fy", "filegnp.exe x y"],
    ["invisible characters", "pay\u200bpal\ufeff \u00adx\u{e0041}", "paypal x"],
    ["letters with separate accents", "e\u0301tude", "étude"],
    ["spaces of every kind", "a\u00a0b\u202fc\u3000d\te", "a b c d e"],
  ])("PDF shows %s harmless", async (_, text, expected) => {
    const shown = await read(aDocument({ title: text, rows: [anItem(text)] }));
    expect(textOf(shown).split(expected).length).toBeGreaterThanOrEqual(3);
    expect(shown.info.Title).toBe(expected);
  });

  it("PDF breaks long words, and shows all of them", async () => {
    const word = "Donaudampfschifffahrt".repeat(10);
    const huge = { ...anItem(word), price: `USD ${"9".repeat(60)}`, amount: "8".repeat(60), quantity: "7".repeat(60) };
    const shown = await read(aDocument({ title: word, rows: [huge], footer: word }));
    const joined = shown.pages.join("").replace(/ /g, "");
    expect(joined.split(word).length).toBe(4);
    for (const digit of "987") expect(joined).toContain(digit.repeat(20));
  });
});

/** Texts that would be code if they were not drawn. */
const PAYLOADS = [
  ") Tj /JS (app.alert(1))",
  "\\) Tj ET /JS (app.alert(1))",
  ")>> endobj 99 0 obj <</S /JavaScript /JS (app.alert(1))>> endobj",
  "endstream endobj 1 0 obj <</Type /Catalog /OpenAction 99 0 R>> endobj",
  "<</OpenAction <</S /JavaScript /JS (app.alert(1))>>>>",
  "/AA <</O <</S /JavaScript /JS (x)>>>>",
  "/Launch /F (cmd.exe)",
  "<< /S /Launch /Win << /F (calc.exe) >> >>",
  "/URI (javascript:alert(1))",
  "/S /URI /URI (https://evil.example)",
  "/SubmitForm /F (https://evil.example)",
  "/GoToR /F (evil.pdf)",
  "/EmbeddedFile /EF << /F 3 0 R >>",
  "/RichMedia /XFA [(template)]",
  "EMC /Span << /ActualText (x) >> BDC",
  "Q q 1 0 0 1 0 0 cm BT (x) Tj ET",
  "%%EOF xref 0 1 trailer <</Root 1 0 R>> startxref 0 %%EOF",
  "(((((((((unbalanced",
  ")))))))))unbalanced\\\\\\",
  "<3c73637269707> hex",
  "\\051 Tj \\057JS \\050app.alert\\051",
  "<script>alert(1)</script> <img src=x onerror=alert(1)>",
  "{page} {pages} $& $1 #{x}",
  "BT /F1 99 Tf (x) Tj ET",
  "\\\\) Tj",
  "(\\",
  "endobj endstream %%EOF",
  "<< /Type /Annot /Subtype /Link >>",
  "/Names << /JavaScript 9 0 R >>",
  "/Encrypt 5 0 R",
  "stream\\nBT ET endstream",
  '<?xpacket end="w"?><x:xmpmeta>',
  "]]></rdf:li><rdf:li>x",
  "&lt;script&gt; &#0; &amp;",
  "' or ''='; drop table budgets",
  "../../../../etc/passwd",
  "#{7*7} {{7*7}} <%= 7*7 %>",
  "=cmd|'/c calc'!A1",
  '=HYPERLINK("https://evil.example")',
  "漢字) Tj /JS (app.alert(1))",
];
const ACTIVE = /\/(?:JS|JavaScript|OpenAction|AA|Launch|SubmitForm|GoToR|EmbeddedFiles?|RichMedia|XFA|AcroForm)\b/;

describe.each(PAYLOADS)("the payload %s", (payload) => {
  it("PDF prints code in any field as plain text", async () => {
    const document = aDocument();
    const marked: BudgetDocument = {
      ...markedIn(document, payload),
      language: "en",
      locale: "en",
      direction: "ltr",
      link: payload,
      signed: { name: payload, at: payload, signature: payload, evidenceHash: payload },
      readableAccent: document.readableAccent,
      rows: [{ ...markedIn(anItem(), payload), kind: "item" }],
      totals: document.totals.map((sum) => ({ ...markedIn(sum, payload), kind: sum.kind })),
      pageLabel: "{page}/{pages}",
    };
    const bytes = await render(marked);
    const shown = await readPdf(bytes);
    const squeezed = shown.pages.join("").replace(/\s+/g, "");
    expect(squeezed.split(payload.replace(/\s+/g, "")).length - 1).toBeGreaterThan(20);
    expect(shown.info).toMatchObject({ Title: payload, Author: payload });
    expect([shown.annotations, shown.hasScript]).toEqual([[], false]);
    expect(plainPartsOf(bytes)).not.toContain("<</");
    expect(
      plainPartsOf(bytes)
        .replace(/<rdf:li[\s\S]*?<\/rdf:li>/g, "")
        .match(ACTIVE),
    ).toBeNull();
  });
});

describe("texts of line breaks alone", () => {
  it("PDF fits texts of line breaks into few pages: later ones are joined, no word lost", async () => {
    const broken = (word: string, count: number) => `${`${word}\n`.repeat(count)}end-of-${word}`;
    const texts = ["notes", "terms"].map((title) => ({ title, text: broken(title, 1_500) }));
    const rows = Array.from({ length: 30 }, (_, index) => anItem(broken(`w${index}`, 400)));
    const shown = await readPdf(await render(aDocument({ rows, texts, footer: broken("footer", 1_400) })));
    expect(shown.pages.length).toBeLessThan(100);
    const words = textOf(shown).split(/\s+/);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const index of rows.keys()) expect(counts.get(`w${index}`)).toBe(400);
    for (const text of ["notes", "terms", "footer"]) expect(words).toContain(`end-of-${text}`);
  });
});

describe("500 items", () => {
  it("PDF of 500 items repeats the heading, numbers its pages, and shows each item once", async () => {
    const rows = Array.from({ length: 500 }, (_, index) =>
      anItem(`Item <${index}>${index % 9 === 0 ? `\n${"with a long description ".repeat(index % 14)}` : ""}`),
    );
    const bytes = await render(aDocument({ rows }));
    const shown = await readPdf(bytes);
    const count = shown.pages.length;
    expect(count).toBeGreaterThan(10);
    for (const [index, page] of shown.pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${count}`);
      if (page.includes("Item <")) expect(page).toContain("Description");
    }
    const text = textOf(shown);
    const shownTimes = [...rows.keys()].map((index) => text.split(`Item <${index}>`).length - 1);
    expect(new Set(shownTimes)).toEqual(new Set([1]));
    expect(plainPartsOf(bytes).match(/\/S \/TH\b/g)).toHaveLength(6); // screen readers hear the heading once
  });

  it("PDF keeps the totals on one page, at every length of the table", async () => {
    const totals = Array.from(
      { length: 8 },
      (_, index) => ({ kind: "sum", term: `Sum ${index}`, amount: "1" }) as const,
    );
    for (let length = 10; length < 30; length += 1) {
      const { pages } = await read(aDocument({ rows: Array.from({ length }, () => anItem("Stool")), totals }));
      const holding = pages.filter((page) => page.includes("Sum 0"));
      expect(holding).toEqual([expect.stringContaining("Sum 7")]);
    }
  });

  it("PDF of 500 items leaves the event loop its turns", async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await render(aDocument({ rows: Array.from({ length: 500 }, () => anItem()) }));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(15);
  });
});

/** The file without its compressed streams: no text of the budget is in it as it was written, not even in strings. */
function plainPartsOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  return text.replace(/Filter \/FlateDecode\n>>\nstream\n[\s\S]*?\nendstream/g, "");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Replaces each text by the mark. */
function markedIn<T>(value: T, mark: string): T;
function markedIn(value: unknown, mark: string): unknown {
  if (typeof value === "string") return mark;
  if (Array.isArray(value)) return value.map((each) => markedIn(each, mark));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, markedIn(each, mark)]));
}
