import type { PdfRenderer } from "@budgetkit/core";

/** A renderer for tests of the interface: the "PDF" is the document as JSON, with the logo in Base64. */
export const plainPdfs: PdfRenderer = {
  render: async (document, { changedAt, logo }) => {
    const shown = logo === null ? {} : { logo: Buffer.from(logo).toString("base64") };
    return new TextEncoder().encode(`%PDF-1.7\n${JSON.stringify({ ...document, ...shown, changedAt })}`);
  },
};
