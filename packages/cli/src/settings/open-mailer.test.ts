import { createServer, type Server, type Socket } from "node:net";
import type { MailMessage, UserMail } from "@budgetkit/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { mailOptions, smtpMailer } from "./open-mailer.js";
import { readSettings } from "./settings.js";

const mail: UserMail = {
  purpose: "invitation",
  to: "ana@example.com",
  displayName: "Ana",
  businessName: "Taller Sur",
  token: "bgk_ot_1.2.abc",
  link: "https://quotes.example/v1/auth/password-page?token=bgk_ot_1.2.abc",
  expiresAt: new Date("2026-03-09T12:00:00Z"),
};

function sendMessage(url: string, overrides: Partial<MailMessage> = {}): Promise<void> | undefined {
  return smtpMailer(url, "Budgets <budgets@example.com>").sendMessage?.({
    kind: "budget",
    businessId: "1",
    budgetId: "10",
    to: "ana@example.com",
    fromName: "Taller Sur",
    replyTo: null,
    messageId: "<budgetkit.1.60@quotes.example>",
    subject: "Your quote 10",
    text: "Here is your quote.",
    html: "<p>Here is your quote.</p>",
    attachments: [{ fileName: "quote.txt", contentType: "text/plain", content: Buffer.from("10") }],
    headers: {
      "List-Unsubscribe": "<https://quotes.example/v1/p/x/unsubscribe>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    signal: new AbortController().signal,
    ...overrides,
  });
}

/** A mail server for one message. `said` is everything that the client sent. */
async function mailServer(refusesRecipients = false): Promise<{ url: string; said: () => string }> {
  let said = "";
  const server: Server = createServer((socket) => {
    socket.write("220 mail\r\n");
    socket.on("data", (chunk) => {
      said += String(chunk);
      answer(socket, String(chunk), refusesRecipients);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, said: () => said };
}

function answer(socket: Socket, line: string, refusesRecipients: boolean): void {
  if (line.startsWith("EHLO")) socket.write("250-mail\r\n250 SMTPUTF8\r\n");
  else if (line.startsWith("RCPT") && refusesRecipients) socket.write("550 no such mailbox\r\n");
  else if (line.startsWith("DATA")) socket.write("354 go on\r\n");
  else if (line.startsWith("QUIT")) socket.end("221 bye\r\n");
  else if (/^(?:MAIL|RCPT|RSET)/.test(line) || line.endsWith("\r\n.\r\n")) socket.write("250 OK\r\n");
}

describe("a mailer by SMTP", () => {
  it("mails the link in plain text, from the configured sender to the user", async () => {
    const { url, said } = await mailServer();
    await smtpMailer(url, "Budgets <budgets@example.com>").send(mail);
    const text = said().replace(/=\r\n/g, "").replaceAll("=3D", "=");
    expect(text).toContain("MAIL FROM:<budgets@example.com>");
    expect(text).toContain("RCPT TO:<ana@example.com>");
    expect(text).toContain("Subject: Your account at Taller Sur");
    expect(text).toContain(mail.link);
    expect(text).toContain("until 2026-03-09 12:00 UTC");
  });

  it("mails names in their line, so that they add no header and no text of their own", async () => {
    const { url, said } = await mailServer();
    const businessName = "Taller\r\nBcc: eve@example.com";
    const displayName = "Ana,\n\nlog in at\u2028https://evil.example now\r\rAna";
    await smtpMailer(url, "budgets@example.com").send({ ...mail, businessName, displayName });
    const lines = said()
      .replace(/=\r\n/g, "")
      .split(/\r\n|[\r\n\u2028]/);
    expect(lines.filter((line) => /^(?:Bcc|log in|https:\/\/evil|Ana)/i.test(line))).toEqual([]);
    expect(said().match(/RCPT TO/g)).toHaveLength(1);
    expect(lines).toContain("Subject: Your account at Taller Bcc: eve@example.com");
    expect(lines).toContain("Hello Ana, log in at https://evil.example now Ana,");
  });

  it("mails a budget with its Message-ID, the headers to unsubscribe and the name of the business", async () => {
    const { url, said } = await mailServer();
    await sendMessage(url);
    const text = said().replace(/=\r\n/g, "").replaceAll("=3D", "=");
    for (const line of [
      "MAIL FROM:<budgets@example.com>",
      "RCPT TO:<ana@example.com>",
      "From: Taller Sur <budgets@example.com>",
      "Message-ID: <budgetkit.1.60@quotes.example>",
      "Subject: Your quote 10",
      "List-Unsubscribe: <https://quotes.example/v1/p/x/unsubscribe>",
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
      "Here is your quote.",
      "<p>Here is your quote.</p>",
      "filename=quote.txt",
    ])
      expect(text).toContain(line);
  });

  it("mails no recipient and no header that a name or an address contains", async () => {
    const { url, said } = await mailServer();
    const fromName = 'Taller" <eve@example.com>, "x\r\nBcc: eve@example.com';
    await sendMessage(url, { fromName, replyTo: "sur@example.com", subject: "Quote\r\nBcc: eve@example.com" });
    expect(said().match(/RCPT TO/g)).toHaveLength(1);
    expect(said()).not.toMatch(/^Bcc:/im);
    expect(said()).toContain("MAIL FROM:<budgets@example.com>");
  });

  it.each([
    ["info@müller-bau.example", "<info@xn--mller-bau-q9a.example>", "info@xn--mller-bau-q9a.example"],
    ["Info@MÜLLER-Bau.example", "<Info@xn--mller-bau-q9a.example>", "Info@xn--mller-bau-q9a.example"],
    ["jörg@müller-bau.example", "<jörg@müller-bau.example>", "jörg@müller-bau.example"],
    ["test&test@example.com", "<test&test@example.com>", "test&test@example.com"],
    ["sales/eu@example.com", "<sales/eu@example.com>", "sales/eu@example.com"],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "<!#$%&'*+/=?^_`{|}~-@example.com>", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ])(
    "mails to %s as one recipient, with the domain in ASCII unless the server gets UTF-8",
    async (to, path, header) => {
      for (const send of [
        (url: string) => sendMessage(url, { to }),
        (url: string) => smtpMailer(url, "budgets@example.com").send({ ...mail, to }),
      ]) {
        const { url, said } = await mailServer();
        await send(url);
        const lines = said().split("\r\n");
        expect(lines.filter((line) => line.startsWith("RCPT TO"))).toEqual([`RCPT TO:${path}`]);
        expect(lines.filter((line) => line.startsWith("To: "))).toEqual([`To: ${header}`]);
        const isUtf8 = /[^\0-\x7f]/.test(path);
        expect(lines).toContain(`MAIL FROM:<budgets@example.com>${isUtf8 ? " SMTPUTF8" : ""}`);
      }
    },
  );

  it("marks a refusal of the mail server as permanent, so that it is not retried", async () => {
    const { url } = await mailServer(true);
    await expect(sendMessage(url)).rejects.toMatchObject({ permanent: true });
  });

  it("rejects a mail that the server refuses", async () => {
    const { url } = await mailServer(true);
    await expect(smtpMailer(url, "budgets@example.com").send({ ...mail, purpose: "password-reset" })).rejects.toThrow(
      "no such mailbox",
    );
  });

  it("opens a mailer with SMTP_URL alone", () => {
    expect(mailOptions(readSettings({}))).toEqual({});
    const page = "https://app.example/password";
    const settings = readSettings({
      SMTP_URL: "smtp://h",
      MAIL_FROM: "a@b.example",
      BUDGETKIT_PASSWORD_PAGE_URL: page,
    });
    expect(mailOptions(settings)).toMatchObject({ mailer: { send: expect.any(Function) }, passwordPageUrl: page });
  });
});
