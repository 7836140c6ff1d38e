import type { Style } from "./sheet.js";

const TEXT = "#1b1a18";
const SECONDARY = "#55534d";
const QUIET = "#6b6962";
/** Between rows, and around what stands alone. */
export const LINE = "#e0dfda";
/** Below the heading of a section. */
export const STRONG_LINE = "#bab8b1";
export const INK = TEXT;

export interface Styles {
  readonly accent: string;
  readonly name: Style;
  readonly title: Style;
  readonly subtitle: Style;
  readonly status: Style;
  readonly figure: Style;
  readonly fact: Style;
  readonly heading: Style;
  readonly text: Style;
  readonly strong: Style;
  readonly quiet: Style;
  readonly quietText: Style;
  readonly label: Style;
  readonly link: Style;
  readonly total: Style;
}

export function stylesOf(accent: string): Styles {
  return {
    accent,
    name: { face: "strong", size: 12, color: TEXT },
    title: { face: "strong", size: 17, color: TEXT },
    subtitle: { face: "regular", size: 9, color: SECONDARY },
    status: { face: "strong", size: 8, color: accent },
    figure: { face: "strong", size: 16, color: TEXT },
    fact: { face: "strong", size: 10, color: TEXT },
    heading: { face: "strong", size: 10, color: TEXT },
    text: { face: "regular", size: 9, color: TEXT },
    strong: { face: "strong", size: 9, color: TEXT },
    quiet: { face: "regular", size: 8, color: SECONDARY },
    quietText: { face: "regular", size: 9, color: QUIET },
    label: { face: "regular", size: 8, color: QUIET },
    link: { face: "regular", size: 8, color: accent },
    total: { face: "strong", size: 13, color: TEXT },
  };
}
