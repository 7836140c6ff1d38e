import type { DocumentRow } from "@budgetkit/core";
import type { Sheet } from "./sheet.js";
import type { Styles } from "./styles.js";

/** The room of a mark before the name of its line. */
export const MARK_WIDTH = 14;
const SIZE = 7;
const INNER = [4.4, 3, 1.6];

/** Before a line that the customer selects: round for one of a choice, square for one alone, filled if it is selected. */
export interface Mark {
  readonly isRound: boolean;
  readonly isFilled: boolean;
  readonly color: string;
}

export function markOf({ isSelected, isOption }: DocumentRow, { accent, label }: Styles): Mark | null {
  if (isSelected === null) return null;
  return { isRound: isOption, isFilled: isSelected, color: isSelected ? accent : label.color };
}

/** `y` = the top of the line. */
export function drawMark(sheet: Sheet, { isRound, isFilled, color }: Mark, y: number): void {
  const sizes = isFilled ? [SIZE, ...INNER] : [SIZE];
  for (const size of sizes) {
    const inset = (SIZE - size) / 2;
    const area = { x: sheet.left + inset + 0.5, y: y + 2 + inset, width: size, height: size };
    sheet.frame(area, isRound ? size / 2 : 1, color);
  }
}
