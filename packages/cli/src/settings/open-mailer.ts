import type { BudgetServiceOptions, Mailer, UserMail } from "@budgetkit/core";
import type { Settings } from "./settings.js";

/** The options of the service that concern mails to users. Without SMTP_URL it sends none. */
export function mailOptions({
  SMTP_URL: url,
  MAIL_FROM: from,
  BUDGETKIT_PASSWORD_PAGE_URL: page,
}: Settings): Pick<BudgetServiceOptions, "mailer" | "passwordPageUrl"> {
  return {
    ...(url === null || from === null ? {} : { mailer: smtpMailer(url, from) }),
    ...(page === null ? {} : { passwordPageUrl: page }),
  };
}

const TIMEOUT_MS = 15_000; // of each step with the mail server

/** Sends by SMTP. The library is loaded with the first mail. */
export function smtpMailer(url: string, from: string): Mailer {
  return {
    send: async (mail) => {
      const { createTransport } = await import("nodemailer");
      const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
      const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
      try {
        await transport.sendMail({ from, to: mail.to, ...textOf(mail) });
      } finally {
        transport.close();
      }
    },
  };
}

function textOf({ purpose, link, expiresAt, ...names }: UserMail) {
  const displayName = inOneLine(names.displayName);
  const businessName = inOneLine(names.businessName);
  const until = `${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const greeting = `Hello ${displayName},`;
  const use = `${link}\n\nThe link works once, until ${until}.`;
  if (purpose === "invitation") {
    return {
      subject: `Your account at ${businessName}`,
      text: `${greeting}\n\nyou have an account at ${businessName}. Set your password here:\n\n${use}\n`,
    };
  }
  return {
    subject: `Your password at ${businessName}`,
    text:
      `${greeting}\n\nyou can set a new password for your account at ${businessName} here:\n\n${use} ` +
      "If you did not ask for it, ignore this mail: your password stays as it is.\n",
  };
}

/** A name is the user's text: with line ends it could add paragraphs that look like ours. */
function inOneLine(name: string): string {
  return name.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
