import { Html, html } from "./html.js";
import { isolatedHtml } from "./isolate.js";
import type { MailCard, MailContact, MailContent } from "./mail-content.js";

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The colors of the design language, light and dark. */
const DARK_STYLE = `
.page{background:#121211!important}
.sheet{background:#191918!important;border-color:#2b2a28!important}
.box{border-color:#3c3a37!important}
.rule{border-color:#2b2a28!important}
.text{color:#efeeea!important}
.quiet{color:#b7b5ad!important}`;

const NARROW_STYLE = `
.page{padding:12px 8px!important}
.inner{padding:20px 16px!important}
.card{padding:16px!important}`;

/** Mail programs drop most style sheets: the light style is at its element, and only what overrides it is in the head. */
export function htmlOfMail(content: MailContent, subject: string): string {
  const { language, direction, accents } = content;
  const style = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${DARK_STYLE}
.accent{color:${accents.dark}!important}
.button{background:${accents.dark}!important;color:#161514!important}
.quote{border-color:${accents.dark}!important}}
@media (max-width:480px){${NARROW_STYLE}}`;
  const page = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${new Html(style)}</style>
</head>
<body class="page" style="margin:0;padding:24px 16px;background:#f7f7f5">
<table class="sheet" role="presentation" cellpadding="0" cellspacing="0" align="center" style="width:100%;max-width:600px;margin:0 auto;background:#ffffff;border:1px solid #e7e6e2;border-radius:14px;border-collapse:separate" dir="${direction}">
<tr><td class="inner text" style="padding:24px 32px 28px;${new Html(FONT)};font-size:16px;line-height:1.55;color:#1b1a18;overflow-wrap:anywhere;word-break:break-word">
${headOf(content)}
<h1 class="text" style="margin:24px 0 12px;font-size:20px;line-height:1.3;font-weight:650;letter-spacing:-0.01em;color:#1b1a18">${content.title}</h1>
${lettersOf(content)}
${cardOf(content.card, accents.light)}
${footOf(content)}
</td></tr>
</table>
</body>
</html>
`;
  return page.markup;
}

function headOf({ logoUrl, business }: MailContent): Html | null {
  if (logoUrl === null && business === null) return null;
  const plate = "padding:5px;background:#ffffff;border:1px solid #e7e6e2;border-radius:10px;line-height:0";
  const logo =
    logoUrl === null
      ? null
      : html`<td style="${plate}"><img src="${logoUrl}" alt="" height="30" style="display:block;height:30px;width:auto;max-width:220px"></td><td style="width:10px"></td>`;
  const name =
    business === null
      ? null
      : html`<td class="text" style="${new Html(FONT)};font-size:17px;line-height:1.3;font-weight:600;color:#1b1a18">${isolatedHtml(business)}</td>`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0"><tr>${logo}${name}</tr></table>`;
}

/** A letter takes the place of what the mail says by itself; other texts are quoted below that. */
function lettersOf({ greeting, intro, message, accents }: MailContent): Html {
  const paragraph = "margin:0 0 14px";
  const said = message?.isLetter === true ? null : html`<p style="${paragraph}">${isolatedHtml(intro)}</p>`;
  const quoted = `${paragraph};padding-inline-start:14px;border-inline-start:3px solid ${accents.light};white-space:pre-line`;
  const text =
    message === null
      ? null
      : message.isLetter
        ? html`<p dir="auto" style="${paragraph};white-space:pre-line">${message.text}</p>`
        : html`<p class="quote" dir="auto" style="${quoted}">${message.text}</p>`;
  return html`${greeting === null ? null : html`<p style="${paragraph}">${isolatedHtml(greeting)}</p>`}
${said}
${text}`;
}

