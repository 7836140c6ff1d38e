import { inOneLine, type MailFacts, type MailText } from "../../budgets/mailing/attempt-mail.js";
import type { Instant } from "../../kernel/clock.js";
import { LIGHT_BACKGROUND, readableAccents } from "./accent.js";
import { type Html, html } from "./html.js";
import { MAIL_WORDS, type MailWords } from "./mail-words.js";
import { pageFormats } from "./page-formats.js";
import { formatLocale, pageLanguage } from "./page-language.js";
import { wordsOf } from "./page-words.js";

const DEFAULT_ACCENT = "#1d4ed8";

/** What both forms of a mail show. */
interface Content {
  readonly language: string;
  readonly words: MailWords;
  readonly business: string;
  readonly greeting: string | null;
  readonly intro: string;
  readonly message: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly link: string;
  readonly unsubscribeUrl: string;
  readonly accent: string;
}

/** The mail of a budget: a subject in one line, and the same content as text and as HTML. */
export function budgetMail({ mail, view, unsubscribeUrl }: MailFacts, now: Instant): MailText {
  const { business, currency, validUntil } = view;
  const id = view.number ?? view.id;
  const language = pageLanguage({ asked: mail.lang, accepted: null, own: business.locale });
  const words = MAIL_WORDS[language];
  const labels = wordsOf(language);
  const locale = formatLocale(language, business.locale);
  const formats = pageFormats({ locale, currency, timeZone: business.timeZone }, now);
  const name = inOneLine(business.name ?? "");
  const customer = inOneLine(view.customer.name ?? "");
  const until = validUntil === null ? null : formats.day(validUntil);
  const greeting = customer === "" ? null : words.greeting(customer);
  const isReminder = mail.kind === "reminder" && until !== null;
  const query = mail.lang === null ? "" : `lang=${mail.lang}`;
  const content: Content = {
    language,
    words,
    business: name,
    greeting,
    intro: opening(isReminder ? words.reminder(name, id, until) : words.intro(name, id), greeting),
    message: mail.message,
    facts: [
      [labels.total, formats.money(view.total)],
      ...(until === null ? [] : [[labels.validUntil, until] as const]),
    ],
    link: `${view.publicUrl}?${query === "" ? "" : `${query}&`}c=mail`,
    unsubscribeUrl: query === "" ? unsubscribeUrl : `${unsubscribeUrl}&${query}`,
    accent: readableAccents(business.accentColor ?? DEFAULT_ACCENT).light,
  };
  const subject = isReminder ? words.reminderSubject(name, id, until) : words.subject(name, id);
  return { subject, text: textOf(content), html: htmlOf(content, subject) };
}

/** The first sentence begins with a capital letter where no greeting precedes it. */
function opening(sentence: string, greeting: string | null): string {
  return greeting === null ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

function textOf({ words, business, greeting, intro, message, facts, link, unsubscribeUrl }: Content): string {
  const paragraphs = [
    greeting,
    intro,
    message,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    `${words.open}: ${link}`,
    business === "" ? null : business,
    `${words.unsubscribe}: ${unsubscribeUrl}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== null).join("\n\n")}\n`;
}

/** Mail programs drop style sheets: every style is at its element. */
function htmlOf(content: Content, subject: string): string {
  const { language, words, business, greeting, intro, message, facts, link, unsubscribeUrl, accent } = content;
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1f2328;font:16px/1.5 sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:${LIGHT_BACKGROUND};border-top:4px solid ${accent}">
${business === "" ? null : html`<p style="margin:0 0 16px;font-weight:bold;color:${accent}">${business}</p>`}
${greeting === null ? null : html`<p>${greeting}</p>`}
<p>${intro}</p>
${message === null ? null : html`<p style="white-space:pre-line;overflow-wrap:anywhere">${message}</p>`}
<table style="margin:16px 0;border-collapse:collapse">${facts.map(factRow)}</table>
<p><a href="${link}" style="display:inline-block;padding:12px 20px;background:${accent};color:#ffffff;text-decoration:none">${words.open}</a></p>
<p style="margin:24px 0 0;font-size:13px"><a href="${unsubscribeUrl}" style="color:#57606a">${words.unsubscribe}</a></p>
</div>
</body>
</html>
`;
  return page.markup;
}

function factRow([label, value]: readonly [string, string]): Html {
  return html`<tr><td style="padding:4px 16px 4px 0">${label}</td><td style="padding:4px 0"><strong>${value}</strong></td></tr>`;
}
