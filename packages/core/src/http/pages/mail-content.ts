import type { Direction, PageLanguage } from "./page-language.js";

/** What both forms of a mail show. Texts that persons typed are marked by `isolated`. */
export interface MailContent {
  readonly language: PageLanguage;
  readonly direction: Direction;
  readonly business: string | null; // null = it has no name
  readonly logoUrl: string | null; // null = none that a mail can show
  readonly title: string;
  readonly greeting: string | null;
  readonly intro: string;
  readonly message: MailMessageText | null;
  readonly card: MailCard;
  readonly contact: MailContact;
  readonly unsubscribe: MailLink | null;
  readonly accents: { readonly light: string; readonly dark: string };
}

interface MailMessageText {
  readonly text: string; // several lines, not marked
  readonly isLetter: boolean; // true = it speaks for the mail; false = it is quoted below what the mail says
}

/** As on the page: what it is worth, until when, and what to do. */
export interface MailCard {
  readonly label: string | null;
  readonly amount: { readonly whole: string; readonly currency: string } | null;
  readonly until: string | null;
  readonly button: MailLink | null;
  readonly facts: readonly MailFact[];
}

export interface MailFact {
  readonly label: string;
  readonly value: string;
}

interface MailLink {
  readonly label: string;
  readonly url: string;
}

export interface MailContact {
  readonly name: string | null;
  readonly lines: readonly string[]; // "" = left out
  readonly url: string | null; // of the budget's page
}
