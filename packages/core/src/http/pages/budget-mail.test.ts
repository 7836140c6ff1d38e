import { aMail } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { type Mail, mailViewSchema } from "../../budgets/mail.js";
import type { MailFacts } from "../../budgets/mailing/mail-facts.js";
import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { sellerViewOf } from "../../budgets/offer/seller-view.js";
import { budgetMail } from "./budget-mail.js";
import { PAGE_LANGUAGES, type PageLanguage } from "./page-language.js";

const KINDS = mailViewSchema.shape.kind.options;

const view: PublicBudgetView = {
  id: "42",
  version: 3,
  revision: 1,
  hash: "0".repeat(64),
  status: "PENDING",
  currency: "COP",
  subtotal: 100,
  discount: 0,
  tax: 0,
  taxRate: 0,
  total: 100,
  notes: null,
  validUntil: null,
  issueDate: "2026-03-01T00:00:00.000Z",
  minimumPaymentToConfirm: null,
  paid: 0,
  dueToConfirm: null,
  acceptance: null,
  approval: null,
  business: sellerViewOf(null),
  customer: { name: null },
  items: [],
  availableActions: [],
  publicUrl: "https://quotes.example/v1/p/token",
};

function mailTo(customerName: string | null, mail: Partial<Mail>, changes: Partial<MailFacts> = {}) {
  const ofSeller = mail.kind?.startsWith("seller.") === true;
  const facts: MailFacts = {
    mail: aMail({ message: null, ...mail }),
    business: view.business,
    view: { ...view, customer: { name: customerName } },
    publicUrl: ofSeller ? null : view.publicUrl,
    unsubscribeUrl: mail.kind === "reminder" ? `${view.publicUrl}/unsubscribe?mail=a` : null,
    message: mail.message ?? null,
    customer: ofSeller ? { name: customerName, email: "ana@example.com" } : null,
    ...changes,
  };
  return budgetMail(facts, [], 0);
}

function textTo(name: string | null, lang: PageLanguage, message: string | null = null): string {
  return mailTo(name, { lang, message }).text.replaceAll("\u00a0", " ");
}

