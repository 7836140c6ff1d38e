import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** A piece of text of a page, as it is drawn. */
interface DrawnLine {
  readonly text: string;
  readonly page: number; // from 0
  readonly x: number; // of its left end
  readonly right: number;
  readonly y: number; // from the lower edge
  readonly size: number; // of the font
}

/** The pieces of text of a PDF, with their places in points. */
export async function drawnLines(bytes: Uint8Array): Promise<DrawnLine[]> {
  const task = getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  try {
    const pages = await Promise.all(
      Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1)),
    );
    const texts = await Promise.all(pages.map((page) => page.getTextContent()));
    return texts.flatMap(({ items }, page) =>
      items.flatMap((item) => {
        if (!("str" in item) || item.str.trim() === "") return [];
        const [size = 0, , , , x = 0, y = 0]: number[] = item.transform;
        return [{ text: item.str, page, x, right: x + item.width, y, size }];
      }),
    );
  } finally {
    await task.destroy();
  }
}
