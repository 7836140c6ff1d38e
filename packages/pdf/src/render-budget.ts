import type { BudgetDocument } from "@budgetkit/core";
import type { Faces } from "./faces.js";
import { flowHeading, flowText } from "./flowing-text.js";
import { infoText } from "./info-text.js";
import { drawItems } from "./item-table.js";
import { drawLetterhead, drawTitle } from "./letterhead.js";
import { plainText } from "./printable.js";
import { Sheet } from "./sheet.js";
import { LINE, type Styles, stylesOf } from "./styles.js";
import { drawSummary } from "./summary-band.js";
import { placedTotals } from "./totals.js";

const BELOW_ITEMS = 14;

export interface RenderDetails {
  readonly changedAt: Date;
  readonly logo: Buffer | null; // a JPEG or an opaque PNG; null = none
}

/** The PDF of a budget. The same document gives the same bytes. */
export async function renderBudget(
  document: BudgetDocument,
  { changedAt, logo }: RenderDetails,
  faces: Faces,
): Promise<Uint8Array> {
  const styles = stylesOf(document.readableAccent);
  const title = plainText(document.title, faces.regular);
  const sheet = new Sheet({
    faces,
    paper: /-US$/i.test(document.locale) ? "LETTER" : "A4",
    lang: document.language,
    isMirrored: document.direction === "rtl",
    info: {
      Title: infoText(title),
      Author: infoText(plainText(document.seller.name ?? document.seller.legalName ?? "", faces.regular)),
      Creator: "Budgetkit",
      CreationDate: changedAt,
      ModDate: changedAt,
    },
  });
  drawLetterhead(sheet, document.seller, styles, logo);
  drawTitle(sheet, document, styles);
  drawSummary(sheet, document, styles);
  await drawAnswer(sheet, document.answer, styles);
  const totals = placedTotals(sheet, document, styles);
  await drawItems(sheet, document, styles, totals.height + BELOW_ITEMS);
  totals.draw();
  for (const { title, text } of document.texts) await drawText(sheet, title, text, styles);
  if (document.footer !== null) await drawFooter(sheet, document.footer, styles);
  numberPages(sheet, document, styles);
  return sheet.end();
}

/** The business stands in the middle, between the title and the number of the page. */
function numberPages(sheet: Sheet, { title, seller, pageLabel }: BudgetDocument, styles: Styles): void {
  const third = sheet.width * 0.36;
  const style = styles.label;
  const [name, business] = [title, seller.legalName ?? seller.name ?? ""].map((text) =>
    sheet.lineOf(text, style, third),
  );
  sheet.numberPages((page, pages, y) => {
    const label = pageLabel.replace("{page}", String(page)).replace("{pages}", String(pages));
    if (name !== undefined) sheet.line(name, sheet.left, y, style);
    if (business !== undefined) {
      const middle = sheet.left + (sheet.width - sheet.widthOf(business, style)) / 2;
      sheet.line(business, middle, y, style);
    }
    sheet.line(sheet.lineOf(label, style), sheet.right, y, style, "right");
  });
}

const BAR = 2.5;
const INDENT = 14;

/** The customer's acceptance, beside a bar of the accent. */
async function drawAnswer(sheet: Sheet, answer: BudgetDocument["answer"], styles: Styles): Promise<void> {
  if (answer === null) return;
  const { thanks, accepted, due, payment } = answer;
  const top = sheet.y;
  await flowText(sheet, sheet.root, `${thanks} ${accepted}`, styles.strong, INDENT);
  if (due !== null) await flowText(sheet, sheet.root, due, styles.text, INDENT);
  if (sheet.y > top) sheet.box({ x: sheet.left, y: top, width: BAR, height: sheet.y - top }, styles.accent);
  sheet.y += 14;
  if (payment !== null) await drawText(sheet, payment.title, payment.text, styles);
}

async function drawText(sheet: Sheet, title: string, text: string, styles: Styles): Promise<void> {
  flowHeading(sheet, sheet.root, title, styles.heading, styles.text);
  await flowText(sheet, sheet.root, text, styles.text);
  sheet.y += 14;
}

async function drawFooter(sheet: Sheet, footer: string, styles: Styles): Promise<void> {
  sheet.keep(2 * sheet.lineHeight(styles.quiet) + 12);
  sheet.rule(sheet.y, { color: LINE, width: 0.6 });
  sheet.y += 10;
  await flowText(sheet, sheet.root, footer, styles.quiet);
}
