/** In which colors a page is shown, where its reader does not decide. */
export const APPEARANCES = ["light", "dark"] as const;
export type Appearance = (typeof APPEARANCES)[number];

const PREFERS_DARK = /\(prefers-color-scheme: ?dark\)/g;

/** The style in one appearance, whatever the reader prefers; null = as the reader prefers. */
export function inAppearance(style: string, appearance: Appearance | null): string {
  if (appearance === null) return style;
  return style
    .replace(PREFERS_DARK, appearance === "dark" ? "all" : "not all")
    .replace("color-scheme:light dark", `color-scheme:${appearance}`);
}
