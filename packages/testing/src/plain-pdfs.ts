import type { PdfRenderer } from "@budgetkit/core";

/** A renderer for tests of the interface: the "PDF" is the document as JSON. */
export const plainPdfs: PdfRenderer = {
  render: async (document, { changedAt }) =>
    new TextEncoder().encode(`%PDF-1.7\n${JSON.stringify({ ...document, changedAt })}`),
};
