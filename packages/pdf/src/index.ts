import type { BudgetDocument, PdfRenderer } from "@budgetkit/core";
import { type Face, readFaces } from "./faces.js";
import { createFallbackFaces } from "./fallback-faces.js";
import { createPrintLogos } from "./print-logos.js";
import { undrawableIn } from "./printable.js";
import { reducedPicture } from "./reduced-picture.js";
import { renderBudget } from "./render-budget.js";

/**
 * Renders budgets as PDF: `createBudgetService({ …, pdf: pdfDocuments() })`. The fonts are read once, those of other
 * scripts with the first text that needs them; nothing is loaded from other hosts. Logos are decoded in worker threads.
 */
export function pdfDocuments(): Required<PdfRenderer> {
  const own = readFaces();
  const facesFor = createFallbackFaces(own);
  const printLogo = createPrintLogos((logo) => reducedPicture(logo, "print"));
  return {
    render: async (document, { changedAt, logo, onError }) => {
      const onUnreadable = () => onError?.(new Error("the logo is left out of PDFs: it cannot be decoded"));
      const faces = await facesFor(textsIn(document), document.locale);
      return renderBudget(document, { changedAt, logo: await printLogo(logo, onUnreadable) }, faces);
    },
    undrawable: async (document) => {
      const texts = textsIn(document);
      const { regular } = await facesFor(texts, document.locale);
      return [...new Set(texts.flatMap((text) => undrawableIn(text, regular)))];
    },
    isTooLong: async (document) => lettersToShape(document, own.regular.primary) > MAX_SHAPED,
    logoTypes: ["image/png", "image/jpeg", "image/svg+xml"],
    reduceLogo: (logo) => reducedPicture(logo, "store"),
  };
}

/**
 * Letters of other scripts than those of the own fonts. To shape as many takes some seconds; a document with the longest
 * terms, the longest notes and two hundred lines has fewer.
 */
const MAX_SHAPED = 30_000;

function lettersToShape(document: BudgetDocument, { has }: Face): number {
  let count = 0;
  const rows = document.rows.map(({ name: _begins, details: _ends, ...row }) => row); // the description has both
  for (const text of textsIn({ ...document, rows })) {
    if (/^[\0-\u024f]*$/.test(text)) continue;
    for (const character of text) if (character !== "\n" && !has(character.codePointAt(0) ?? 0)) count += 1;
  }
  return count;
}

/** Every text of a document. */
function textsIn(part: BudgetDocument | unknown): string[] {
  if (typeof part === "string") return [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(textsIn) : [];
}
