import type { BudgetDocument, DocumentSeller } from "@budgetkit/core";
import { mailLink, websiteLink } from "./links.js";
import type { Sheet, Style } from "./sheet.js";
import type { Styles } from "./styles.js";

const LOGO_BOX = [170, 46] as const;
const COLUMN_GAP = 24;
const LEFT_SHARE = 0.55;

interface Line {
  readonly text: string | null;
  readonly style: Style;
  readonly link?: string | null;
}

/** The business with its logo on the left, its contacts on the right. */
export function drawLetterhead(sheet: Sheet, seller: DocumentSeller, styles: Styles, logo: Buffer | null): void {
  const top = sheet.y;
  const width = sheet.width * LEFT_SHARE;
  if (logo !== null && drawLogo(sheet, logo)) sheet.y += LOGO_BOX[1] + 10;
  drawLines(sheet, "left", width, [
    { text: seller.name, style: styles.name },
    { text: seller.legalName, style: styles.quiet },
    { text: seller.taxId, style: styles.quiet },
  ]);
  const leftEnd = sheet.y;
  sheet.y = top + 2;
  const { address, email, phone, website } = seller;
  drawLines(sheet, "right", sheet.width - width - COLUMN_GAP, [
    { text: address, style: styles.quiet },
    { text: email, style: styles.link, link: email === null ? null : mailLink(email) },
    { text: phone, style: styles.quiet },
    { text: website, style: styles.link, link: website === null ? null : websiteLink(website) },
  ]);
  sheet.y = Math.max(leftEnd, sheet.y);
  if (sheet.y > top + 2) sheet.y += 26;
}

/** False = the image cannot be read. */
function drawLogo(sheet: Sheet, logo: Buffer): boolean {
  try {
    sheet.tagged(sheet.root, "Figure", () => sheet.image(logo, sheet.left, sheet.y, LOGO_BOX), { alt: "Logo" });
    return true;
  } catch {
    return false;
  }
}

function drawLines(sheet: Sheet, side: "left" | "right", width: number, lines: readonly Line[]): void {
  const x = side === "left" ? sheet.left : sheet.right;
  for (const { text, style, link = null } of lines) {
    if (text === null) continue;
    const element = sheet.tag(sheet.root, "P");
    const part = link === null ? element : sheet.tag(element, "Link");
    for (const line of sheet.linesOf(text, style, width)) {
      if (sheet.room < sheet.lineHeight(style)) sheet.newPage();
      const { y } = sheet;
      if (line !== "") part.add(() => sheet.line(line, x, y, style, side));
      const wide = sheet.widthOf(line, style);
      const area = { x: side === "left" ? x : x - wide, y, width: wide, height: sheet.lineHeight(style) };
      if (link !== null) sheet.link(part, link, area);
      sheet.y += sheet.lineHeight(style);
    }
    part.end();
    element.end();
  }
}

const PILL_PADDING = 9;
const FACT_GAP = 18;

/** The title with the status, and below it the customer and the dates. */
export function drawTitle(sheet: Sheet, { title, status, facts }: BudgetDocument, styles: Styles): void {
  const label = sheet.linesOf(status, styles.status, sheet.width)[0] ?? "";
  const pill = sheet.widthOf(label, styles.status) + 2 * PILL_PADDING;
  const height = sheet.lineHeight(styles.title);
  const lines = sheet.linesOf(title, styles.title, sheet.width - pill - COLUMN_GAP);
  const top = sheet.y;
  const heading = sheet.tag(sheet.root, "H1");
  const pillHeight = sheet.lineHeight(styles.status) + 6;
  const pillTop = top + (height - pillHeight) / 2;
  sheet.frame(sheet.right - pill, pillTop, pill, pillHeight, styles.accent);
  sheet.tagged(sheet.root, "P", () =>
    sheet.line(label, sheet.right - PILL_PADDING, pillTop + 3, styles.status, "right"),
  );
  for (const line of lines) {
    if (sheet.room < height) sheet.newPage();
    heading.add(() => sheet.line(line, sheet.left, sheet.y, styles.title));
    sheet.y += height;
  }
  heading.end();
  sheet.y += 12;
  drawFacts(sheet, facts, styles);
}

function drawFacts(sheet: Sheet, facts: BudgetDocument["facts"], styles: Styles): void {
  const top = sheet.y;
  const width = (sheet.width - FACT_GAP * (facts.length - 1)) / Math.max(facts.length, 1);
  const ends = facts.map(({ term, text }, index) => {
    const x = sheet.left + index * (width + FACT_GAP);
    const element = sheet.tag(sheet.root, "P");
    element.add(() => sheet.line(sheet.printable(term, styles.label), x, top, styles.label));
    let y = top + sheet.lineHeight(styles.label) + 1;
    for (const line of sheet.linesOf(text, styles.strong, width)) {
      const at = y;
      if (line !== "") element.add(() => sheet.line(line, x, at, styles.strong));
      y += sheet.lineHeight(styles.strong);
    }
    element.end();
    return y;
  });
  sheet.y = Math.max(top, ...ends) + 22;
}
