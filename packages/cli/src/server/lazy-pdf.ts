import type { PdfRenderer } from "@budgetkit/core";

/** Loads the renderer, with its fonts, with the first PDF or logo. */
export function lazyPdfDocuments(): Required<PdfRenderer> {
  let loading: Promise<Required<PdfRenderer>> | undefined;
  const load = (): Promise<Required<PdfRenderer>> => {
    loading ??= import("@budgetkit/pdf").then(({ pdfDocuments }) => pdfDocuments());
    return loading;
  };
  return {
    render: async (document, details) => (await load()).render(document, details),
    logoTypes: ["image/png", "image/jpeg", "image/svg+xml"],
    undrawable: async (document) => (await load()).undrawable(document),
    isTooLong: async (document) => (await load()).isTooLong(document),
    reduceLogo: async (logo) => (await load()).reduceLogo(logo),
  };
}
