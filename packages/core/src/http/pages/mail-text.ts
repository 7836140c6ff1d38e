import { isolated, isolatedText } from "./isolate.js";
import type { MailCard, MailContact, MailContent } from "./mail-content.js";

/** A mail as plain text: one idea a paragraph, addresses in lines of their own. */
export function textOfMail({ greeting, intro, message, card, contact, unsubscribe }: MailContent): string {
  const paragraphs = [
    greeting,
    message?.isLetter === true ? null : intro,
    message === null ? null : message.text.split("\n").map(typedLine).join("\n"),
    ...paragraphsOf(card),
    unsubscribe === null ? null : `${unsubscribe.label}:\n${unsubscribe.url}`,
    signatureOf(contact, card.button),
  ];
  const shown = paragraphs.filter((paragraph) => paragraph !== null && paragraph !== "");
  return `${shown.map((paragraph) => String(paragraph).split("\n").map(isolatedText).join("\n")).join("\n\n")}\n`;
}

function typedLine(line: string): string {
  return line.trim() === "" ? "" : isolated(line);
}

function paragraphsOf({ label, amount, until, facts, button }: MailCard): readonly (string | null)[] {
  const total = label === null || amount === null ? null : `${label}: ${amount.whole}`;
  const rows = facts.map((fact) => `${fact.label}: ${fact.value}`);
  return [
    [total, until, ...rows].filter((line) => line !== null).join("\n"),
    button === null ? null : `${button.label}:\n${button.url}`,
  ];
}

/** The line above it is that by which mail programs know signatures. Source: RFC 3676, section 4.3. */
function signatureOf({ name, lines, url }: MailContact, button: MailCard["button"]): string {
  const page = url !== null && button?.url.startsWith(url) !== true ? url : ""; // the button leads elsewhere
  const shown = [name ?? "", ...lines, page].filter((line) => line !== "");
  return shown.length === 0 ? "" : ["-- ", ...shown].join("\n");
}
