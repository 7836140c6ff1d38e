import type { MailAttachment } from "../../access/mailer.js";
import type { MailText } from "../../budgets/mailing/attempt-mail.js";
import type { MailFacts } from "../../budgets/mailing/mail-facts.js";
import type { Instant } from "../../kernel/clock.js";
import { mailLinkOf } from "../../kernel/email-address.js";
import { DEFAULT_ACCENT, readableAccents } from "./accent.js";
import { isolated, isolatedText, withoutMarks } from "./isolate.js";
import { chosenFacts, furtherSums } from "./mail-choices.js";
import type { MailCard, MailContact, MailContent, MailFact } from "./mail-content.js";
import { htmlOfMail } from "./mail-html.js";
import { textOfMail } from "./mail-text.js";
import type { MailNames, MailWords, Occasion } from "./mail-words/words.js";
import { MAIL_WORDS } from "./mail-words.js";
import { type PageFormats, pageFormats } from "./page-formats.js";
import { directionOf, formatLocale, type PageLanguage, pageLanguage } from "./page-language.js";
import { type PageWords, wordsOf } from "./page-words.js";

/** Characters of a name in a subject and in a sentence. */
const MAX_NAME = 60;

/** The mail of a budget or of an endpoint: a subject in one line, and the same content as text and as HTML. */
export function budgetMail(facts: MailFacts, attachments: readonly MailAttachment[], now: Instant): MailText {
  const { mail, business } = facts;
  const language = pageLanguage({ asked: mail.lang, accepted: null, own: business.locale });
  const words = MAIL_WORDS[language];
  const formats = formatsOf(facts, language, now);
  const occasion = occasionOf(words, facts);
  const names = namesOf(facts, words, formats);
  const message =
    facts.message === null || mail.kind === "seller.endpointDisabled" ? null : withoutMarks(messageOf(facts, words));
  const isLetter = mail.kind === "budget" && message !== null;
  const content: MailContent = {
    language,
    direction: directionOf(language),
    business: business.name === null ? null : isolated(business.name),
    logoUrl: logoUrlOf(facts),
    title: occasion.title,
    greeting: greetingOf(facts, words, isLetter ? message : ""),
    intro: occasion.intro(names),
    message: message === null ? null : { text: message, isLetter },
    card: cardOf(facts, words, formats, attachments, language),
    contact: contactOf(facts),
    unsubscribe: unsubscribeOf(facts, words),
    accents: readableAccents(business.accentColor ?? DEFAULT_ACCENT),
  };
  const subject = isolatedText(occasion.subject(names));
  return { subject, text: textOfMail(content), html: htmlOfMail(content, subject) };
}

/** Messages and requests for changes are told apart: each has its name above it, unless the one before is of its kind. */
function messageOf({ message, written = [] }: MailFacts, words: MailWords): string {
  const texts = written.map((each, index) => {
    const isNamed = written[index - 1]?.kind !== each.kind;
    return isNamed ? `${words[each.kind === "message" ? "note" : "changeRequest"]}:\n${each.message}` : each.message;
  });
  return texts.length === 0 ? (message ?? "") : texts.join("\n\n");
}

function formatsOf({ business, view }: MailFacts, language: PageLanguage, now: Instant): PageFormats {
  const locale = formatLocale(language, business.locale);
  return pageFormats({ locale, currency: view?.currency ?? "USD", timeZone: business.timeZone }, now);
}

function occasionOf(words: MailWords, { mail: { kind }, view }: MailFacts): Occasion {
  const occasions = {
    budget: words.budget,
    reminder: view?.validUntil == null ? words.budget : words.reminder, // which names the last day
    "customer.accepted": words.accepted,
    "customer.newVersion": words.newVersion,
    "customer.message": words.message,
    "seller.viewed": words.sellerViewed,
    "seller.accepted": words.sellerAccepted,
    "seller.declined": words.sellerDeclined,
    "seller.asked": words.sellerAsked,
    "seller.expiring": words.sellerExpiring,
    "seller.endpointDisabled": words.endpointDisabled,
  };
  return occasions[kind];
}

function namesOf({ business, view, customer }: MailFacts, words: MailWords, formats: PageFormats): MailNames {
  const name = business.name === null ? "" : isolated(business.name, MAX_NAME);
  return {
    id: isolated(view?.number ?? view?.id ?? "", MAX_NAME),
    from: name === "" ? "" : words.from(name),
    customer: customer?.name == null ? words.aCustomer : isolated(customer.name, MAX_NAME),
    until: view === null || view.validUntil === null ? "–" : formats.day(view.validUntil),
  };
}

/** Where a letter begins with a greeting of its own, or the recipient is not known by name, there is none. */
function greetingOf({ view, publicUrl }: MailFacts, words: MailWords, letter: string): string | null {
  const name = view?.customer.name;
  if (publicUrl === null || name == null || name.trim() === "" || GREETING.test(letter)) return null;
  return words.greeting(isolated(name));
}

