import { type Html, html } from "./html.js";
import { actionOf, businessOf, type PageContent } from "./page-content.js";
import { nameField, textField } from "./page-fields.js";

/** What both sides have written, oldest first, and the form to write more. */
export function messageThread(content: PageContent): Html {
  const { view, words } = content;
  const messages = view.messages ?? [];
  return html`<section id="ask">
<h2>${words.conversation}</h2>
${messages.length === 0 ? null : html`<ol class="thread">\n${messages.map((message) => messageOf(message, content))}</ol>`}
<form method="post" action="${actionOf(content, "messages")}">
${nameField(content, "messages")}
${textField(content, "messages", { name: "message", label: words.yourMessage, rows: 3, isRequired: true, prepared: preparedIn(content) })}
<button type="submit">${words.sendMessage}</button>
</form>
</section>`;
}

/** A customer who has written last has asked already. */
function preparedIn({ view: { status, messages }, words }: PageContent): string {
  return status === "EXPIRED" && messages?.at(-1)?.from !== "customer" ? words.renewalMessage : "";
}

type Message = NonNullable<PageContent["view"]["messages"]>[number];

function messageOf({ from, kind, name, message, sentAt }: Message, content: PageContent): Html {
  const { words, formats } = content;
  const writer = from === "customer" ? (name ?? words.you) : (name ?? businessOf(content));
  const label = kind === "changeRequest" ? html` · ${words.changeWanted}` : null;
  return html`<li class="${from}"><p class="small"><bdi>${writer}</bdi> · ${formats.moment(sentAt)}${label}</p>
<p class="lines" dir="auto">${message}</p></li>
`;
}
