import type { BudgetDocument, DocumentSeller } from "@budgetkit/core";
import { mailLink, websiteLink } from "./links.js";
import type { Sheet, Style } from "./sheet.js";
import type { Styles } from "./styles.js";

const LOGO_BOX = [150, 34] as const;
const LOGO_GAP = 10;
const COLUMN_GAP = 24;
const LEFT_SHARE = 0.5;
/** A name beside a wider logo would have too little room: it stands below. */
const MAX_LOGO_BESIDE = 80;

interface Contact {
  readonly text: string | null;
  readonly style: Style;
  readonly link?: string | null;
}

/** The business with its logo on the left, its contacts on the right. */
export function drawLetterhead(sheet: Sheet, seller: DocumentSeller, styles: Styles, logo: Buffer | null): void {
  const top = sheet.y;
  const width = sheet.width * LEFT_SHARE;
  drawName(sheet, seller.name, width, styles, logo);
  const leftEnd = sheet.y;
  sheet.y = top;
  const { legalName, taxId, address, email, phone, website } = seller;
  const contacts: Contact[] = [
    { text: legalName, style: styles.quiet },
    { text: taxId, style: styles.quiet },
    { text: address, style: styles.quiet },
    { text: email, style: styles.link, link: email === null ? null : mailLink(email) },
    { text: phone, style: styles.quiet },
    { text: website, style: styles.link, link: website === null ? null : websiteLink(website) },
  ];
  for (const contact of contacts) drawContact(sheet, contact, sheet.width - width - COLUMN_GAP);
  sheet.y = Math.max(leftEnd, sheet.y);
  if (sheet.y > top) sheet.y += 24;
}

/** The name beside the logo, in its middle, or below a wide one. */
function drawName(sheet: Sheet, name: string | null, width: number, styles: Styles, logo: Buffer | null): void {
  const top = sheet.y;
  const size = logo === null ? null : drawLogo(sheet, logo);
  const isBeside = size !== null && size[0] <= MAX_LOGO_BESIDE;
  const x = sheet.left + (isBeside ? size[0] + LOGO_GAP : 0);
  const height = sheet.lineHeight(styles.name);
  const lines = name === null ? [] : sheet.linesOf(name, styles.name, width - (x - sheet.left));
  if (size !== null && isBeside) sheet.y = top + Math.max(0, (size[1] - lines.length * height) / 2);
  else if (size !== null) sheet.y = top + size[1] + 8;
  if (lines.length > 0) {
    const element = sheet.tag(sheet.root, "P");
    for (const line of lines) {
      if (sheet.room < height) sheet.newPage();
      element.add(() => sheet.line(line, x, sheet.y, styles.name));
      sheet.y += height;
    }
    element.end();
  }
  if (size !== null) sheet.y = Math.max(sheet.y, top + size[1]);
}

/** The size in which it is drawn; null = the image cannot be read. */
function drawLogo(sheet: Sheet, logo: Buffer): [width: number, height: number] | null {
  try {
    const size = sheet.imageSize(logo, LOGO_BOX);
    const area = { x: sheet.left, y: sheet.y, width: size[0], height: size[1] };
    sheet.tagged(sheet.root, "Figure", () => sheet.image(logo, area), { alt: "Logo" });
    return size;
  } catch {
    return null;
  }
}

function drawContact(sheet: Sheet, { text, style, link = null }: Contact, width: number): void {
  if (text === null) return;
  const height = sheet.lineHeight(style);
  const element = sheet.tag(sheet.root, "P");
  const part = link === null ? element : sheet.tag(element, "Link");
  for (const line of sheet.linesOf(text, style, width)) {
    if (sheet.room < height) sheet.newPage();
    const { y } = sheet;
    part.add(() => sheet.line(line, sheet.right, y, style, "right"));
    const wide = sheet.widthOf(line, style);
    if (link !== null) sheet.link(part, link, { x: sheet.right - wide, y, width: wide, height });
    sheet.y += height;
  }
  part.end();
  if (part !== element) element.end();
}

const PILL_PADDING = 8;

/** The title with the status, and below it the customer and the dates. */
export function drawTitle(sheet: Sheet, document: BudgetDocument, styles: Styles): void {
  const { title, status, facts, validUntil } = document;
  const label = sheet.lineOf(status, styles.status);
  const pill = sheet.widthOf(label, styles.status) + 2 * PILL_PADDING;
  const height = sheet.lineHeight(styles.title);
  const lines = sheet.linesOf(title, styles.title, sheet.width - pill - COLUMN_GAP);
  const heading = sheet.tag(sheet.root, "H1");
  const pillHeight = sheet.lineHeight(styles.status) + 5;
  const pillTop = sheet.y + (height - pillHeight) / 2;
  sheet.frame({ x: sheet.right - pill, y: pillTop, width: pill, height: pillHeight }, pillHeight / 2, styles.accent);
  sheet.tagged(sheet.root, "P", () =>
    sheet.line(label, sheet.right - PILL_PADDING, pillTop + 2.5, styles.status, "right"),
  );
  for (const line of lines) {
    if (sheet.room < height) sheet.newPage();
    heading.add(() => sheet.line(line, sheet.left, sheet.y, styles.title));
    sheet.y += height;
  }
  heading.end();
  sheet.y += 2;
  const shown = facts.filter(({ term, text }) => term !== validUntil?.term || text !== validUntil.text);
  drawFacts(sheet, shown, styles);
  drawCustomer(sheet, document, styles);
  sheet.y += 14;
}

/** Where the customer is, below the name. */
function drawCustomer(sheet: Sheet, { customer: { address, taxId } }: BudgetDocument, styles: Styles): void {
  const lines = `${taxId ?? ""}\n${address ?? ""}`.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return;
  const element = sheet.tag(sheet.root, "P");
  for (const text of lines) {
    for (const line of sheet.linesOf(text, styles.subtitle, sheet.width)) {
      if (sheet.room < sheet.lineHeight(styles.subtitle)) sheet.newPage();
      element.add(() => sheet.line(line, sheet.left, sheet.y, styles.subtitle));
      sheet.y += sheet.lineHeight(styles.subtitle);
    }
  }
  element.end();
}

/** Each fact keeps its order within the line: an Arabic name does not turn the date beside it. */
function drawFacts(sheet: Sheet, facts: BudgetDocument["facts"], styles: Styles): void {
  const text = facts.map((fact) => `${fact.term} ${isolated(fact.text)}`).join(" · ");
  const height = sheet.lineHeight(styles.subtitle);
  if (text !== "") {
    const element = sheet.tag(sheet.root, "P");
    for (const line of sheet.linesOf(text, styles.subtitle, sheet.width)) {
      if (sheet.room < height) sheet.newPage();
      element.add(() => sheet.line(line, sheet.left, sheet.y, styles.subtitle));
      sheet.y += height;
    }
    element.end();
  }
}

function isolated(text: string): string {
  return `\u2068${text.replace(/[\u2066-\u2069]/g, "").replace(/\n/g, " ")}\u2069`;
}
