import type { NoticeKind } from "./mail-settings.js";
import type { OneTimeToken } from "./user.js";

/** Delivers mails to users, for example by SMTP. The service does not retry: a mailer that can, retries itself. */
export interface Mailer {
  /** Rejects when the mail cannot be delivered; the failure goes to `onError`. */
  send(mail: UserMail): Promise<void>;
  /**
   * Delivers a mail to a customer or to the business. Without it budgets are not sent by mail (501). The service retries a mail whose
   * delivery rejects, unless the error has `permanent: true`. The signal aborts at the deadline, a minute after the
   * call.
   */
  sendMessage?(message: MailMessage): Promise<void>;
}

/** A complete mail to a customer or to the business. Its texts have no line ends where a header may not have them. */
export interface MailMessage {
  /** Sent by a caller, by time before the end of the validity, or about an act of one of the sides. */
  readonly kind: "budget" | "reminder" | NoticeKind;
  /** Id of the business. */
  readonly businessId: string;
  /** Id of the budget; of `seller.endpointDisabled` that of the endpoint. */
  readonly budgetId: string;
  /** One address. */
  readonly to: string;
  /** The name of the business, beside the sender's address of the mailer; null = unknown. */
  readonly fromName: string | null;
  /** The address of the other side; null = none. */
  readonly replyTo: string | null;
  /** The Message-ID, the same for every attempt. */
  readonly messageId: string;
  /** One line. */
  readonly subject: string;
  /** The plain text. */
  readonly text: string;
  /** The same as HTML. */
  readonly html: string;
  /** Files, such as the budget as a document. */
  readonly attachments: readonly MailAttachment[];
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
}

/** A file of a mail. */
export interface MailAttachment {
  /** Its name for the recipient. */
  readonly fileName: string;
  /** Its media type. */
  readonly contentType: string;
  /** Its bytes. */
  readonly content: Uint8Array;
}

/** What a mailed token is for. Tokens that log in are not mailed. */
export type MailedPurpose = Exclude<OneTimeToken["purpose"], "login">;

/** A mail with a one-time token. The token is a credential: it must appear in no log. */
export interface UserMail {
  /** Why the user gets the token. */
  readonly purpose: MailedPurpose;
  /** The user's email. */
  readonly to: string;
  /** Name for people to read. */
  readonly displayName: string;
  /** The business of the user. */
  readonly businessName: string;
  /** For POST /auth/set-password. */
  readonly token: string;
  /** Leads to the page on which the user sets a password. */
  readonly link: string;
  /** Until when the token works. */
  readonly expiresAt: Date;
}
