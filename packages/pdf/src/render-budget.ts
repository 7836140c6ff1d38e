import type { BudgetDocument } from "@budgetkit/core";
import type { Faces } from "./faces.js";
import { flowHeading, flowText } from "./flowing-text.js";
import { infoText } from "./info-text.js";
import { drawItems } from "./item-table.js";
import { drawLetterhead, drawTitle } from "./letterhead.js";
import { printable } from "./printable.js";
import { Sheet } from "./sheet.js";
import { LINE, type Styles, stylesOf } from "./styles.js";
import { drawTotals } from "./totals.js";

const EDGE = 5;

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
  const title = printable(document.title, faces.regular);
  const sheet = new Sheet({
    faces,
    paper: /-US$/i.test(document.locale) ? "LETTER" : "A4",
    lang: document.language,
    info: {
      Title: infoText(title),
      Author: infoText(printable(document.seller.name ?? document.seller.legalName ?? "", faces.regular)),
      Creator: "Budgetkit",
      CreationDate: changedAt,
      ModDate: changedAt,
    },
  });
  sheet.edge(styles.accent, EDGE);
  drawLetterhead(sheet, document.seller, styles, logo);
  drawTitle(sheet, document, styles);
  await drawAnswer(sheet, document.answer, styles);
  await drawItems(sheet, document, styles);
  drawTotals(sheet, document.totals, styles);
  for (const { title, text } of document.texts) await drawText(sheet, title, text, styles);
  if (document.footer !== null) await drawFooter(sheet, document.footer, styles);
  const label = (page: number, pages: number) =>
    document.pageLabel.replace("{page}", String(page)).replace("{pages}", String(pages));
  sheet.numberPages((page, pages, y) => {
    sheet.line(sheet.linesOf(title, styles.label, sheet.width * 0.6)[0] ?? "", sheet.left, y, styles.label);
    sheet.line(label(page, pages), sheet.right, y, styles.label, "right");
  });
  return sheet.end();
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
  if (sheet.y > top) sheet.box(sheet.left, top, BAR, sheet.y - top, styles.accent);
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
