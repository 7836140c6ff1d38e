import type { BudgetDocument } from "../pages/budget-document.js";

/** Writes budgets as PDF. `pdfDocuments()` of `@budgetkit/pdf` makes one. */
export interface PdfRenderer {
  /** The bytes of a PDF: the same for the same arguments. It must not block the event loop for long. */
  render(document: BudgetDocument, details: PdfDetails): Promise<Uint8Array>;

  /**
   * The PNG or JPEG in the size that documents need, as a file of the same type; it is stored in place of the given one.
   * null = it cannot be read. It must not decode the image on the event loop. Without this method, logos are stored as
   * they are given.
   */
  reduceLogo?(logo: Uint8Array): Promise<Uint8Array | null>;
}

export interface PdfDetails {
  /** When the budget last changed: the creation date of the PDF. */
  readonly changedAt: Date;
  /** The logo of the business, PNG or JPEG; null = none. */
  readonly logo: Uint8Array | null;
  /** Reports what leaves a document incomplete, such as a logo that cannot be read. Never throws. */
  readonly onError?: (error: unknown) => void;
}
