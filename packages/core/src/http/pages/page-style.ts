import { createHash } from "node:crypto";
import { memoize } from "../../kernel/memoize.js";
import {
  DARK_BACKGROUND,
  DARK_SUNKEN,
  DEFAULT_ACCENT,
  LIGHT_BACKGROUND,
  LIGHT_SUNKEN,
  readableAccents,
} from "./accent.js";

/** Without the blanks that only people need: every page carries it. */
export const STYLE = compact(`
*, ::before, ::after { box-sizing: border-box }
:root {
  color-scheme: light dark;
  --background: ${LIGHT_BACKGROUND}; --sunken: ${LIGHT_SUNKEN}; --text: #1b1a18; --quiet: #55534d; --line: #e7e6e2; --edge: #d6d4ce; --control: #8c8a83;
  --on-accent: ${LIGHT_BACKGROUND}; --good: #13653a; --on-good: #e5f4eb; --warn: #855000; --on-warn: #fcf2df; --bad: #a5271d; --on-bad: #fcecea;
  --past: #75466a; --on-past: #f6edf3; --done: #1f55b0; --on-done: #e9f0fb;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --radius: .625rem; --width: 67.5rem;
  font: 1rem/1.5 var(--font);
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: ${DARK_BACKGROUND}; --sunken: ${DARK_SUNKEN}; --text: #efeeea; --quiet: #b7b5ad; --line: #2b2a28; --edge: #3c3a37; --control: #7b7972;
    --on-accent: ${DARK_BACKGROUND}; --good: #6fcf97; --on-good: #16301f; --warn: #edb95e; --on-warn: #362a14; --bad: #ff9c92; --on-bad: #3d1d1a;
    --past: #d9a9ce; --on-past: #34232f; --done: #93b7ff; --on-done: #1b2945;
  }
}
[hidden] { display: none !important }
body { margin: 0; background: var(--background); color: var(--text); overflow-wrap: anywhere; -webkit-text-size-adjust: 100% }
main { margin: 0 auto; max-width: var(--width); padding: .75rem 1rem 3rem }
h1 { font-size: 1.25rem; line-height: 1.3; font-weight: 650; letter-spacing: -.015em; margin: 0 }
h2 { font-size: 1.0625rem; line-height: 1.4; font-weight: 650; margin: 2rem 0 .5rem }
p, dl, ul, ol { margin: .5rem 0 }
a { color: var(--accent) }
strong { font-weight: 650 }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .125rem }
:target { scroll-margin-top: 1rem }
.lines { white-space: pre-line }
.quiet, .label, .small, dt, footer { color: var(--quiet) }
.label, .small, .until, .quiet, .sunken, footer { font-size: .875rem; line-height: 1.45 }
.unseen { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden }
.top { display: flex; align-items: center; gap: .75rem; min-height: 3rem; margin-bottom: .75rem }
.top .name { font-size: 1.0625rem; font-weight: 600; line-height: 1.3; margin: 0; min-width: 0 }
.languages .short { display: none }
.plate { background: #fff; border: 1px solid var(--line); border-radius: var(--radius); padding: .1875rem; flex: none; max-width: 45% }
.logo { display: block; height: 2.5rem; max-width: 100%; object-fit: contain; border-radius: calc(var(--radius) - .1875rem) }
.languages { margin-inline-start: auto; position: relative; flex: none; font-size: .875rem }
.languages summary { display: flex; gap: .375rem; align-items: center; min-height: 2.75rem; list-style: none; text-decoration: none }
.languages summary::-webkit-details-marker { display: none }
.languages ul { position: absolute; inset-inline-end: 0; z-index: 2; margin: 0; padding: .25rem; list-style: none; min-width: 9rem; background: var(--background); border: 1px solid var(--edge); border-radius: var(--radius) }
.languages a { display: block; padding: .625rem .75rem; color: var(--text); text-decoration: none }
.heading p { margin: .125rem 0 0; font-size: .9375rem }
.heading .small { font-size: .875rem }
.icon { width: 1.125em; height: 1.125em; flex: none; vertical-align: -.2em; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
.card { border: 1px solid var(--edge); border-radius: calc(1.4 * var(--radius)); padding: 1rem; margin: 1rem 0 }
.card > :first-child { margin-top: 0 }
.card > :last-child { margin-bottom: 0 }
.card h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .25rem }
.label { margin: 0 }
.amount { font-size: 2rem; line-height: 1.25; font-weight: 700; letter-spacing: -.028em; font-variant-numeric: tabular-nums; margin: 0 }
.amount.long { font-size: 1.75rem }
.amount.longest { font-size: 1.5rem }
.amount .code { font-size: .5625em; font-weight: 600; letter-spacing: 0; color: var(--quiet) }
.former .amount { color: var(--quiet); font-size: 1.5rem }
.nowrap { white-space: nowrap }
#change, #decline { scroll-margin-top: 4rem }
.until { margin: .25rem 0 0; color: var(--text); font-size: .9375rem }
.chip { display: inline-flex; align-items: center; gap: .375rem; margin: 0 0 .5rem; padding: .125rem .625rem; border: 1px solid transparent; border-radius: 1rem; font-size: .875rem; font-weight: 600 }
.good { color: var(--good); background: var(--on-good) }
.warn { color: var(--warn); background: var(--on-warn) }
.bad { color: var(--bad); background: var(--on-bad) }
.past.chip { color: var(--past); background: var(--on-past) }
.done { color: var(--done); background: var(--on-done) }
.button, button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 2.75rem; padding: .375rem 1rem; font: inherit; font-weight: 600; font-size: .9375rem; line-height: 1.2; text-align: center; text-decoration: none; cursor: pointer; color: var(--text); background: transparent; border: 1px solid var(--edge); border-radius: var(--radius) }
button { border-color: var(--control); margin-top: 1rem }
button:disabled { opacity: .6; cursor: default }
.card > .button, .primary, .secondary { display: flex; width: 100%; min-height: 3rem; margin-top: .75rem; font-size: 1.0625rem }
.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
.secondary { color: var(--accent); border: 2px solid var(--accent) }
.buttons { display: flex; gap: .5rem; margin: .5rem 0 0 }
.buttons .button { flex: 1 1 auto; min-width: 0; padding: .25rem .375rem; gap: .375rem; font-size: .875rem }
.others { display: none; flex-wrap: wrap; gap: 0 1.25rem; margin: .5rem 0 0; font-size: .875rem }
.others a { display: inline-flex; align-items: center; min-height: 2.75rem }
.sunken { background: var(--sunken); border-radius: var(--radius); padding: .75rem; margin: .75rem 0; display: flex; gap: .625rem }
.sunken p { margin: 0 }
.sunken ul { padding-inline-start: 1.25rem }
.sunken summary { padding: .25rem 0; color: var(--accent) }
.quote { border-inline-start: .1875rem solid var(--edge); padding-inline-start: .75rem; margin: .5rem 0 }
.steps { list-style: none; padding: 0; margin: 1rem 0 0 }
.steps li { counter-increment: step; position: relative; padding: 0 0 1.125rem; padding-inline-start: 2.75rem; color: var(--quiet) }
.steps li > strong { display: flex; justify-content: space-between; gap: .5rem; flex-wrap: wrap; font-weight: 600 }
.steps li > .quiet { display: block }
.steps li::before { content: counter(step); position: absolute; inset-inline-start: 0; top: -.125rem; z-index: 1; width: 1.75rem; height: 1.75rem; border-radius: 50%; border: 1.5px solid var(--control); background: var(--background); text-align: center; font-size: .875rem; font-weight: 600; line-height: 1.625rem }
.steps li:not(:last-child)::after { content: ""; position: absolute; inset-inline-start: calc(.875rem - 1px); top: 1.5rem; bottom: 0; width: 2px; background: var(--line) }
.steps .past, .steps .now { color: var(--text) }
.steps .past::before { content: "\\2713"; color: var(--background); background: var(--good); border-color: var(--good) }
.steps .now::before { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
progress { display: block; width: 100%; height: .5rem; margin: .75rem 0; accent-color: var(--good) }
.state { font-size: .9375rem }
.state div, .totals div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .1875rem 0 }
dd { margin: 0; margin-inline-start: auto; text-align: end; font-variant-numeric: tabular-nums }
.rest dd { font-weight: 650 }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .75rem 0; padding-inline-end: 1rem; text-align: start; vertical-align: top; font-weight: 400 }
th:last-child, td:last-child { padding-inline-end: 0 }
thead th { color: var(--quiet); font-size: .875rem; padding: .375rem 0; padding-inline-end: 1rem }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums }
.what { display: block; font-weight: 550 }
.details, .less, .measure { color: var(--quiet); font-size: .9375rem }
.details, .less { display: block }
td h3 { font-size: 1.0625rem; line-height: 1.4; font-weight: 650; margin: .75rem 0 0 }
.section td { border: 0; padding-bottom: .25rem }
.subtotal td { font-weight: 600 }
.totals { margin: 1rem 0 0; margin-inline-start: auto; max-width: 26rem; font-size: .9375rem }
.totals .total { border-top: 2px solid var(--text); font-size: 1.125rem; font-weight: 700; margin-top: .375rem; padding-top: .5rem }
.totals .total dt { color: inherit }
form { margin: .5rem 0 }
form.card { margin-top: 2rem }
label { display: block; margin-top: .75rem; font-size: .875rem; font-weight: 600 }
input, textarea { width: 100%; font: inherit; color: inherit; background: var(--background); border: 1px solid var(--control); border-radius: var(--radius); padding: .625rem .75rem; margin-top: .25rem; min-height: 2.75rem }
[aria-invalid=true] { border: 2px solid var(--bad) }
.error { color: var(--bad); font-size: .9375rem; font-weight: 600 }
p.error[role=alert]:not([id]) { background: var(--on-bad); border-radius: var(--radius); padding: .75rem }
.consent { margin: 1rem 0 0 }
details { margin-top: .75rem }
summary { color: var(--quiet); cursor: pointer; padding: .625rem 0; text-decoration: underline; text-underline-offset: .2em }
.thread { list-style: none; padding: 0; display: flex; flex-direction: column; gap: .5rem }
.thread li { max-width: 85%; padding: .625rem .75rem; border-radius: var(--radius); background: var(--sunken); align-self: flex-start }
.thread .customer { align-self: flex-end; background: var(--background); border: 1px solid var(--edge) }
.thread p { margin: 0 }
.files { list-style: none; padding: 0 }
.files li { display: flex; gap: .625rem; align-items: center; min-height: 2.75rem; border-bottom: 1px solid var(--line) }
.files .quiet { margin-inline-start: auto; white-space: nowrap }
.pad { position: relative; max-width: 30rem }
.pad-field { display: block; width: 100%; border: 1px dashed var(--control); border-radius: var(--radius); cursor: crosshair }
.hint { position: absolute; inset: 0; margin: 0; display: flex; align-items: center; justify-content: center; color: var(--quiet); pointer-events: none }
#signature-pad button { margin-top: .5rem }
.pad-field path, .drawn path { fill: none; stroke: currentColor; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.drawn { display: block; max-width: 12rem }
.seen { position: absolute; width: 1px; height: 1px }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: .5rem }
address { font-style: normal }
address div { padding: .125rem 0 }
.bar { position: sticky; bottom: 0; display: flex; gap: 1rem; align-items: center; justify-content: space-between; margin: 1rem -1rem -3rem; padding: .625rem 1rem; padding-bottom: max(.625rem, env(safe-area-inset-bottom)); background: var(--background); border-top: 1px solid var(--edge) }
.bar p { margin: 0; display: flex; flex-direction: column; line-height: 1.3; min-width: 0 }
.bar .button { width: auto; margin: 0; flex: none; font-size: 1rem }
@media (max-width: 26rem) {
  .languages .long { display: none }
  .languages .short { display: inline }
  .buttons .icon { display: none }
}
@media (max-width: 36rem) {
  thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; white-space: nowrap }
  table, tbody { display: block }
  tr { display: flex; flex-wrap: wrap; gap: 0 .75rem; border-bottom: 1px solid var(--line); padding: .75rem 0 }
  tr.section { border: 0; padding: .75rem 0 0 }
  tbody td { border: 0; padding: 0; min-width: 0 }
  tbody td.number { white-space: normal }
  td.item, .section td, .text td { flex-basis: 100% }
  td.measure { text-align: start }
  td.number:last-child { margin-inline-start: auto }
  .totals { max-width: none }
}
@media (min-width: 64rem) {
  main { padding: 1.25rem 2rem 4rem; display: grid; grid-template-columns: minmax(0, 1fr) 21.75rem; column-gap: 3.5rem; align-items: start }
  .top { grid-column: 1 / -1; margin-bottom: 1.25rem }
  h1 { font-size: 1.5rem }
  .heading, .body { grid-column: 1 }
  .heading { margin-bottom: 1rem }
  .summary { grid-column: 2; grid-row: 2 / span 2; position: sticky; top: 1.25rem; margin: 0; max-height: calc(100vh - 2.5rem); overflow: auto }
  .bar { display: none }
  .others { display: flex }
}
@media (min-width: 64rem) { main:not(:has(.summary)) { display: block } }
@media (forced-colors: active) {
  .chip, .sunken, .thread li, .primary, .steps li::before { border: 1px solid CanvasText }
  progress { border: 1px solid CanvasText }
}
@media print {
  :root { --background: #fff; --sunken: #fff; --text: #000; --quiet: #333; --line: #999; --edge: #999 }
  main { display: block; max-width: none; padding: 0 }
  form, details, .button, .buttons, .others, .bar, .languages { display: none !important }
  .summary { position: static; margin: 1rem 0 }
  tr, .totals, .summary { break-inside: avoid }
  thead { display: table-header-group }
}
`);

/** Without blanks that browsers ignore. */
export function compact(style: string): string {
  return style
    .replace(/\s*\n\s*/g, "")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":");
}

/** Sets the accent of both themes; null = the accent of the service. */
export function accentStyle(color: string | null | undefined): string {
  const { light, dark } = readableAccents(color ?? DEFAULT_ACCENT);
  return `:root{--accent:${light}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}@media print{:root{--accent:${light}}}`;
}

/** The source of a style in a content security policy. */
export const sourceOfStyle = memoize((style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`);

/** In which colors a page is shown, where its reader does not decide. */
export type Appearance = "light" | "dark";

const PREFERS_DARK = /\(prefers-color-scheme: ?dark\)/g;

/** The style in one appearance, whatever the reader prefers; null = as the reader prefers. */
export function inAppearance(style: string, appearance: Appearance | null): string {
  if (appearance === null) return style;
  return style
    .replace(PREFERS_DARK, appearance === "dark" ? "all" : "not all")
    .replace("color-scheme:light dark", `color-scheme:${appearance}`);
}
