import type { BudgetServiceOptions, Mailer, MailMessage, UserMail } from "@budgetkit/core";
import type { SendMailOptions } from "nodemailer";
import type { Settings } from "./settings.js";

/** The options of the service that concern mails to users and customers. Without SMTP_URL it sends none. */
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
  const sendMail = async (mail: SendMailOptions, signal?: AbortSignal): Promise<void> => {
    const { createTransport } = await import("nodemailer");
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
    const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
    const close = () => transport.close();
    signal?.addEventListener("abort", close);
    try {
      await transport.sendMail(mail);
    } finally {
      signal?.removeEventListener("abort", close);
      transport.close();
    }
  };
  return {
    send: (mail) => sendMail({ from, to: { name: "", address: mail.to }, ...textOf(mail) }),
    sendMessage: (message) => sendMail(optionsOf(message, from), message.signal).catch(rethrowRefusal),
  };
}

/** Names and addresses apart, so that a name cannot add a recipient. */
function optionsOf(message: MailMessage, from: string): SendMailOptions {
  const { to, fromName, replyTo, messageId, subject, text, html, headers, attachments } = message;
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
  return {
    from: fromName === null ? from : { name: fromName, address },
    to: { name: "", address: to },
    ...(replyTo === null ? {} : { replyTo: { name: fromName ?? "", address: replyTo } }),
    messageId,
    subject,
    text,
    html,
    headers: { ...headers },
    attachments: attachments.map(({ fileName, contentType, content }) => ({
      filename: fileName,
      contentType,
      content: Buffer.from(content),
    })),
  };
}

/** A reply of 500 or more stays the same when the mail is sent again. Source: RFC 5321, section 4.2.1. */
function rethrowRefusal(error: unknown): never {
  if (!(error instanceof Error) || !("responseCode" in error)) throw error;
  throw Object.assign(error, { permanent: Number(error.responseCode) >= 500 });
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
