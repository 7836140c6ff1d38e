import { directionOf, type PageLanguage } from "./page-language.js";
import { type Appearance, accentStyle, inAppearance, STYLE, sourceOfStyle } from "./page-style.js";

/** Markup that needs no escaping. */
export class Html {
  constructor(readonly markup: string) {}
}

export type HtmlValue = Html | string | number | null | readonly Html[];

/** A template for markup: everything is escaped but `Html`, null renders nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = "";
  for (let index = 0; index < parts.length; index += 1) markup += parts[index] + render(values[index] ?? null);
  return new Html(markup);
}

function render(value: HtmlValue): string {
  if (value === null) return "";
  if (typeof value === "string") return escapeText(value);
  if (value instanceof Html) return value.markup;
  if (typeof value !== "object") return escapeText(String(value));
  let markup = "";
  for (const part of value) markup += render(part);
  return markup;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const SPECIAL = /[&<>"']/;
const EACH_SPECIAL = new RegExp(SPECIAL, "g");

function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text; // most texts
  return text.replace(EACH_SPECIAL, (character) => ESCAPES[character] ?? "");
}

/** A complete HTML page with its headers. */
export interface HtmlPage {
  readonly markup: string;
  readonly headers: Readonly<Record<string, string>>;
}

const STYLE_SOURCE = sourceOfStyle(STYLE);

/** The headers of every page: no scripts, no external content, no caching, no frames. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  vary: "Accept, Accept-Language",
} as const;

function policyOf(style: string, loads: boolean): string {
  return [
    "default-src 'none'",
    ...(loads ? ["img-src 'self'", "script-src 'self'"] : []),
    `style-src ${STYLE_SOURCE} ${sourceOfStyle(style)}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Of what no link has: it shows its own style and the images that it contains, runs nothing and sends nothing. */
export function policyOfUnsaved(styles: readonly string[]): string {
  const sources = styles.map(sourceOfStyle).join(" ");
  const allowed = `img-src data:; style-src ${sources}`;
  return `sandbox; default-src 'none'; ${allowed}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;
}

/** The page of a budget that has no link yet. */
export interface UnsavedPage {
  readonly logo: string | null; // as a data URL; null = none
  readonly appearance: Appearance | null; // null = as the reader prefers
}

/** A page that loads images and scripts of this service, with custom properties of its style. */
interface LoadingPage {
  readonly properties: string;
  /** What a preview of its link shows. */
  readonly preview: LinkPreview;
  readonly unsaved: UnsavedPage | null; // null = the page of a link
}

interface LinkPreview {
  readonly title: string;
  readonly site: string | null;
  readonly description: string;
}

function previewMarkup({ title, site, description }: LinkPreview): Html {
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
${site === null ? null : html`<meta property="og:site_name" content="${site}">\n`}<meta property="og:description" content="${description}">
<meta name="description" content="${description}">
<meta name="twitter:card" content="summary">
`;
}

/** A page of the language and the accent; the accent null = that of the service. `loading` null = it loads nothing. */
export function pageOf(
  title: string,
  content: Html,
  lang: PageLanguage = "en",
  accent: string | null | undefined = null,
  loading: LoadingPage | null = null,
): HtmlPage {
  const unsaved = loading?.unsaved ?? null;
  const inWanted = (text: string) => inAppearance(text, unsaved?.appearance ?? null);
  const base = inWanted(STYLE);
  const style = inWanted(accentStyle(accent) + (loading?.properties ?? ""));
  const page = html`<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
${loading === null ? null : previewMarkup(loading.preview)}<style>${new Html(base)}</style>
<style>${new Html(style)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return {
    markup: page.markup,
    headers: {
      ...PAGE_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": unsaved === null ? policyOf(style, loading !== null) : policyOfUnsaved([base, style]),
    },
  };
}
