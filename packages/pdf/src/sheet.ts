import { setImmediate } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { batchContent } from "./batched-content.js";
import { type Face, type Faces, LEFT_TO_RIGHT, RIGHT_TO_LEFT, type Typeface } from "./faces.js";
import { printable } from "./printable.js";
import { isRightToLeft, type Line, type Run, runsOf, widthOf } from "./text-runs.js";
import { wrapLines } from "./wrap-lines.js";

/** An element of the structure tree, by which screen readers read a document. */
export type Tag = PDFKit.PDFStructureElement;

export type { Line };

type OpenTypeFeatures = NonNullable<PDFKit.Mixins.TextOptions["features"]>;
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
  readonly isMirrored: boolean; // the text runs from right to left, and the sheet begins at its right edge
  readonly info: PDFKit.DocumentInfo;
}

const SIDE = 45;
const TOP = 42;
const BOTTOM = 62; // the number of the page stands here
const LINE_HEIGHT = 1.45;
/** Line breaks of a document that are kept. Texts of nothing else would fill a thousand pages, for seconds. */
const MAX_BREAKS = 2_000;
/** Lines drawn in one turn of the event loop. */
const LINES_IN_TURN = 100;
/** And how long it takes at most: lines of some scripts take tens of milliseconds each. */
const TURN_MS = 20;
const HALF_CAPITAL = 0.3635; // half the height of a capital letter of the fonts, at size 1

/** pdfkit measures a line for underlines and links, which lines here do not have: the width and the words need no values. */
const LINE_OPTIONS = { lineBreak: false, baseline: "alphabetic", textWidth: 0, wordCount: 1 } as const;

/** A place on a page. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The pages of a document, filled from the top down. On a mirrored sheet, left is right and right is left. */
export class Sheet {
  readonly root: Tag;
  readonly left = SIDE;
  y = TOP;
  readonly #doc: PDFKit.PDFDocument;
  readonly #faces: Faces;
  readonly #isMirrored: boolean;
  readonly #writeContent: () => void;
  readonly #chunks: Uint8Array[] = [];
  readonly #ended: Promise<void>;
  #breaks = MAX_BREAKS; // that are left
  #linesInTurn = 0;
  #turnBegan = performance.now();

