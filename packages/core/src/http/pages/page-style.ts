import { createHash } from "node:crypto";
import { memoize } from "../../kernel/memoize.js";
import { DARK_BACKGROUND, DEFAULT_ACCENT, LIGHT_BACKGROUND, readableAccents } from "./accent.js";

export const STYLE = `
*, ::before, ::after { box-sizing: border-box }
:root {
  color-scheme: light dark;
  --background: ${LIGHT_BACKGROUND}; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --on-accent: ${LIGHT_BACKGROUND};
  --font: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --radius: .5rem; --width: 46rem;
  font: 1rem/1.5 var(--font);
}
@media (prefers-color-scheme: dark) {
  :root { --background: ${DARK_BACKGROUND}; --text: #e6e8eb; --quiet: #a2aab4; --line: #3a414a; --on-accent: ${DARK_BACKGROUND} }
}
body { margin: 0; background: var(--background); color: var(--text); overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }
main { margin: 0 auto; max-width: var(--width); padding: 1.5rem 1rem 4rem; border-top: .375rem solid var(--accent) }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 }
h2 { font-size: 1.125rem; line-height: 1.3; margin: 2rem 0 .5rem }
p { margin: .5rem 0 }
a { color: var(--accent) }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .125rem }
.seller { display: flex; flex-wrap: wrap; gap: .25rem 2rem; justify-content: space-between; margin-bottom: 2rem }
.seller p { margin: 0 }
.seller .name { font-size: 1.25rem; font-weight: 700 }
.quiet, .seller address, dt, thead th, footer { color: var(--quiet); font-size: .9375rem }
address { font-style: normal }
.lines { white-space: pre-line }
.status { display: inline-block; border: 1px solid var(--accent); color: var(--accent); border-radius: 1rem; padding: 0 .75rem; font-size: .9375rem; font-weight: 600 }
dl { margin: 1rem 0 }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem 1.5rem }
dd { margin: 0 }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .625rem .75rem .625rem 0; text-align: left; vertical-align: top; font-weight: 400 }
th:last-child, td:last-child { padding-right: 0 }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.item { white-space: pre-line }
.item::first-line { font-weight: 600 }
td h3 { font-size: 1.0625rem; margin: .75rem 0 0 }
.less { display: block; color: var(--quiet); font-size: .9375rem }
.subtotal td { font-weight: 600 }
.totals { margin: 1rem 0 0 auto; max-width: 24rem }
.totals div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .25rem 0 }
.totals dd { font-variant-numeric: tabular-nums; margin-left: auto; text-align: right }
.totals .total { border-top: 2px solid var(--accent); font-size: 1.25rem; font-weight: 700; margin-top: .25rem; padding-top: .5rem }
.totals .total dt { color: inherit; font-size: inherit }
.note { border-left: .25rem solid var(--accent); padding: .25rem 0 .25rem 1rem; margin: 1.5rem 0 }
form { border: 1px solid var(--line); border-radius: calc(1.5 * var(--radius)); padding: 0 1.25rem 1.25rem; margin-top: 2rem }
form h2 { margin-top: 1.25rem }
details { margin-top: 1.5rem }
details form { margin-top: .5rem; padding-top: .5rem }
summary { color: var(--quiet); cursor: pointer; padding: .625rem 0; text-decoration: underline }
label { display: block; margin-top: .75rem }
input, textarea { width: 100%; font: inherit; color: inherit; background: var(--background); border: 1px solid var(--quiet); border-radius: var(--radius); padding: .625rem .75rem; margin-top: .25rem }
button { font: inherit; font-weight: 600; min-height: 3rem; padding: .625rem 2rem; margin-top: 1.25rem; border-radius: var(--radius); cursor: pointer; background: transparent; border: 1px solid var(--quiet); color: var(--text) }
button:disabled { opacity: .6; cursor: default }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); width: 100% }
.logo { display: block; max-width: min(12rem, 100%); max-height: 4.5rem; margin-bottom: .5rem }
.seen { position: absolute; width: 1px; height: 1px }
.files { padding-left: 1.25rem }
#signature-pad svg { display: block; width: 100%; max-width: 30rem; border: 1px dashed var(--quiet); border-radius: var(--radius); touch-action: none; cursor: crosshair }
#signature-pad p { margin: .75rem 0 .25rem }
#signature-pad button { min-height: 2.5rem; margin-top: .5rem; padding: .25rem 1rem; font-weight: 400 }
svg path { fill: none; stroke: currentColor; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.drawn { display: block; max-width: 15rem }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem }
@media (max-width: 36rem) {
  thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; white-space: nowrap }
  table, tbody { display: block }
  tr { display: flex; flex-wrap: wrap; gap: 0 .5rem; border-bottom: 1px solid var(--line); padding: .625rem 0 }
  tbody td { border: 0; padding: 0; min-width: 0; white-space: normal }
  td.item { flex-basis: 100% }
  .less { display: inline }
  td.price::before { content: "× "; color: var(--quiet) }
  td.number:last-child { margin-left: auto }
  .totals { max-width: none }
}
@media print {
  :root { --background: #fff; --text: #000; --quiet: #333; --line: #999 }
  main { max-width: none; padding: 1rem 0; border-top-width: .25rem }
  form, details { display: none }
  tr, .totals { break-inside: avoid }
  thead { display: table-header-group }
}
`;

/** Sets the accent of both themes; null = the accent of the service. */
export function accentStyle(color: string | null | undefined): string {
  const { light, dark } = readableAccents(color ?? DEFAULT_ACCENT);
  return `:root{--accent:${light}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}@media print{:root{--accent:${light}}}`;
}

/** The source of a style in a content security policy. */
export const sourceOfStyle = memoize((style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`);
