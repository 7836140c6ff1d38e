import type { LogoType } from "../../access/business.js";
import type { BudgetDocument } from "../pages/document-parts.js";

/** Writes budgets as PDF. `pdfDocuments()` of `@budgetkit/pdf` makes one. */
export interface PdfRenderer {
  /** The bytes of a PDF: the same for the same arguments. It must not block the event loop for long. */
  render(document: BudgetDocument, details: PdfDetails): Promise<Uint8Array>;

  /** Of the logos that it can draw; an SVG is safe, of shapes and text alone. Default: PNG and JPEG. */
  readonly logoTypes?: readonly LogoType[];

  /** The characters of the document that the renderer has no glyph for, each once; without this method, none is known. */
  undrawable?(document: BudgetDocument): Promise<readonly string[]>;

  /** Whether a document has more text than the renderer draws: its PDF is refused. Without this method, none is too long. */
  isTooLong?(document: BudgetDocument): Promise<boolean>;

  /**
   * The PNG or JPEG in the size that documents need, as a file of the same type; it is stored in place of the given one.
   * null = it cannot be read. It must not decode the image on the event loop. Without this method, logos are stored as
   * they are given. An SVG, if the renderer takes SVG, is stored as it is given, unless this returns null.
   */
  reduceLogo?(logo: Uint8Array): Promise<Uint8Array | null>;
}

export interface PdfDetails {
  /** When the budget last changed: the creation date of the PDF. */
  readonly changedAt: Date;
  /** The logo of the business, of one of the renderer's types; null = none. */
  readonly logo: Uint8Array | null;
  /** Reports what leaves a document incomplete, such as a logo that cannot be read. Never throws. */
  readonly onError?: (error: unknown) => void;
}
