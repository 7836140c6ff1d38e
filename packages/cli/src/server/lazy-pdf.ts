import type { PdfRenderer } from "@budgetkit/core";

/** Loads the renderer, with its fonts, when the first PDF is asked for. */
export function lazyPdfDocuments(): PdfRenderer {
  let loading: Promise<PdfRenderer> | undefined;
  const load = (): Promise<PdfRenderer> => {
    loading ??= import("@budgetkit/pdf").then(({ pdfDocuments }) => pdfDocuments());
    return loading;
  };
  return { render: async (document, details) => (await load()).render(document, details) };
}
