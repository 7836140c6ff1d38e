import type { BudgetDocument } from "@budgetkit/core";
import { describe, expect, it } from "vitest";
import { pdfDocuments } from "./index.js";
import { qrCodeOf } from "./page-link.js";
import { aDocument, anItem, CHANGED_AT } from "./testing/a-document.js";
import { drawnLines } from "./testing/drawn-lines.js";
import { readPdf } from "./testing/read-pdf.js";

const pdf = pdfDocuments();
const render = (document: BudgetDocument) => pdf.render(document, { changedAt: CHANGED_AT, logo: null });
const linesOf = async (document: BudgetDocument) => drawnLines(await render(document));
const LINK = "https://norte.example/p/4hK9tVd0Qx2a8WqT3rYpLmNzB5cVf6GhJkSdA1eXiUo";
const SIGNED = {
  name: "Ana Ruiz",
  at: "March 2, 2026, 12:00",
  signature: "M 20 150 L 560 80",
  evidenceHash: "9f".repeat(32),
};

function aHeading(description: string): BudgetDocument["rows"][number] {
  return { ...anItem(description), kind: "heading", quantity: "", price: "", amount: "" };
}

describe("the layout of a PDF", () => {
  it("PDF has the address and the tax number of the customer below the name", async () => {
    const customer = { name: "Ana Ruiz", address: "Mitre 5\nSalta", taxId: "CUIT 20-11111111-1" };
    const drawn = (await linesOf(aDocument({ customer }))).map(({ text }) => text);
    const places = ["Quote 42", "CUIT 20-11111111-1", "Mitre 5", "Description"].map((text) => drawn.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it("PDF has who and when below the title, then the total and the end of the offer, then items, totals and texts", async () => {
    const facts = [...aDocument().facts, { term: "Valid until", text: "April 1, 2026" }];
    const validUntil = { term: "Valid until", text: "April 1, 2026" };
    const drawn = (await linesOf(aDocument({ answer: null, facts, validUntil }))).map(({ text }) => text);
    expect(drawn.filter((text) => text === "April 1, 2026")).toHaveLength(1);
    const inOrder = [
      "Quote 42",
      "USD 1,089.00",
      "April 1, 2026",
      "Description",
      "Oak table",
      "Subtotal",
      "Notes",
      "Until soon",
    ];
    const places = inOrder.map((text) => drawn.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it("PDF has the deposit between the total and the end of the offer, above the items", async () => {
    const deposit = { term: "Deposit", text: "$300.00" };
    const validUntil = { term: "Valid until", text: "April 1, 2026" };
    const drawn = await linesOf(aDocument({ answer: null, deposit, validUntil }));
    const shown = ["USD 1,089.00", "$300.00", "April 1, 2026"].map((text) => drawn.find((line) => line.text === text));
    const places = shown.map((line) => line?.x ?? Number.NaN);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const items = drawn.find(({ text }) => text === "Description")?.y ?? Number.POSITIVE_INFINITY;
    for (const line of shown) expect(line?.y).toBeGreaterThan(items);
  });

  it("PDF keeps a discount on one line with its amount", async () => {
    const discount = "Discount −USD 300,000.00";
    expect((await linesOf(aDocument({ rows: [{ ...anItem(), discount }] }))).map(({ text }) => text)).toContain(
      discount,
    );
  });

  it("PDF shows what is not selected in brackets, indented below its choice, with its notes", async () => {
    const option = { ...anItem("Oak"), isOption: true };
    const rows = [
      { ...aHeading("Worktop"), kind: "choice", notes: ["Choose 1 of 2"] } as const,
      { ...option, isSelected: true, notes: ["Charged every year"] },
      { ...option, ...anItem("Quartz"), isSelected: false, isOption: true },
    ];
    const drawn = await linesOf(aDocument({ rows }));
    const at = (text: string) => drawn.find((line) => line.text === text);
    expect(drawn.filter(({ text }) => text === "(USD 900.00)")).toHaveLength(1);
    for (const note of ["Choose 1 of 2", "Charged every year"]) expect(at(note)).toBeDefined();
    expect(at("Oak")?.x ?? 0).toBeGreaterThan(at("Worktop")?.x ?? Number.NaN);
    expect(at("Quartz")?.x).toBe(at("Oak")?.x);
  });

  it("PDF keeps a long total on one line beside the deposit and the end of the offer", async () => {
    const totals = [{ kind: "total", term: "Total", amount: "ARS 3,979,000.00" }] as const;
    const fact = { term: "Deposit", text: "ARS 1,193,700.00" };
    const drawn = await linesOf(aDocument({ totals, deposit: fact, validUntil: { ...fact, term: "Valid until" } }));
    expect(drawn.map(({ text }) => text)).toContain("ARS 3,979,000.00");
  });

  it("PDF keeps the heading of a section on the page of its first item, at every length of the table", async () => {
    for (let length = 12; length < 34; length += 1) {
      const rows = [
        ...Array.from({ length }, () => anItem("Stool")),
        aHeading("Section"),
        anItem("First of it"),
        anItem("Last"),
      ];
      const lines = await linesOf(aDocument({ rows }));
      const pageOf = (text: string) => lines.find((line) => line.text === text)?.page;
      expect(pageOf("Section")).toBe(pageOf("First of it"));
    }
  }, 60_000);

  it("PDF keeps the last item on the page of the totals, at every length of the table", async () => {
    for (let length = 12; length < 34; length += 1) {
      const rows = [...Array.from({ length }, () => anItem("Stool")), anItem("Last one")];
      const lines = await linesOf(aDocument({ rows, link: LINK, texts: [] }));
      const totals = lines.filter(({ text }) => text === "Subtotal").at(-1)?.page;
      expect(lines.find(({ text }) => text === "Last one")?.page).toBe(totals);
    }
  }, 60_000);

  it("PDF draws headings larger than items", async () => {
    const rows = [aHeading("Section"), anItem("Item")];
    const heights = new Map((await linesOf(aDocument({ rows }))).map(({ text, size }) => [text, size]));
    expect(heights.get("Section") ?? 0).toBeGreaterThan(heights.get("Item") ?? Number.NaN);
  });
});

describe("the proof in a PDF", () => {
  it("PDF has the QR code and the link of the page beside the totals", async () => {
    const bytes = await render(aDocument({ link: LINK }));
    const { roles, urls } = await readPdf(bytes);
    expect(roles.filter((role) => role === "Figure")).toHaveLength(1);
    expect(urls).toContain(LINK);
    const lines = await drawnLines(bytes);
    const at = (text: string) => lines.filter((line) => line.text.startsWith(text)).at(-1)?.y ?? Number.NaN;
    expect(Math.abs(at("norte.example/p/") - at("Subtotal"))).toBeLessThan(40);
    expect(bytes).toEqual(await render(aDocument({ link: LINK })));
  });

  it("PDF of an acceptance has the signature, the name, the time and the hash of the evidence", async () => {
    const bytes = await render(aDocument({ link: LINK, signed: SIGNED }));
    const { roles, pages } = await readPdf(bytes);
    expect(roles.filter((role) => role === "Figure")).toHaveLength(2);
    const text = pages.join("").replace(/ /g, "");
    for (const part of [SIGNED.name, SIGNED.at, SIGNED.evidenceHash]) expect(text).toContain(part.replace(/ /g, ""));
    const typed = await readPdf(await render(aDocument({ signed: { ...SIGNED, signature: null } })));
    expect(typed.roles).not.toContain("Figure");
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "//evil", `https://a.example/${"x".repeat(400)}`, "\u0000"])(
    "PDF makes no QR code of %s",
    (link) => expect(qrCodeOf(link)).toBeNull(),
  );

  it.each(["M 0 0 L 1 1 Z) Tj", "<script>", "M".repeat(9_000), ""])(
    "PDF draws no signature of %j",
    async (signature) => {
      const { roles } = await readPdf(await render(aDocument({ signed: { ...SIGNED, signature } })));
      expect(roles).not.toContain("Figure");
    },
  );
});
