import { memoize } from "../../kernel/memoize.js";

/** A color as its red, green and blue, each 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** The backgrounds of the two themes. */
export const LIGHT_BACKGROUND = "#ffffff";
export const DARK_BACKGROUND = "#161514";

/** Of the boxes within the page, on which the accent is readable too. */
export const LIGHT_SUNKEN = "#f5f4f2";
export const DARK_SUNKEN = "#211f1d";

/** The accent of a business that has chosen none. */
export const DEFAULT_ACCENT = "#1f4e79";

/** The contrast that text needs. Source: WCAG 2.2, success criterion 1.4.3, level AA. */
const AA = 4.5;
const STEPS = 100;

/** The accent of a business in each theme, moved towards black or white until it is readable on the background. */
export const readableAccents = memoize((color) => ({
  light: readableOn(LIGHT_SUNKEN, color, BLACK),
  dark: readableOn(DARK_SUNKEN, color, WHITE),
}));

/** The contrast of two colors, 1 to 21. Source: WCAG 2.2, "contrast ratio". Colors are `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(rgbOf(one)), luminanceOf(rgbOf(other))].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function readableOn(background: string, color: string, towards: Rgb): string {
  const from = rgbOf(color);
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = textOf(from.map((part, index) => part + (((towards[index] ?? 0) - part) * step) / STEPS));
    if (contrastOf(mixed, background) >= AA) return mixed;
  }
  return textOf(towards);
}

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(color: string): Rgb {
  const part = (from: number) => Number.parseInt(color.slice(from, from + 2), 16);
  return [part(1), part(3), part(5)];
}

function textOf(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}
