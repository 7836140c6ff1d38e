import type { Style } from "./sheet.js";

const TEXT = "#1b1f24";
const QUIET = "#57606a";
export const LINE = "#d0d7de";

export interface Styles {
  readonly accent: string;
  readonly name: Style;
  readonly title: Style;
  readonly status: Style;
  readonly heading: Style;
  readonly text: Style;
  readonly strong: Style;
  readonly quiet: Style;
  readonly label: Style;
  readonly link: Style;
  readonly total: Style;
}

export function stylesOf(accent: string): Styles {
  return {
    accent,
    name: { face: "strong", size: 14, color: TEXT },
    title: { face: "strong", size: 22, color: TEXT },
    status: { face: "strong", size: 8.5, color: accent },
    heading: { face: "strong", size: 11, color: TEXT },
    text: { face: "regular", size: 9.5, color: TEXT },
    strong: { face: "strong", size: 9.5, color: TEXT },
    quiet: { face: "regular", size: 9, color: QUIET },
    label: { face: "regular", size: 8.5, color: QUIET },
    link: { face: "regular", size: 9, color: accent },
    total: { face: "strong", size: 13, color: TEXT },
  };
}