function cardOf({ label, amount, until, button, facts }: MailCard, accent: string): Html {
  const quiet = "font-size:14px;line-height:1.45;color:#55534d";
  return html`<table class="box" role="presentation" cellpadding="0" cellspacing="0" style="width:100%;margin-top:24px;border:1px solid #e7e6e2;border-radius:14px;border-collapse:separate"><tr><td class="card text" style="padding:20px 22px;${new Html(FONT)};font-size:16px;line-height:1.5;color:#1b1a18">
${label === null ? null : html`<div class="quiet" style="${quiet}">${isolatedHtml(label)}</div>`}
${amount === null ? null : amountOf(amount)}
${until === null ? null : html`<div class="text" style="font-size:14px;line-height:1.45;color:#1b1a18;font-weight:550">${until}</div>`}
${button === null ? null : html`<a class="button" href="${button.url}" style="display:block;margin-top:16px;padding:12px 16px;background:${accent};color:#ffffff;border-radius:10px;text-align:center;text-decoration:none;font-weight:600;font-size:16px;line-height:24px">${button.label}</a>`}
${facts.length === 0 ? null : factsOf(facts, label !== null)}
</td></tr></table>`;
}

/** The code small beside the figure, on the side that the locale has it on. */
function amountOf({ whole, currency }: NonNullable<MailCard["amount"]>): Html {
  const figure = whole.replace(currency, "").trim();
  const code = html`<span class="quiet" style="font-size:17px;font-weight:600;color:#55534d">${currency}</span>`;
  const size = figure.length > 16 ? 24 : figure.length > 14 ? 28 : 32;
  const number = html`<span style="font-size:${size}px;font-weight:700;letter-spacing:-0.02em;white-space:nowrap">${figure}</span>`;
  const parts = whole.startsWith(currency) ? [code, html` `, number] : [number, html` `, code];
  return html`<div class="text" style="margin:2px 0 4px;line-height:1.25;color:#1b1a18"><bdi>${parts}</bdi></div>`;
}

/** Characters of a label that leave room for its value on a phone. */
const LONG_LABEL = 30;

function factsOf(facts: MailCard["facts"], isBelow: boolean): Html {
  const cell = "padding:3px 0;font-size:14px;line-height:1.45;vertical-align:top";
  const rows = facts.map(
    ({ label, value }) =>
      html`<tr><td class="quiet" style="${cell};padding-inline-end:16px;color:#55534d;white-space:${label.length > LONG_LABEL ? "normal" : "nowrap"}">${isolatedHtml(label)}</td><td class="text" style="${cell};color:#1b1a18;text-align:end;white-space:pre-line">${isolatedHtml(value)}</td></tr>`,
  );
  const rule = isBelow ? "margin-top:14px;padding-top:10px;border-top:1px solid #e7e6e2" : "";
  return html`<div class="rule" style="${rule}"><table role="presentation" cellpadding="0" cellspacing="0" style="width:100%">${rows}</table></div>`;
}

function footOf({ contact, unsubscribe, accents }: MailContent): Html | null {
  const lines = contactLines(contact, accents.light);
  if (lines.length === 0 && unsubscribe === null) return null;
  const link =
    unsubscribe === null
      ? null
      : html`<div style="margin-top:12px"><a class="quiet" href="${unsubscribe.url}" style="color:#55534d">${unsubscribe.label}</a></div>`;
  return html`<div class="rule quiet" style="margin-top:24px;padding-top:16px;border-top:1px solid #e7e6e2;font-size:13px;line-height:1.55;color:#55534d">${lines}${link}</div>`;
}

function contactLines({ name, lines: [first = "", ...others], url }: MailContact, accent: string): readonly Html[] {
  const bold =
    name === null ? null : html`<b class="text" style="font-weight:600;color:#1b1a18">${isolatedHtml(name)}</b>`;
  const dot = name === null || first === "" ? "" : " · ";
  const top = name === null && first === "" ? [] : [html`<div>${bold}${dot}${isolatedHtml(first)}</div>`];
  const rest = others.filter((line) => line !== "").map((line) => html`<div>${isolatedHtml(line)}</div>`);
  if (url === null) return [...top, ...rest];
  const address = html`<div><a class="accent" href="${url}" style="color:${accent};font-weight:550;text-decoration:none"><bdi>${url.replace(/^https?:\/\//, "")}</bdi></a></div>`;
  return [...top, ...rest, address];
}