describe("the mail of a budget", () => {
  it("the mail of an acceptance lists what was chosen, and what later cycles cost", () => {
    const accepted = { acceptedAt: view.issueDate, acceptedBy: "customer:Ana" };
    const item = { quantity: 1, unitPrice: 10, total: 10 };
    const yearly = { interval: "year", intervalCount: 1, cycles: 3 } as const;
    const chosen: PublicBudgetView = {
      ...view,
      approval: accepted,
      items: [
        { ...item, description: "Quartz \u202e\npolished", choice: "top", selected: true },
        { ...item, description: "Oak", choice: "top", selected: false },
        {
          ...item,
          description: "Tiles",
          unit: "m²",
          quantityRange: { minimum: 1, maximum: 9, step: 0.5 },
          quantity: 2.5,
        },
        { ...item, description: "Care", recurring: yearly },
      ],
      recurring: [{ ...yearly, subtotal: 10, tax: 0, total: 10 }],
    };
    for (const kind of ["customer.accepted", "seller.accepted"] as const) {
      const { text, html } = mailTo("Ana", { kind, lang: "en" }, { view: chosen });
      expect(text.replaceAll("\u00a0", " ")).toContain("Then, for another 2 years: $10.00 every year");
      expect(text).toMatch(/Chosen: Quartz ?\nTiles: 2.5 m²/);
      expect(html).toContain("Tiles: 2.5 m²");
      expect(text).not.toContain("Oak");
    }
    expect(mailTo("Ana", { kind: "budget", lang: "en" }, { view: chosen }).text).not.toContain("Chosen");
  });

  it("the mail of an acceptance says how to pay what is due, by the link of the business", () => {
    const accepted = { acceptedAt: view.issueDate, acceptedBy: "customer:Ana" };
    const business = { ...view.business, paymentInstructions: "By transfer\nto 0001." };
    const shown = { ...view, business, validUntil: "2026-04-01T00:00:00.000Z", acceptance: accepted, dueToConfirm: 30 };
    const mailOf = (changes: Partial<PublicBudgetView>) =>
      mailTo("Ana", { kind: "customer.accepted", lang: "en" }, { view: { ...shown, ...changes } });
    const payable = mailOf({ paymentUrl: "https://pay.example/x" });
    expect(payable.text.replaceAll("\u00a0", " ")).toContain("Pay COP 30.00:\nhttps://pay.example/x");
    expect(payable.text).toContain("How to pay: By transfer\nto 0001.");
    expect(payable.text).not.toContain("Valid until");
    expect(payable.html).toContain('href="https://pay.example/x"');
    for (const form of [payable.text, payable.html]) expect(form).toContain(view.publicUrl); // the page beside the payment
    const paid = mailOf({ paymentUrl: "https://pay.example/x", dueToConfirm: 0, paid: 100 });
    expect(paid.text).not.toContain("pay.example");
    expect(paid.text).not.toContain("How to pay");
  });

  it("greets the customer once, and begins every sentence of a mail with a capital letter", () => {
    expect(textTo("Ana", "es")).toMatch(/^Hola, Ana:\n\nAquí está su presupuesto 42\.\n/);
    expect(textTo(null, "es")).toMatch(/^Aquí está su presupuesto 42\.\n/);
    expect(textTo("Ana", "en")).toMatch(/^Hello Ana,\n\nHere is your quote 42\.\n/);
    const letter = textTo("Ana", "en", "Dear Ms Ruiz,\n\nThe kitchen as we discussed.");
    expect(letter).not.toContain("Hello Ana");
    expect(letter).toContain("Dear Ms Ruiz,");
  });

  it("writes to the customer's address alone, whatever characters the address has", () => {
    const customer = { name: "Ana", email: "a?bcc=eve&body=x@example.com" };
    const { html } = mailTo("Ana", { kind: "seller.asked" }, { customer });
    expect(html).toContain('href="mailto:a%3Fbcc%3Deve%26body%3Dx@example.com"');
  });

  it("shows the total in a mail with the decimals of its currency", () => {
    expect(textTo(null, "es")).toContain("100,00 COP");
  });

  it("offers to end reminders in a reminder alone", () => {
    expect(mailTo("Ana", { kind: "budget" }).html).not.toContain("unsubscribe");
    expect(mailTo("Ana", { kind: "reminder" }).html).toContain("/unsubscribe?mail=a");
    expect(mailTo("Ana", { kind: "reminder" }).text).toContain("/unsubscribe?mail=a");
  });

  it("a mail has a dark form, the accent of the business, one button, and its contact at the end", () => {
    const business = { ...view.business, name: "Norte", phone: "+54 11 4567", accentColor: "#8a4a1a" };
    const { html, text } = mailTo("Ana", {}, { business });
    expect(html).toContain("@media (prefers-color-scheme:dark)");
    expect(html).toContain("background:#8a4a1a");
    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(text).toMatch(/\n-- \nNorte\n\+54 11 4567\n$/);
  });

  it("shows the logo of a mail from an https address and as a raster image, else the name alone", () => {
    const logoOf = (contentType: "image/png" | "image/svg+xml", publicUrl: string) =>
      mailTo(
        "Ana",
        {},
        { publicUrl, business: { ...view.business, name: "Norte", logo: { contentType, size: 1, sha256: "ab" } } },
      ).html;
    expect(logoOf("image/png", "https://q.example/p/t")).toContain('<img src="https://q.example/p/t/logo?v=ab"');
    for (const without of [
      logoOf("image/svg+xml", "https://q.example/p/t"),
      logoOf("image/png", "http://localhost/p/t"),
    ]) {
      expect(without).not.toContain("<img");
      expect(without).toContain("<bdi>Norte</bdi>");
    }
  });

  it.each(PAGE_LANGUAGES)(
    "writes every kind of mail in %s: one line of subject, no text missing, its direction",
    (lang) => {
      for (const kind of KINDS) {
        const isBudget = kind !== "seller.endpointDisabled";
        const { subject, html, text } = mailTo("Ana", { kind, lang }, isBudget ? {} : { view: null, customer: null });
        expect(subject).not.toMatch(/undefined|null|\n/);
        expect(text).not.toMatch(/undefined|null|\[object/);
        expect(html).not.toMatch(/undefined|null|\[object/);
        expect(html).toContain(`<html lang="${lang}" dir="${lang === "ar" || lang === "he" ? "rtl" : "ltr"}">`);
        if (lang !== "en") expect(text).not.toMatch(/\b(?:your|the) (?:quote|customer|message)\b/);
      }
    },
  );

  it("isolates what persons typed where the directions of a mail mix, and leaves other texts without marks", () => {
    const mixed = mailTo("דנה", { lang: "en" });
    expect(mixed.text).toContain("Hello \u2068דנה\u2069,");
    expect(mixed.html).toContain("<bdi>דנה</bdi>");
    expect(mailTo("Ana", { lang: "en" }).text).not.toMatch(/[\u2066-\u2069]/);
    expect(mailTo("a\u202eb", { lang: "en" }).html).not.toContain("\u202e");
  });

  it("bounds the subject of a mail, whatever the names in it are", () => {
    const business = { ...view.business, name: "n".repeat(5_000) };
    const { subject } = mailTo("c".repeat(5_000), { kind: "seller.asked" }, { business });
    expect(subject.length).toBeLessThan(200);
    expect(mailTo("Ana", {}, { business }).subject.length).toBeLessThan(200);
  });
});
