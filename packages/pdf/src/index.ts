import type { PdfRenderer } from "@budgetkit/core";
import { readFaces } from "./faces.js";
import { renderBudget } from "./render-budget.js";

/**
 * Renders budgets as PDF: `createBudgetService({ …, pdf: pdfDocuments() })`. The fonts are read once; nothing is loaded
 * from other hosts.
 */
export function pdfDocuments(): PdfRenderer {
  const faces = readFaces();
  return { render: (document, details) => renderBudget(document, details, faces) };
}
