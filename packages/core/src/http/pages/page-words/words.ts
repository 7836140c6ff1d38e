import type { BudgetStatus } from "../../../budgets/budget.js";

/** What the page of a link cannot do for a reader. */
export type PageProblem = "missing" | "refused" | "changed" | "tooMany" | "unavailable";

interface ProblemWords {
  readonly title: string;
  readonly text: string;
}

/** The texts of the customer's page in one language. */
export interface PageWords {
  /** The title, before the number. */
  readonly budget: string;
  /** The names of statuses. */
  readonly status: Readonly<Record<BudgetStatus, string>>;
  /** The status of a budget that is accepted but not paid. */
  readonly awaitsPayment: string;
  /** Before the customer. */
  readonly for: string;
  /** Before the date of issue. */
  readonly issued: string;
  /** Before the end of the validity. */
  readonly validUntil: string;
  /** Above the table. */
  readonly items: string;
  /** A column. */
  readonly description: string;
  /** A column. */
  readonly quantity: string;
  /** A column. */
  readonly price: string;
  /** A column. */
  readonly amount: string;
  /** A sum. */
  readonly subtotal: string;
  /** A sum, and before the discount of an item. */
  readonly discount: string;
  /** A sum. */
  readonly tax: string;
  /** The amount to pay. */
  readonly total: string;
  /** A sum. */
  readonly paid: string;
  /** The least payment that confirms. */
  readonly toConfirm: string;
  /** Above the notes. */
  readonly notes: string;
  /** Above the terms. */
  readonly terms: string;
  /** Above how to pay. */
  readonly payment: string;
  /** Before the tax id of the business. */
  readonly taxId: string;
  /** The customer's own name in a form. */
  readonly name: string;
  /** The button that accepts. */
  readonly accept: string;
  /** Above the form that accepts. */
  readonly acceptAbout: string;
  /** What the customer agrees to by the button. `number` is that of the quote. */
  readonly consent: (business: string, number: string, amount: string) => string;
  /** Opens the form that declines. */
  readonly decline: string;
  /** The button that declines. */
  readonly declineButton: string;
  /** Why the customer declines. */
  readonly reason: string;
  /** After the acceptance. */
  readonly thanks: string;
  /** Who accepted, and when; null = the business, in the place of the customer. */
  readonly accepted: (by: string | null, at: string) => string;
  /** What must be paid after the acceptance. */
  readonly confirmedOncePaid: (amount: string) => string;
  /** Of a printed page, with {page} and {pages}. */
  readonly pageLabel: string;
  /** The link to the PDF while the offer waits. */
  readonly openPdf: string;
  /** Above an offer that has changed since it was answered. */
  readonly changed: string;
  /** The link to the evidence. */
  readonly evidence: string;
  /** Opens the form that asks for a change. */
  readonly change: string;
  /** What should change. */
  readonly changeMessage: string;
  /** The button that asks for a change. */
  readonly changeButton: string;
  /** After the request, with its moment. */
  readonly changeAsked: (at: string) => string;
  /** Above the files. */
  readonly attachments: string;
  /** Above the pad for a drawn signature. */
  readonly signature: string;
  /** The button that empties the pad. */
  readonly signatureClear: string;
  /** Beside a drawing that is longer than the service takes. */
  readonly signatureTooLong: string;
  /** Names the drawn signature. */
  readonly signed: string;
  /** On the card, and a sum where the price has tax; the tax is written as `21% VAT`. */
  readonly totalWith: (tax: string) => string;
  /** The button on the card that leads to the form. */
  readonly acceptQuote: string;
  /** The button of the form. */
  readonly acceptFor: (amount: string) => string;
  /** The same while a change is asked for. */
  readonly acceptAnyway: string;
  /** The link to the messages. */
  readonly ask: string;
  /** The same once nothing more can be answered. */
  readonly writeTo: (business: string) => string;
  /** The name of the business where it has none. */
  readonly theBusiness: string;
  /** Opens the pad for a drawn signature. */
  readonly signatureAdd: string;
  /** In the pad: a swipe scrolls until it is tapped. */
  readonly signatureHint: string;
  /** Beside a drawing that is no more than a dot. */
  readonly signatureTooShort: string;
  /** At a name that is blank. */
  readonly nameMissing: string;
  /** At a message that is blank. */
  readonly messageMissing: string;
  /** After the acceptance, to a customer whose name is known. */
  readonly thanksTo: (name: string) => string;
  /** A step, and the state: nothing more has to be paid to begin. */
  readonly confirmed: string;
  /** The state while a change is asked for. */
  readonly changeWanted: string;
  /** What happens after a request for a change. */
  readonly preparesVersion: (business: string) => string;
  /** A step: the payment that confirms. */
  readonly deposit: string;
  /** What follows from it. */
  readonly depositAbout: string;
  /** The same before anything has been paid. */
  readonly confirmedWhenPaid: (amount: string) => string;
  /** What is still to be paid of the total. */
  readonly balance: string;
  /** The link to the page where the customer pays. */
  readonly pay: (amount: string) => string;
  /** Once everything is paid. */
  readonly allPaid: string;
  /** After the customer has declined. */
  readonly declinedTitle: string;
  /** Who declined, and when; null = somebody without a name, or the business in the place of the customer. */
  readonly declined: (by: string | null, at: string) => string;
  /** What can be done then. */
  readonly declinedAbout: (business: string) => string;
  /** After the end of the validity. */
  readonly expiredTitle: (day: string) => string;
  /** What can be done then. */
  readonly expiredAbout: (business: string) => string;
  /** The link to the messages then. */
  readonly askToRenew: string;
  /** What the form then has, for the customer to send or to change. */
  readonly renewalMessage: string;
  /** Of the offer: its number counts the versions that the customer could see. */
  readonly version: (number: string) => string;
  /** Opens what differs from the version before. */
  readonly seeChanges: string;
  /** After the name of a line. */
  readonly lineAdded: string;
  /** After the name of a line. */
  readonly lineRemoved: string;
  /** What was accepted before this version. */
  readonly acceptedBefore: (version: string, amount: string, day: string) => string;
  /** Above the messages. */
  readonly conversation: string;
  /** The writer of the customer's own messages. */
  readonly you: string;
  /** The text of a message. */
  readonly yourMessage: string;
  /** The button that sends a message. */
  readonly sendMessage: string;
  /** Above the signed quote, the proof and the files. */
  readonly documents: string;
  /** The link to the PDF after the acceptance. */
  readonly signedQuote: string;
  /** Above the address of the business. */
  readonly contact: string;
  /** Names the list of languages. */
  readonly language: string;
  /** For previews in messengers. */
  readonly preview: (business: string) => string;
  /** Of a line that the customer may leave out. */
  readonly optional: string;
  /** Of a line that the customer has selected. */
  readonly chosen: string;
  /** Of a line that the customer has left out. */
  readonly notChosen: string;
  /** Selects no option of a choice. */
  readonly noneOfThem: string;
  /** How many options of a choice are selected. */
  readonly chooseExactly: (count: string, of: string) => string;
  /** The same with a maximum alone. */
  readonly chooseUpTo: (most: string, of: string) => string;
  /** The same with both bounds. */
  readonly chooseBetween: (least: string, most: string, of: string) => string;
  /** At a choice that lacks a selection. */
  readonly choiceOpen: string;
  /** Above the offer when the selection comes to another total than the one that was shown. */
  readonly recalculated: string;
  /** Above an offer whose customer has set what it does not leave open. */
  readonly notOffered: string;
  /** The button that calculates the total of the selection. */
  readonly updateTotal: string;
  /** Which quantities the customer may set. */
  readonly range: (least: string, most: string, step: string) => string;
  /** The price of one unit from a quantity on. */
  readonly fromQuantity: (quantity: string, price: string) => string;
  /** A tax that the prices contain. */
  readonly taxIncluded: (tax: string) => string;
  /** The total less what is withheld. */
  readonly payable: string;
  /** How often a line is charged. */
  readonly each: Readonly<Record<"week" | "month" | "year", string>>;
  /** The same with a duration of several: `3 months`. */
  readonly every: (duration: string) => string;
  /** Below a line that is charged again, with one of the two above; null = until it is ended. */
  readonly recurs: (each: string, duration: string | null) => string;
  /** What a later cycle costs. */
  readonly amountEach: (amount: string, each: string) => string;
  /** Before that: how long it goes on after the first cycle; null = until it is ended. */
  readonly later: (duration: string | null) => string;
  /** Titles and texts of the pages that tell of an error. */
  readonly problems: Readonly<Record<PageProblem, ProblemWords>>;
  /** The link from a page that tells of an error. */
  readonly seeQuote: string;
}
