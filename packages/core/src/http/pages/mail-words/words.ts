/** What the texts of a mail name. The texts place it as it is: none of it is empty but `from`. */
export interface MailNames {
  readonly id: string; // the number of the quote
  readonly from: string; // the business, by `from` of the same language; "" = it has no name
  readonly customer: string; // the name, or `aCustomer`
  readonly until: string; // the last day of the validity; "" = the mail does not name it
}

/** One kind of mail: its heading, its subject in one line, and what it says. Every sentence begins with a capital letter. */
export interface Occasion {
  readonly title: string;
  readonly subject: (names: MailNames) => string;
  readonly intro: (names: MailNames) => string;
}

/** The texts of mails and of the page that ends reminders, in one language, in the polite form of business letters. */
export interface MailWords {
  readonly greeting: (name: string) => string;
  readonly from: (business: string) => string; // the business in a sentence, with the blanks around it
  readonly aCustomer: string; // begins a sentence
  /** Above the total of the card. */
  readonly card: (id: string) => string;
  readonly validUntil: (until: string) => string;
  readonly toConfirm: string; // before the amount that confirms
  readonly chosen: string; // before the names of the lines that the customer selected
  readonly attachment: string; // before the name of a file
  readonly open: string; // the button of a quote
  readonly read: string; // the button of a message
  readonly write: string; // the button that writes to the customer
  readonly note: string; // above what a customer wrote
  readonly changeRequest: string; // above what a customer asked to change
  readonly endpointAddress: string; // before the address of an endpoint
  /** Mails to the customer. */
  readonly budget: Occasion;
  readonly reminder: Occasion;
  readonly accepted: Occasion;
  readonly newVersion: Occasion;
  readonly message: Occasion;
  /** Mails to the business. */
  readonly sellerViewed: Occasion;
  readonly sellerAccepted: Occasion;
  readonly sellerDeclined: Occasion;
  readonly sellerAsked: Occasion;
  readonly sellerExpiring: Occasion;
  readonly endpointDisabled: Occasion;
  /** The end of reminders: the link in a reminder, and its page. A business without a name is "". */
  readonly unsubscribe: string;
  readonly unsubscribeTitle: string;
  readonly unsubscribeAbout: (business: string) => string;
  readonly unsubscribeButton: string;
  readonly unsubscribed: (business: string) => string;
  readonly resumeButton: string;
}
