import { Html, html } from "./html.js";

/** Drawn on a field of 24 by 24 by lines of one width. */
const PATHS = {
  check: "M5 13l4.5 4.5L19 7",
  cross: "M6 6l12 12M18 6L6 18",
  clock: "M12 7v5l3.5 2M12 3a9 9 0 1 0 .01 0z",
  hourglass: "M7 3h10M7 21h10M8 3v4l4 5 4-5V3M8 21v-4l4-5 4 5v4",
  message: "M4 5h16v11H9l-5 4z",
  file: "M7 3h7l4 4v14H7zM14 3v4h4M10 13h5M10 17h5",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  globe: "M12 3a9 9 0 1 0 .01 0zM3.5 9h17M3.5 15h17M12 3c-3 3-3 15 0 18 3-3 3-15 0-18z",
  versions: "M7 4v16M4 7l3-3 3 3M17 20V4M14 17l3 3 3-3",
  card: "M3 6h18v12H3zM3 10h18",
  pen: "M4 20l1-4L16 5l3 3L8 19zM4 20h16",
} as const;
type IconName = keyof typeof PATHS;

/** Beside a word, so that it needs no name of its own. */
export function icon(name: IconName): Html {
  return new Html(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`);
}

type Tone = "good" | "warn" | "bad" | "past" | "done";

/** A state: a word, a shape and a colour. */
export function chip(tone: Tone, shape: IconName, word: string): Html {
  return html`<p class="chip ${tone}">${icon(shape)} <span>${word}</span></p>\n`;
}
