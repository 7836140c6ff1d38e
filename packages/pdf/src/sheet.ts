import { setImmediate } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { batchContent } from "./batched-content.js";
import type { Face, Faces } from "./faces.js";
import { printable } from "./printable.js";
import { wrapLines } from "./wrap-lines.js";

/** An element of the structure tree, by which screen readers read a document. */
export type Tag = PDFKit.PDFStructureElement;

type AnnotationOptions = PDFKit.Mixins.AnnotationOption & { readonly structParent: Tag }; // newer than the types
type TagOptions = PDFKit.Mixins.StructureElementOptions & { readonly scope?: "Column" }; // newer than the types

export interface Style {
  readonly face: keyof Faces;
  readonly size: number; // points
  readonly color: string;
}

export interface SheetSettings {
  readonly faces: Faces;
  readonly paper: "A4" | "LETTER";
  readonly lang: string;
  readonly info: PDFKit.DocumentInfo;
}

const SIDE = 50;
const TOP = 50;
const BOTTOM = 64; // the number of the page stands here
const LINE_HEIGHT = 1.45;
/** Line breaks of a document that are kept. Texts of nothing else would fill a thousand pages, for seconds. */
const MAX_BREAKS = 2_000;
/** Lines drawn in one turn of the event loop. */
const LINES_IN_TURN = 100;
const HALF_CAPITAL = 0.3635; // half the height of a capital letter of the fonts, at size 1

/** pdfkit measures a line for underlines and links, which lines here do not have: the width and the words need no values. */
const LINE_OPTIONS = { lineBreak: false, baseline: "alphabetic", textWidth: 0, wordCount: 1 } as const;

/** The pages of a document, filled from the top down. */
export class Sheet {
  readonly root: Tag;
  readonly left = SIDE;
  y = TOP;
  readonly #doc: PDFKit.PDFDocument;
  readonly #faces: Faces;
  readonly #writeContent: () => void;
  readonly #chunks: Uint8Array[] = [];
  readonly #ended: Promise<void>;
  #breaks = MAX_BREAKS; // that are left
  #linesInTurn = 0;

  constructor({ faces, paper, lang, info }: SheetSettings) {
    const options = {
      size: paper,
      margin: 0,
      lang,
      info,
      tagged: true,
      displayTitle: true,
      bufferPages: true,
    } as const;
    this.#doc = new PDFDocument({ ...options, pdfVersion: "1.7", font: pdfFontOf(faces.regular) });
    this.#writeContent = batchContent(this.#doc);
    this.#faces = faces;
    // By its name pdfkit finds a font; a font object would be opened and compared again for each line.
    for (const face of [faces.regular, faces.strong]) this.#doc.registerFont(face.name, pdfFontOf(face));
    this.#doc.on("data", (chunk: Uint8Array) => this.#chunks.push(chunk));
    this.#ended = new Promise((resolve, reject) => this.#doc.on("end", resolve).on("error", reject));
    this.root = this.#doc.struct("Document");
    this.#doc.addStructure(this.root);
  }

  get width(): number {
    return this.#doc.page.width - 2 * SIDE;
  }

  get right(): number {
    return this.left + this.width;
  }

  /** Height that is left on this page. */
  get room(): number {
    return this.#doc.page.height - BOTTOM - this.y;
  }

  /** Height of an empty page. */
  get fullRoom(): number {
    return this.#doc.page.height - BOTTOM - TOP;
  }

  newPage(): void {
    this.#doc.addPage();
    this.y = TOP;
  }

  /** Begins a page if this one has less room. */
  keep(height: number): void {
    if (this.room < height && height <= this.fullRoom) this.newPage();
  }

  lineHeight({ size }: Style): number {
    return size * LINE_HEIGHT;
  }

  widthOf(text: string, { face, size }: Style): number {
    return this.#faces[face].widthOf(text, size);
  }

