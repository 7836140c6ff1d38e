const BIG_ENDIAN_MARK = "\ufeff";
const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * A text for the information of a document. pdfkit writes bytes as a hexadecimal string, so no text can end the string,
 * and puts what `toString` returns into its XML metadata, which it does not escape itself.
 */
export function infoText(text: string): string {
  const bytes = Uint8Array.from(Buffer.from(BIG_ENDIAN_MARK + text, "utf16le").swap16());
  const escaped = text.replace(/[&<>"']/g, (character) => XML[character] ?? "");
  // pdfkit writes any bytes as a hexadecimal string; its types name only strings.
  return Object.assign(bytes, { toString: () => escaped }) as unknown as string;
}
