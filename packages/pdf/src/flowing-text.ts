import type { Sheet, Style, Tag } from "./sheet.js";

/** Lines that stay together at the end of a page. */
const TOGETHER = 2;

/** A paragraph from the left edge, over as many pages as it needs. */
export async function flowText(sheet: Sheet, parent: Tag, text: string, style: Style, indent = 0): Promise<void> {
  const element = sheet.tag(parent, "P");
  const lines = await sheet.linesOfText(text, style, sheet.width - indent);
  const height = sheet.lineHeight(style);
  sheet.keep(Math.min(lines.length, TOGETHER) * height);
  for (const line of lines) {
    await sheet.pause();
    if (sheet.room < height) sheet.newPage();
    if (line.text !== "") element.add(() => sheet.line(line, sheet.left + indent, sheet.y, style));
    sheet.y += height;
  }
  element.end();
}

/** A heading, on the page of the first lines below it. */
export function flowHeading(sheet: Sheet, parent: Tag, title: string, style: Style, below: Style): void {
  const height = sheet.lineHeight(style);
  const lines = sheet.linesOf(title, style, sheet.width);
  sheet.keep(lines.length * height + TOGETHER * sheet.lineHeight(below));
  for (const line of lines) {
    sheet.tagged(parent, "H2", () => sheet.line(line, sheet.left, sheet.y, style));
    sheet.y += height;
  }
  sheet.y += 3;
}
