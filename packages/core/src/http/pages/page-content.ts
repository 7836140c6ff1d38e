import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import type { BudgetDocument, DocumentSource } from "./document-parts.js";
import type { UnsavedPage } from "./html.js";
import { isolatedIn } from "./isolate.js";
import type { PageFormats } from "./page-formats.js";
import type { PageWords } from "./page-words.js";
import type { PricedOffer } from "./priced-offer.js";

/** A field that a form could not be sent with: it is blank. */
export type BlankField = "name" | "message";

/** A form that was sent back to its customer, with what they had entered. */
export interface RefusedForm {
  readonly action: FormAction;
  readonly field: BlankField | null; // null = the fields are complete: the offer was the reason
  readonly values: Readonly<Record<string, string>>;
}

export type FormAction = "accept" | "decline" | "request-change" | "messages";

/** What the parts of a page share. */
export interface PageContent {
  readonly view: PublicBudgetView;
  readonly document: BudgetDocument;
  readonly words: PageWords;
  readonly formats: PageFormats;
  readonly path: string; // of the link
  readonly query: string; // keeps the language of the link in the forms
  readonly channel: string | null; // how the link was sent, by its own word; null = it does not say
  readonly hasPdf: boolean; // whether the service makes PDFs
  readonly refused: RefusedForm | null;
  readonly unsaved: UnsavedPage | null; // null = the page of a link
  readonly configuration: Configuration | null; // null = the customer has nothing to set now
}

/** An offer whose customer decides on lines. */
export interface Configuration {
  readonly source: DocumentSource;
  readonly offer: PricedOffer | null; // null = only the service computes its figures
  readonly openChoices: readonly string[]; // keys of choices that an acceptance left without a selection
}

/** The path alone, so that the form goes to the host name that the browser used. */
export function actionOf({ path, query }: PageContent, action: FormAction | "preview"): string {
  return `${path}/${action}${query}`;
}

/** The business within a sentence. */
export function businessOf({ document: { seller, direction }, words }: PageContent): string {
  const name = seller.name ?? seller.legalName;
  return name === null ? words.theBusiness : isolatedIn(direction, name);
}
