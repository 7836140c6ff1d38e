import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBudgetService, type PdfRenderer } from "@budgetkit/core";
import { pdfDocuments } from "@budgetkit/pdf";
import { manualClock, memoryStore, plainPdfs } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPdf } from "../../packages/pdf/src/testing/read-pdf.js";

const CONTENT = {
  customer: { name: "Ana Ruiz", address: "San Martín 25" },
  currency: "ARS",
  taxRate: 0.21,
  items: [
    { description: "Oak table", quantity: 2, unitPrice: 150.5, unitCost: 73.37 },
    { description: "Bench", quantity: 1, unitPrice: 99, optional: true },
  ],
  terms: "Half in advance.",
};

async function aService(pdf?: PdfRenderer) {
  const service = createBudgetService({
    store: memoryStore(),
    clock: manualClock("2026-03-02T12:00:00Z"),
    secret: "a secret that is long enough for it",
    publicBaseUrl: "https://quotes.example/v1",
    ...(pdf === undefined ? {} : { pdf }),
  });
  onTestFinished(() => service.stop());
  const { id: businessId } = (await service.businesses.create({ name: "Carpintería Norte" }))._unsafeUnwrap();
  return { service, actor: { kind: "system", businessId } as const };
}

/** Of poppler, which not every machine has. */
const hasPdftotext = spawnSync("pdftotext", ["-v"]).status === 0;

function pdftotext(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-pdf-"));
  try {
    const file = join(folder, "a.pdf");
    writeFileSync(file, bytes);
    return execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("a document that is not saved", () => {
  it("the previewed PDF has the texts and figures of the content, and nothing internal", async () => {
    const { service, actor } = await aService(pdfDocuments());
    const options = { as: "pdf", language: "es" } as const;
    const shown = (await service.budgets.previewDocument(actor, CONTENT, options))._unsafeUnwrap();
    expect(shown).toMatchObject({ contentType: "application/pdf", fileName: "Presupuesto-0.pdf" });
    const { pages, urls } = await readPdf(shown.content);
    const texts = [pages.join(" "), ...(hasPdftotext ? [pdftotext(shown.content)] : [])];
    for (const text of texts) {
      for (const part of ["Oak table", "Bench", "Ana Ruiz", "Half in advance.", "364"]) expect(text).toContain(part);
      expect(text).not.toMatch(/73[.,]37|cost/i);
    }
    expect(urls).toContain("https://quotes.example/v1/p/preview");
    const again = (await service.budgets.previewDocument(actor, CONTENT, options))._unsafeUnwrap();
    expect(Buffer.compare(again.content, shown.content)).toBe(0);
  });

  it("previewed PDFs wait for the one slot of their business, and beyond its queue are refused", async () => {
    let finish = (): void => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow: PdfRenderer = { render: (...given) => gate.then(() => plainPdfs.render(...given)) };
    const { service, actor } = await aService(slow);
    const previews = Array.from({ length: 110 }, (_, index) =>
      service.budgets.previewDocument(actor, { ...CONTENT, notes: `Draft ${index}` }, { as: "pdf" }),
    );
    const refused = await Promise.race(previews);
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "unavailable" });
    finish();
    const ended = await Promise.all(previews);
    expect(ended.filter((each) => each.isErr()).length).toBeGreaterThan(0);
    expect(ended.filter((each) => each.isOk()).length).toBeGreaterThan(90);
  });

  it("a previewed PDF needs a renderer, and without one a page offers no PDF", async () => {
    const { service, actor } = await aService();
    const refused = await service.budgets.previewDocument(actor, CONTENT, { as: "pdf" });
    expect(refused._unsafeUnwrapErr().kind).toBe("not-implemented");
    for (const as of ["page", "mail"] as const) {
      const shown = (await service.budgets.previewDocument(actor, CONTENT, { as }))._unsafeUnwrap();
      expect(new TextDecoder().decode(shown.content)).not.toContain(".pdf");
    }
  });

  it("a preview in process refuses an unknown field, option or language", async () => {
    const { service, actor } = await aService(plainPdfs);
    const { previewDocument } = service.budgets;
    const faults = await Promise.all([
      previewDocument(actor, { ...CONTENT, item: [] } as typeof CONTENT),
      previewDocument(actor, CONTENT, { lang: "es" } as object),
      service.businesses.preview(actor, {}, { language: "xx" } as object),
    ]);
    for (const fault of faults) expect(fault._unsafeUnwrapErr().kind).toBe("invalid");
  });

  it("a preview of the business in process needs an administrator", async () => {
    const { service, actor } = await aService(plainPdfs);
    const member = { kind: "user", businessId: actor.businessId, id: "7", role: "MEMBER", sessionId: null } as const;
    expect((await service.businesses.preview(member))._unsafeUnwrapErr().kind).toBe("forbidden");
    expect((await service.businesses.preview(actor, { name: "Norte" }))._unsafeUnwrap().fileName).toBe("preview.html");
  });
});
