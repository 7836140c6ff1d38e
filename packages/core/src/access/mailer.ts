import type { OneTimeToken } from "./user.js";

/** Delivers mails to users, for example by SMTP. The service does not retry: a mailer that can, retries itself. */
export interface Mailer {
  /** Rejects when the mail cannot be delivered; the failure goes to `onError`. */
  send(mail: UserMail): Promise<void>;
}

/** A mail with a one-time token. The token is a credential: it must appear in no log. */
export interface UserMail {
  readonly purpose: OneTimeToken["purpose"];
  readonly to: string; // the user's email
  readonly displayName: string;
  readonly businessName: string;
  readonly token: string; // for POST /auth/set-password
  readonly link: string; // leads to the page on which the user sets a password
  readonly expiresAt: Date;
}
