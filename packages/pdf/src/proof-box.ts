import type { BudgetDocument } from "@budgetkit/core";
import { websiteLink } from "./links.js";
import { qrCodeOf } from "./page-link.js";
import type { Area, Line, Sheet, Style } from "./sheet.js";
import { INK, LINE, type Styles } from "./styles.js";

const PADDING = 11;
const RADIUS = 6;
const CODE = 62; // squares of half a millimetre for an address of 80 characters
const GAP = 11;
const SIGNATURE = { width: 111, height: 37 };
const SIGNATURE_SIDES = [600, 200] as const;
/** What core accepts: moves, lines and curves. */
const PATH = /^M[MLQC\d .-]{1,8192}$/;

/** Beside the totals: the QR code of the customer's page, and the acceptance with its signature. */
export interface ProofBox {
  readonly height: number;
  draw(top: number): void;
}

interface Entry {
  readonly line: Line;
  readonly style: Style;
  readonly isLink: boolean;
}

/** Null = the document has neither. */
export function proofBox(sheet: Sheet, document: BudgetDocument, width: number, styles: Styles): ProofBox | null {
  const { link, signed } = document;
  const code = link === null ? null : qrCodeOf(link);
  if (code === null && signed === null) return null;
  const signature = signed !== null && PATH.test(signed.signature ?? "") ? signed.signature : null;
  const left = sheet.left + PADDING + (code === null ? 0 : CODE + GAP);
  const room = sheet.left + width - PADDING - left;
  const entries = entriesOf(sheet, document, code === null ? null : link, room, styles);
  const textHeight = entries.reduce((sum, { style }) => sum + sheet.lineHeight(style), 0);
  const beside = textHeight + (signature === null ? 0 : SIGNATURE.height + 4);
  const height = 2 * PADDING + Math.max(code === null ? 0 : CODE, beside);
  const draw = (top: number): void => {
    sheet.frame({ x: sheet.left, y: top, width, height }, RADIUS, LINE);
    let y = top + PADDING;
    if (code !== null) drawCode(sheet, code, link ?? "", { x: sheet.left + PADDING, y, width: CODE, height: CODE });
    if (signature !== null) {
      const area = { x: left, y, ...SIGNATURE };
      const alt = signed?.name ?? "";
      sheet.tagged(sheet.root, "Figure", () => sheet.drawing(signature, SIGNATURE_SIDES, area, INK), { alt });
      y += SIGNATURE.height + 4;
    }
    drawEntries(sheet, entries, link, left, y);
  };
  return { height, draw };
}

function entriesOf(
  sheet: Sheet,
  { signed, status }: BudgetDocument,
  link: string | null,
  room: number,
  styles: Styles,
): Entry[] {
  const shown = (text: string | null, style: Style, isLink = false): Entry[] =>
    text === null ? [] : sheet.linesOf(text, style, room).map((line) => ({ line, style, isLink }));
  return [
    ...(signed === null ? shown(status, styles.strong) : shown(signed.name, styles.strong)),
    ...(signed === null ? [] : shown(signed.at, styles.quiet)),
    ...(signed?.evidenceHash == null ? [] : shown(`SHA-256 ${signed.evidenceHash}`, styles.label)),
    ...shown(link === null ? null : link.replace(/^https?:\/\//, ""), styles.link, true),
  ];
}

function drawCode(sheet: Sheet, code: readonly (readonly boolean[])[], link: string, area: Area): void {
  sheet.tagged(sheet.root, "Figure", () => sheet.pattern(code, area, INK), { alt: link });
}

function drawEntries(sheet: Sheet, entries: readonly Entry[], link: string | null, x: number, top: number): void {
  let y = top;
  const url = link === null ? null : websiteLink(link);
  for (const { line, style, isLink } of entries) {
    const element = sheet.tag(sheet.root, "P");
    const part = isLink && url !== null ? sheet.tag(element, "Link") : element;
    const at = y;
    part.add(() => sheet.line(line, x, at, style));
    const area = { x, y, width: sheet.widthOf(line, style), height: sheet.lineHeight(style) };
    if (part !== element && url !== null) sheet.link(part, url, area);
    part.end();
    if (part !== element) element.end();
    y += sheet.lineHeight(style);
  }
}
