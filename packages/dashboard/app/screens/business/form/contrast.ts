/** The contrast that text needs. Source: WCAG 2.2, success criterion 1.4.3, level AA. */
const AA = 4.5;
const STEPS = 100;

/** The boxes of the customer's page on which the accent is read, by appearance. */
const GROUNDS = { light: { color: "#f5f4f2", towards: 0 }, dark: { color: "#211f1d", towards: 255 } } as const;

type Rgb = readonly [red: number, green: number, blue: number];

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The contrast of two colors, 1 to 21. Source: WCAG 2.2, "contrast ratio". Colors are `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(rgbOf(one)), luminanceOf(rgbOf(other))].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

export function isReadable(contrast: number): boolean {
  return contrast >= AA;
}

/** The color that the page uses: darker or lighter until it is readable on its boxes. */
export function colorOnPage(color: string, appearance: keyof typeof GROUNDS): string {
  const { color: ground, towards } = GROUNDS[appearance];
  const from = rgbOf(color);
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = textOf(from.map((part) => part + ((towards - part) * step) / STEPS));
    if (isReadable(contrastOf(mixed, ground))) return mixed;
  }
  return textOf([towards, towards, towards]);
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
