import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** What a reader of PDFs finds in a file. */
export interface PdfContent {
  readonly pages: readonly string[]; // the text of each, its pieces joined by spaces
  readonly urls: readonly string[]; // of links
  readonly annotations: readonly string[]; // kinds
  readonly roles: readonly string[]; // of the structure, in order
  readonly info: Readonly<Record<string, unknown>>;
  readonly lang: string | null;
  readonly hasScript: boolean;
  readonly size: readonly number[]; // of the first page
}

export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
  const task = getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  try {
    const pages = await Promise.all(
      Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1)),
    );
    const texts = await Promise.all(pages.map((page) => page.getTextContent()));
    const annotations = (await Promise.all(pages.map((page) => page.getAnnotations()))).flat();
    const trees = await Promise.all(pages.map((page) => page.getStructTree()));
    const { info } = await document.getMetadata();
    return {
      pages: texts.map(({ items }) => items.flatMap((item) => ("str" in item ? [item.str] : [])).join(" ")),
      urls: annotations.flatMap(({ url, unsafeUrl }) => [url ?? unsafeUrl ?? ""]),
      annotations: annotations.map(({ subtype }) => String(subtype)),
      roles: trees.flatMap(rolesIn),
      info: { ...info },
      lang: "Language" in info ? String(info.Language) : null,
      hasScript: (await document.getJSActions()) !== null || (await document.getOpenAction()) !== null,
      size: pages[0]?.view.slice(2) ?? [],
    };
  } finally {
    await task.destroy();
  }
}

function rolesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null || !("role" in node)) return [];
  const children = "children" in node && Array.isArray(node.children) ? node.children : [];
  return [String(node.role), ...children.flatMap(rolesIn)];
}