/** A short first line that ends as greetings do: `Dear Ana,` */
const GREETING = /^[^\n.?]{1,60}[,:!،，、！][ \t]*(?:\n|$)/;

/** Mail programs show raster images only, and load them from the web. */
function logoUrlOf({ business: { logo }, publicUrl, logo: address }: MailFacts): string | null {
  const isShown = logo !== undefined && logo.contentType !== "image/svg+xml" && publicUrl?.startsWith("https://");
  return isShown === true ? (address ?? `${publicUrl}/logo?v=${encodeURIComponent(logo.sha256)}`) : null;
}

function cardOf(
  facts: MailFacts,
  words: MailWords,
  formats: PageFormats,
  attachments: readonly MailAttachment[],
  language: PageLanguage,
): MailCard {
  const { mail, view, publicUrl, customer } = facts;
  const files = attachments.map(({ fileName, content }) => {
    return { label: words.attachment, value: isolated(`${fileName}, ${kilobytes(content.byteLength)}`) };
  });
  if (view === null) {
    const address = { label: words.endpointAddress, value: isolated(facts.message ?? "") };
    return { label: null, amount: null, until: null, button: null, facts: [address] };
  }
  const label = publicUrl === null || mail.kind !== "customer.message" ? words.open : words.read;
  const mailto = customer?.email == null ? null : { label: words.write, url: mailLinkOf(customer.email) };
  const due = view.dueToConfirm;
  const deposit: MailFact[] = due === null || due === 0 ? [] : [{ label: words.toConfirm, value: formats.money(due) }];
  const accepted = mail.kind === "customer.accepted" ? paymentOf(view, formats, wordsOf(language)) : NO_PAYMENT;
  const chosen = mail.kind.endsWith(".accepted") ? chosenFacts(view, words, formats) : [];
  const further = furtherSums(view, language, formats);
  return {
    label: words.card(isolated(view.number ?? view.id)),
    amount: { whole: formats.money(view.total), currency: view.currency },
    until:
      view.validUntil === null || view.status !== "PENDING" || view.acceptance !== null
        ? null
        : words.validUntil(formats.day(view.validUntil)),
    button:
      publicUrl === null
        ? mailto
        : (accepted.button ?? { label, url: `${publicUrl}?${mail.lang === null ? "" : `lang=${mail.lang}&`}c=mail` }),
    facts: [...deposit, ...further, ...chosen, ...accepted.facts, ...files],
  };
}

const NO_PAYMENT: Pick<MailCard, "button" | "facts"> = { button: null, facts: [] };

/** After an acceptance, how to pay what is left: the page has it too, but the mail is what the customer keeps. */
function paymentOf(
  view: NonNullable<MailFacts["view"]>,
  { money }: PageFormats,
  { pay, payment }: PageWords,
): Pick<MailCard, "button" | "facts"> {
  const { payable = view.total } = view;
  const left = view.dueToConfirm !== null && view.dueToConfirm > 0 ? view.dueToConfirm : payable - view.paid;
  if (left <= 0) return NO_PAYMENT;
  const { paymentUrl, business } = view;
  const instructions = business.paymentInstructions;
  return {
    button: paymentUrl === undefined ? null : { label: pay(money(left)), url: paymentUrl },
    facts:
      instructions === null
        ? []
        : [
            {
              label: payment,
              value: instructions
                .split("\n")
                .map((line) => isolated(line))
                .join("\n"),
            },
          ],
  };
}

function kilobytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
}

/** The other side: of the customer's mail the business, of the business's mail the customer. */
function contactOf({ business, view, publicUrl, customer }: MailFacts): MailContact {
  const lines = (...parts: readonly (string | null | undefined)[]) =>
    parts.flatMap((part) => (part == null || part.trim() === "" ? [] : [isolated(part)])).join(" · ");
  if (publicUrl === null) {
    const name = customer === null ? business.name : customer.name;
    return { name: name === null ? null : isolated(name), lines: [lines(customer?.email)], url: null };
  }
  const name = business.legalName ?? business.name;
  const address = business.address
    ?.split("\n")
    .map((line) => line.trim())
    .join(", ");
  return {
    name: name === null ? null : isolated(name),
    lines: [lines(business.taxId), lines(address), lines(business.phone, business.email)],
    url: view === null ? null : publicUrl,
  };
}

function unsubscribeOf(
  { mail: { lang }, unsubscribeUrl: url }: MailFacts,
  words: MailWords,
): MailContent["unsubscribe"] {
  return url === null ? null : { label: words.unsubscribe, url: lang === null ? url : `${url}&lang=${lang}` };
}
