import { type Html, html } from "./html.js";
import { isolatedIn } from "./isolate.js";
import type { PageContent } from "./page-content.js";
import { icon } from "./page-icons.js";

type Revised = NonNullable<PageContent["view"]["revised"]>;

/** What this version changes of the one before. Opened, it names each line. */
export function versionNote(content: PageContent): Html | null {
  const { view, words, formats } = content;
  const { revised } = view;
  if (revised === undefined || view.status !== "PENDING") return null;
  const [first] = revised.lines;
  const total = revised.total === 0 ? null : html` ${words.total} <bdi>${formats.change(revised.total)}</bdi>.`;
  return html`<div class="sunken version">${icon("versions")}
<div><strong>${words.version(String(revised.to))}.</strong>${first === undefined ? null : html` ${lineText(first, content)}.`}${total}
${
  revised.lines.length < 2
    ? null
    : html`<details><summary>${words.seeChanges}</summary>
<ul>${revised.lines.map((line) => html`<li>${lineText(line, content)}</li>\n`)}</ul></details>`
}</div></div>`;
}

function lineText({ change, description, quantity, unitPrice }: Revised["lines"][number], content: PageContent): Html {
  const { words, formats, document } = content;
  const name = isolatedIn(document.direction, (description.split("\n", 1)[0] ?? "").replace(/[.:;,]+$/, ""));
  if (change !== "changed") return html`${name}: ${change === "added" ? words.lineAdded : words.lineRemoved}`;
  const pairs = [
    ...(quantity === undefined ? [] : [quantity.map(formats.quantity)]),
    ...(unitPrice === undefined ? [] : [unitPrice.map(formats.price)]),
  ];
  const arrow = document.direction === "rtl" ? " ← " : " → ";
  return html`${name} ${pairs.map((pair) => pair.join(arrow)).join(", ")}`;
}
