/** The languages of mails. */
export const MAIL_LANGUAGES = ["en", "es", "pt", "de", "fr", "it", "nl", "ja", "ar", "he"] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** How a language calls itself. */
export function nativeName(language: MailLanguage): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}
