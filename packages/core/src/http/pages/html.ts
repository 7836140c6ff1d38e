import { createHash } from "node:crypto";

/** Markup that needs no escaping. */
export class Html {
  constructor(readonly markup: string) {}
}

export type HtmlValue = Html | string | number | null | readonly Html[];

/** A template for markup: strings and numbers are escaped, `Html` is not, null renders nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => (index === 0 ? part : render(values[index - 1] ?? null) + part)).join(""));
}

function render(value: HtmlValue): string {
  if (value === null) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(render).join("");
  return escapeText(String(value));
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.5rem; line-height: 1.2 }
h2 { font-size: 1.15rem; margin-top: 2rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { opacity: .75 }
dd { margin: 0 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #8886; padding: .5rem .5rem .5rem 0; text-align: left; vertical-align: top }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
tfoot tr:last-child { font-weight: 700 }
.notes { white-space: pre-line; overflow-wrap: anywhere }
td { overflow-wrap: anywhere }
.status { display: inline-block; border: 1px solid currentcolor; border-radius: 1rem; padding: 0 .75rem; font-size: .875rem }
form { border: 1px solid #8886; border-radius: .5rem; padding: 1rem; margin-top: 1rem }
label { display: block; margin-top: .5rem }
input, textarea { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; margin-top: .25rem }
button { font: inherit; font-weight: 600; padding: .6rem 1.25rem; margin-top: 1rem; min-height: 2.75rem }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The headers of every page: no scripts, no external content, no caching, no frames. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  vary: "Accept",
};

/** A complete HTML page. */
export function pageOf(title: string, content: Html): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return page.markup;
}
