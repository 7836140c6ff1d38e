import type { OneTimeToken } from "./user.js";

/** Delivers mails to users, for example by SMTP. The service does not retry: a mailer that can, retries itself. */
export interface Mailer {
  /** Rejects when the mail cannot be delivered; the failure goes to `onError`. */
  send(mail: UserMail): Promise<void>;
}

/** A mail with a one-time token. The token is a credential: it must appear in no log. */
export interface UserMail {
  /** Why the user gets the token. */
  readonly purpose: OneTimeToken["purpose"];
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