  constructor({ faces, paper, lang, isMirrored, info }: SheetSettings) {
    const options = {
      size: paper,
      margin: 0,
      lang,
      info,
      tagged: true,
      displayTitle: true,
      bufferPages: true,
    } as const;
    this.#doc = new PDFDocument({ ...options, pdfVersion: "1.7", font: pdfFontOf(faces.regular.primary) });
    this.#writeContent = batchContent(this.#doc);
    this.#faces = faces;
    this.#isMirrored = isMirrored;
    // By its name pdfkit finds a font; a font object would be opened and compared again for each line.
    for (const { primary, fallbacks } of [faces.regular, faces.strong]) {
      for (const face of [primary, ...fallbacks]) this.#doc.registerFont(face.name, pdfFontOf(face));
    }
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

  widthOf({ text }: Line, { face, size }: Style): number {
    return widthOf(text, this.#faces[face], size);
  }

  /** The lines of any text, as the fonts can show them. Line breaks beyond those of a document become spaces. */
  linesOf(text: string, style: Style, width: number): Line[] {
    return [...this.#wrapped(text, style, width)];
  }

  /** The same for a long text, with pauses. */
  async linesOfText(text: string, style: Style, width: number): Promise<Line[]> {
    const lines: Line[] = [];
    for (const line of this.#wrapped(text, style, width)) {
      lines.push(line);
      await this.pause();
    }
    return lines;
  }

  *#wrapped(text: string, style: Style, width: number): Generator<Line> {
    const typeface = this.#faces[style.face];
    const given = printable(text, typeface).split("\n");
    const kept = given.slice(0, this.#breaks);
    const joined = given.slice(this.#breaks).join(" ");
    this.#breaks -= Math.min(this.#breaks, given.length - 1);
    const shown = given.length > kept.length ? [...kept, joined] : kept;
    for (const paragraph of shown) {
      const turned = isRightToLeft(paragraph);
      const lines = wrapLines(paragraph, width, (part) => widthOf(part, typeface, style.size));
      for (const line of lines) yield { text: line, isRightToLeft: turned };
    }
  }

  /** As much of a text as has room in one line. */
  lineOf(text: string, style: Style, width = this.width): Line {
    return this.linesOf(text, style, width)[0] ?? { text: "", isRightToLeft: false };
  }

  /** Lets other work of the process go on, once a turn is over. */
  async pause(): Promise<void> {
    if (this.#linesInTurn < LINES_IN_TURN && performance.now() - this.#turnBegan < TURN_MS) return;
    this.#linesInTurn = 0;
    await setImmediate();
    this.#turnBegan = performance.now();
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

  /** One line. `x` is its left end, or its right end. */
  line(line: Line, x: number, y: number, style: Style, align: "left" | "right" = "left"): void {
    if (line.text === "") return;
    this.#linesInTurn += 1;
    const { face, size, color } = style;
    const baseline = y + this.lineHeight(style) / 2 + size * HALF_CAPITAL;
    const width = this.widthOf(line, style);
    let at = this.#place(align === "left" ? x : x - width, width);
    for (const run of runsOf(line, this.#faces[face])) {
      this.#doc.font(run.face.name).fontSize(size).fillColor(color);
      this.#drawRun(run, at, baseline, this.#faces[face]);
      at += run.face.widthOf(run.text, size);
    }
  }

  /** Runs from left to right in the font of the package are laid out without features: pdfkit keeps their words. */
  #drawRun({ text, face, isRightToLeft: turned }: Run, x: number, baseline: number, { primary }: Typeface): void {
    const features = [turned ? RIGHT_TO_LEFT : LEFT_TO_RIGHT] as OpenTypeFeatures;
    const isPlain = face === primary && !turned;
    this.#doc.text(text, x, baseline, isPlain ? LINE_OPTIONS : { ...LINE_OPTIONS, features });
  }

  /** The left end on paper of what is that wide. */
  #place(x: number, width: number): number {
    return this.#isMirrored ? this.#doc.page.width - x - width : x;
  }

  rule(y: number, { color, width, from = this.left }: { color: string; width: number; from?: number }): void {
    this.box({ x: from, y: y - width / 2, width: this.right - from, height: width }, color);
  }

  box({ x, y, width, height }: Area, color: string): void {
    this.decorated(() => this.#doc.rect(this.#place(x, width), y, width, height).fill(color));
  }

  frame({ x, y, width, height }: Area, radius: number, color: string): void {
    this.decorated(() =>
      this.#doc.lineWidth(0.8).roundedRect(this.#place(x, width), y, width, height, radius).stroke(color),
    );
  }

  link(element: Tag, url: string, { x, y, width, height }: Area): void {
    const options: AnnotationOptions = { structParent: element };
    this.#doc.link(this.#place(x, width), y, width, height, url, options);
  }

  /** The size in which a PNG or JPEG fits the box. Throws for one that cannot be read. */
  imageSize(bytes: Buffer, box: readonly [width: number, height: number]): [width: number, height: number] {
    const { width, height } = openImage(this.#doc, bytes);
    const scale = Math.min(box[0] / width, box[1] / height);
    return [width * scale, height * scale];
  }

  image(bytes: Buffer, { x, y, width, height }: Area): void {
    this.#doc.image(bytes, this.#place(x, width), y, { width, height });
  }

  /** The dark squares of a pattern, such as a QR code. */
  pattern(rows: readonly (readonly boolean[])[], { x, y, width, height }: Area, color: string): void {
    const [tall, left] = [height / rows.length, this.#place(x, width)];
    for (const [row, squares] of rows.entries()) {
      const wide = width / squares.length;
      for (const [from, length] of darkSpans(squares)) {
        this.#doc.rect(left + from * wide, y + row * tall, length * wide, tall);
      }
    }
    this.#doc.fill(color);
  }

  /** The path of an SVG of `sides`, drawn as a line within the area. */
  drawing(path: string, sides: readonly [width: number, height: number], area: Area, color: string): void {
    const left = this.#place(area.x, area.width);
    const scale = area.width / sides[0];
    this.#doc.save().rect(left, area.y, area.width, area.height).clip();
    this.#doc.translate(left, area.y).scale(scale).lineWidth(4).lineCap("round").lineJoin("round");
    this.#doc.path(path).stroke(color).restore();
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

/** Newer than the types. */
function openImage(document: PDFKit.PDFDocument, bytes: Buffer): { readonly width: number; readonly height: number } {
  if ("openImage" in document && typeof document.openImage === "function") return document.openImage(bytes);
  throw new TypeError("pdfkit does not open images");
}

/** The dark squares of a row that stand together: [first, how many]. */
function darkSpans(squares: readonly boolean[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const [index, isDark] of squares.entries()) {
    const last = spans.at(-1);
    if (!isDark) continue;
    if (last !== undefined && last[0] + last[1] === index) last[1] += 1;
    else spans.push([index, 1]);
  }
  return spans;
}

/** pdfkit 0.20 accepts a font that fontkit has parsed; its types, of 0.17, name only files and buffers. */
function pdfFontOf({ font }: Face): string {
  return font as unknown as string;
}
