/** Characters of content that are written together. */
const PART = 16_384;

/**
 * Makes a document write the operators of its pages in large parts: pdfkit keeps an array of bytes for each write until
 * the end of the document. Returns what writes the rest, before its end.
 */
export function batchContent(document: PDFKit.PDFDocument): () => void {
  let { page } = document; // of the operators that wait
  let waiting: string[] = [];
  let length = 0;
  const write = (): void => {
    if (waiting.length > 0) page.write(waiting.join("\n"));
    waiting = [];
    length = 0;
  };
  document.addContent = (operator: string) => {
    if (document.page !== page || length > PART) write();
    page = document.page;
    waiting.push(operator);
    length += operator.length;
    return document;
  };
  return write;
}
