import type { PdfRenderer } from "@budgetkit/core";
import { readFaces } from "./faces.js";
import { createPrintLogos } from "./print-logos.js";
import { reducedPicture } from "./reduced-picture.js";
import { renderBudget } from "./render-budget.js";

/**
 * Renders budgets as PDF: `createBudgetService({ …, pdf: pdfDocuments() })`. The fonts are read once; nothing is loaded
 * from other hosts. Logos are decoded in worker threads.
 */
export function pdfDocuments(): Required<PdfRenderer> {
  const faces = readFaces();
  const printLogo = createPrintLogos((logo) => reducedPicture(logo, "print"));
  return {
    render: async (document, { changedAt, logo, onError }) => {
      const onUnreadable = () => onError?.(new Error("the logo is left out of PDFs: it cannot be decoded"));
      return renderBudget(document, { changedAt, logo: await printLogo(logo, onUnreadable) }, faces);
    },
    reduceLogo: (logo) => reducedPicture(logo, "store"),
  };
}
