import { attachmentRows } from "./attachment-list.js";
import { type Html, html } from "./html.js";
import type { PageContent } from "./page-content.js";
import { icon } from "./page-icons.js";

/** What the customer can keep: first the signed offer, then its proof, then the files. */
export function documentsList(content: PageContent): Html | null {
  const { view, words, path, query, hasPdf, document } = content;
  const isSigned = view.acceptance !== null || view.approval !== null;
  const { evidenceUrl } = view;
  const rows = [
    ...(isSigned && hasPdf ? [documentRow("file", `${path}.pdf${query}`, words.signedQuote)] : []),
    // By its path alone, as the forms.
    ...(isSigned && evidenceUrl !== undefined
      ? [documentRow("shield", new URL(evidenceUrl).pathname, words.evidence)]
      : []),
    ...attachmentRows(view, document.locale, path),
  ];
  if (rows.length === 0) return null;
  return html`<h2>${isSigned ? words.documents : words.attachments}</h2>
<ul class="files">
${rows}</ul>`;
}

function documentRow(shape: Parameters<typeof icon>[0], href: string, title: string): Html {
  return html`<li>${icon(shape)} <a href="${href}" download>${title}</a></li>\n`;
}