  printable(text: string, { face }: Style): string {
    return printable(text, this.#faces[face]);
  }

  /** The lines of any text, as the fonts can show them. Line breaks beyond those of a document become spaces. */
  linesOf(text: string, style: Style, width: number): string[] {
    const given = this.printable(text, style).split("\n");
    const kept = given.slice(0, this.#breaks);
    const joined = given.slice(this.#breaks).join(" ");
    this.#breaks -= Math.min(this.#breaks, given.length - 1);
    const shown = given.length > kept.length ? [...kept, joined] : kept;
    return wrapLines(shown.join("\n"), width, (part) => this.widthOf(part, style));
  }

  /** Lets other work of the process go on, once enough lines were drawn. */
  async pause(): Promise<void> {
    if (this.#linesInTurn < LINES_IN_TURN) return;
    this.#linesInTurn = 0;
    await setImmediate();
  }

  /** An open element below `parent`; `close` it when it is complete. */
  tag(parent: Tag, type: string, options: TagOptions = {}): Tag {
    const element = this.#doc.struct(type, options);
    parent.add(element);
    return element;
  }

  /** A complete element below `parent`, with what `draw` draws. */
  tagged(parent: Tag, type: string, draw: () => void, options: TagOptions = {}): void {
    this.tag(parent, type, options).add(draw).end();
  }

  /** Draws what screen readers skip. */
  decorated(draw: () => void): void {
    this.#doc.markContent("Artifact", { type: "Layout" });
    draw();
    this.#doc.endMarkedContent();
  }

  /** One line of printable text. `x` is its left end, or its right end. */
  line(text: string, x: number, y: number, style: Style, align: "left" | "right" = "left"): void {
    if (text === "") return;
    this.#linesInTurn += 1;
    const { face, size, color } = style;
    const from = align === "left" ? x : x - this.widthOf(text, style);
    const baseline = y + this.lineHeight(style) / 2 + size * HALF_CAPITAL;
    this.#doc.font(this.#faces[face].name).fontSize(size).fillColor(color);
    this.#doc.text(text, from, baseline, LINE_OPTIONS);
  }

  rule(y: number, { color, width, from = this.left }: { color: string; width: number; from?: number }): void {
    this.decorated(() => this.#doc.rect(from, y - width / 2, this.right - from, width).fill(color));
  }

  box(x: number, y: number, width: number, height: number, color: string): void {
    this.decorated(() => this.#doc.rect(x, y, width, height).fill(color));
  }

  frame(x: number, y: number, width: number, height: number, color: string): void {
    this.decorated(() =>
      this.#doc
        .lineWidth(0.8)
        .roundedRect(x, y, width, height, height / 2)
        .stroke(color),
    );
  }

  /** The color of the edge of the paper, on this page. */
  edge(color: string, height: number): void {
    this.decorated(() => this.#doc.rect(0, 0, this.#doc.page.width, height).fill(color));
  }

  link(element: Tag, url: string, area: { x: number; y: number; width: number; height: number }): void {
    const options: AnnotationOptions = { structParent: element };
    this.#doc.link(area.x, area.y, area.width, area.height, url, options);
  }

  /** Draws a PNG or JPEG as large as the box allows, at its upper left. */
  image(bytes: Uint8Array, x: number, y: number, box: readonly [width: number, height: number]): void {
    this.#doc.image(Buffer.from(bytes), x, y, { fit: [...box] });
  }

  /** Draws below the content of each page; `draw` gets the number of the page and of all pages. */
  numberPages(draw: (page: number, pages: number, y: number) => void): void {
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(page);
      this.#doc.markContent("Artifact", { type: "Pagination" });
      draw(page + 1, count, this.#doc.page.height - BOTTOM + 24);
      this.#doc.endMarkedContent();
    }
  }

  async end(): Promise<Uint8Array> {
    this.root.end();
    this.#writeContent();
    this.#doc.end();
    await this.#ended;
    return Buffer.concat(this.#chunks);
  }
}

/** pdfkit 0.20 accepts a font that fontkit has parsed; its types, of 0.17, name only files and buffers. */
function pdfFontOf({ font }: Face): string {
  return font as unknown as string;
}
