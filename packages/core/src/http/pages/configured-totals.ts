import { wordedSums } from "./document-totals.js";
import { type Html, html } from "./html.js";
import { updateButton } from "./line-controls.js";
import type { Configuration, PageContent } from "./page-content.js";

/** Every sum that a selection can show: a script fills and shows those that apply. */
export function configuredTotals({ source }: Configuration, content: PageContent): Html {
  const sums = wordedSums(source).map(({ name, index, term, amount, write }) => {
    const look = name === "total" ? html` class="total"` : null;
    const hidden = amount === null ? html` hidden` : null;
    return html`<div${look} data-sum="${name}${index}"${hidden}><dt>${term}</dt><dd><bdi>${write(amount ?? 0)}</bdi></dd></div>\n`;
  });
  return html`<dl class="totals">\n${sums}</dl>
${updateButton(content)}<p class="unseen" role="status" id="announced"></p>`;
}
