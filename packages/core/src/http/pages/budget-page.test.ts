import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { sellerViewOf } from "../../budgets/offer/seller-view.js";
import { budgetPage } from "./budget-page.js";
import { type HtmlPage, html } from "./html.js";
import { PAGE_LANGUAGES } from "./page-language.js";
import { messagePage } from "./plain-pages.js";

const view: PublicBudgetView = {
  id: "42",
  version: 3,
  revision: 1,
  hash: "0".repeat(64),
  status: "PENDING",
  currency: "USD",
  subtotal: 1_000,
  discount: 100,
  tax: 189,
  taxRate: 0.21,
  total: 1_089,
  notes: null,
  validUntil: "2026-04-01T23:59:59.999Z",
  issueDate: "2026-03-01T00:00:00.000Z",
  minimumPaymentToConfirm: null,
  paid: 0,
  dueToConfirm: null,
  acceptance: null,
  approval: null,
  business: sellerViewOf(null),
  customer: { name: null },
  items: [{ description: "Oak table", quantity: 2.5, unitPrice: 0.123456, total: 1_000 }],
  availableActions: ["accept", "decline", "requestChange"],
  publicUrl: "https://quotes.example/shop/v1/p/token",
};
const MARKUP = `"><img src=x onerror=alert(1)>'&`;
const AT = "2026-03-20T12:00:00.000Z";
const NOW = Date.UTC(2026, 2, 20, 12);

function pageOf(shown: PublicBudgetView, asked: string | null = null, accepted: string | null = null): string {
  return budgetPage(shown, { asked, accepted }, NOW).markup.replace(/[\u00a0\u202f]/g, " ");
}

describe("html", () => {
  it("escapes text in every position, and leaves markup unchanged", () => {
    expect(html`<p title="${MARKUP}">${[html`<b>${MARKUP}</b>`]}${null}${5}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;"><b>&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;</b>5</p>',
    );
  });
});

describe("the page of a budget", () => {
  it("has the number in title and heading, in place of the id", () => {
    expect(pageOf(view)).toContain("<title>Quote 42</title>");
    const page = pageOf({ ...view, number: "Q-<1>" });
    expect(page).toContain("<title>Quote Q-&lt;1&gt;</title>");
    expect(page).toContain("<h1>Quote Q-&lt;1&gt;</h1>");
    expect(page).not.toContain("42");
  });

  it("escapes every text of the budget and of the business", () => {
    const { locale: _, accentColor: __, timeZone: ___, ...texts } = view.business;
    const marked = Object.fromEntries(Object.keys(texts).map((field) => [field, MARKUP]));
    const accepted = { acceptedAt: view.issueDate, acceptedBy: `customer:${MARKUP}` };
    const page = pageOf({
      ...view,
      notes: MARKUP,
      acceptance: accepted,
      business: { ...view.business, ...marked },
      customer: { name: MARKUP },
      items: [{ description: MARKUP, quantity: 1, unitPrice: 1, total: 1 }],
    });
    expect(page).not.toContain("<img src=x");
    expect(page.match(/&lt;img/g)?.length).toBeGreaterThan(Object.keys(marked).length + 3);
  });

  it("shows the business: its names, tax number, contacts, terms and footer", () => {
    const business = {
      ...view.business,
      name: "Norte",
      legalName: "Carpintería Norte S.R.L.",
      taxId: "30-71234567-1",
      address: "Av. Belgrano 1200\nSalta",
      email: "sales@norte.example",
      website: "https://norte.example",
      terms: "Half in advance.",
      footer: "Until soon",
    };
    const page = pageOf({ ...view, business });
    for (const text of Object.values(business)) if (text !== null && text !== "UTC") expect(page).toContain(text);
    expect(page).toContain('href="mailto:sales@norte.example"');
  });

  it("writes amounts with their currency, and the tax with its rate", () => {
    const page = pageOf(view);
    expect(page).toContain("USD 1,089.00");
    expect(page).toContain("-USD 100.00");
    expect(page).toContain("USD 0.123456");
    expect(page).toContain("Tax (21%)");
    expect(pageOf({ ...view, taxRate: null })).toContain("<dt>Tax</dt>");
    expect(pageOf({ ...view, currency: "JPY" })).toContain("JPY 1,089<");
  });

  it("shows headings and texts across the table, subtotals, units and discounts of items", () => {
    const items: PublicBudgetView["items"] = [
      { kind: "heading", description: MARKUP },
      { description: "Fitting", quantity: 2.5, unit: "<h>", unitPrice: 40, discountRate: 0.125, total: 87.5 },
      { description: "Table", quantity: 1, unitPrice: 450, discountAmount: 50, total: 400 },
      { description: "Lamp", quantity: 1, unitPrice: 9, discountRate: 0, total: 9 },
      { kind: "text", description: "Without\nappliances" },
      { kind: "subtotal", total: 496.5 },
      { kind: "subtotal", description: "Nothing", total: 0 },
    ];
    const page = pageOf({ ...view, items });
    expect(page).toContain('colspan="4" aria-colspan="4"><h3>&quot;&gt;&lt;img');
    expect(page).toContain("2.5 &lt;h&gt;</td>");
    expect(page).toContain('USD 40.00 <span class="less">Discount -12.5%</span>');
    expect(page).toContain('<span class="less">Discount -USD 50.00</span>');
    expect(page).toContain("USD 9.00</td>");
    expect(page.match(/class="less"/g)).toHaveLength(2);
    expect(page).toContain('<span class="lines">Without\nappliances</span>');
    expect(page).toMatch(/aria-colspan="3">Subtotal<\/td>\s*<td role="cell" class="number">USD 496.50/);
    expect(pageOf({ ...view, items }, "es")).toContain("Descuento -12,5");
    expect(pageOf({ ...view, items }, "pt")).toContain("Desconto -12,5");
  });

  it("shows no tax of 0 %, which is also the rate where nobody set one, but a given amount of 0", () => {
    const untaxed = { ...view, tax: 0, taxRate: 0, total: 1_000 };
    expect(pageOf(untaxed)).not.toContain("Tax");
    expect(pageOf({ ...untaxed, taxRate: null })).toContain("<dt>Tax</dt>");
  });

  it("writes days in the time zone of the business, with the days that are left", () => {
    const until = (timeZone: string) => pageOf({ ...view, business: { ...view.business, timeZone } });
    expect(until("UTC")).toContain("April 1, 2026 (in 12 days)");
    expect(until("Pacific/Auckland")).toContain("April 2, 2026 (in 12 days)"); // there it is the 21st already
    expect(pageOf({ ...view, validUntil: "2026-03-20T23:00:00.000Z" })).toContain("(today)");
    expect(pageOf({ ...view, validUntil: "2026-03-21T00:00:00.000Z" })).toContain("(tomorrow)");
    expect(pageOf({ ...view, status: "EXPIRED" })).toContain("<dd>April 1, 2026</dd>");
  });

  it("has forms that post below the path of the link and contain the version", () => {
    const page = pageOf(view);
    expect(page).toContain('action="/shop/v1/p/token/accept"');
    expect(page).toContain('action="/shop/v1/p/token/decline"');
    expect(page.match(/name="version" value="3"/g)).toHaveLength(3);
    expect(page.match(/class="primary"/g)).toHaveLength(1);
    expect(pageOf({ ...view, status: "APPROVED", availableActions: [] })).not.toContain("<form");
  });

  it("omits empty fields", () => {
    const page = pageOf({ ...view, discount: 0, validUntil: null });
    for (const words of ["Discount", "Valid until", "Notes", "Terms<", "pay at least", "Paid", "Thank you", "For<"])
      expect(page).not.toContain(words);
    expect(pageOf({ ...view, minimumPaymentToConfirm: 50 })).toContain("pay at least");
  });

  it("shows who accepted and when, what is due and how to pay, and offers only to decline", () => {
    const acceptance = { acceptedAt: "2026-03-02T12:00:00.000Z", acceptedBy: "customer:Ana" };
    const business = { ...view.business, paymentInstructions: "By transfer to 0001." };
    const waiting = { ...view, business, minimumPaymentToConfirm: 150, paid: 50, dueToConfirm: 100, acceptance };
    const page = pageOf({ ...waiting, availableActions: ["decline"] });
    expect(page).toContain("Accepted, waiting for your payment");
    expect(page).toContain("Accepted by Ana on March 2, 2026 at 12:00 PM UTC.");
    expect(page).toContain("confirmed once another USD 100.00 has been paid");
    expect(page).toContain("By transfer to 0001.");
    expect(page).toContain("<dt>Paid so far</dt><dd>USD 50.00</dd>");
    expect(page).not.toContain("/accept");
    expect(page).toContain("/decline");
  });

  it("thanks for an acceptance that confirmed the budget, and names no user of the business", () => {
    const approval = { acceptedAt: "2026-03-02T12:00:00.000Z", acceptedBy: "business" };
    const approved: PublicBudgetView = { ...view, status: "APPROVED", availableActions: [], approval };
    expect(pageOf(approved)).toContain("Thank you!</strong> Accepted on March 2, 2026");
  });

  it("is in the language of the link, else of the browser, else of the business", () => {
    const own = { ...view, business: { ...view.business, locale: "pt-BR" } };
    expect(pageOf(own, "es", "en")).toContain("<h1>Presupuesto 42</h1>");
    expect(pageOf(own, "fr", "de, en;q=0.5, es;q=0.8")).toContain("<h1>Presupuesto 42</h1>");
    expect(pageOf(own, null, "fr")).toContain("<h1>Orçamento 42</h1>");
    expect(pageOf(own, null, "es;q=0")).toContain("<h1>Orçamento 42</h1>");
    expect(pageOf(view, null, null)).toContain("<h1>Quote 42</h1>");
    expect(pageOf(own, "es")).toContain('action="/shop/v1/p/token/accept?lang=es"');
  });

  it("reads a header with many languages in one pass, since anyone with a link may send one", () => {
    const accepted = `${"en;q=0.5,".repeat(200)}es;q=0,pt`;
    const split = vi.spyOn(String.prototype, "split");
    const page = pageOf(view, null, accepted);
    const characters = split.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
    split.mockRestore();
    expect(page).toContain('<html lang="pt">');
    expect(characters).toBeLessThan(10 * accepted.length);
  });

  it("writes amounts and dates as the business does where it speaks the language of the page", () => {
    const own = { ...view, currency: "ARS", business: { ...view.business, locale: "es-AR" } };
    expect(pageOf(own, "es")).toContain("ARS 1.089,00");
    expect(pageOf(own, "es")).toContain("1 de abril de 2026 (dentro de 12 días)");
    expect(pageOf(own, "en")).toContain("ARS 1,089.00");
  });

  it("contains the two styles that its policy allows, and no others", () => {
    const pages: readonly HtmlPage[] = [
      messagePage("Not found", "No.", null),
      budgetPage(
        { ...view, business: { ...view.business, accentColor: "#ff00aa" } },
        { asked: null, accepted: null },
        NOW,
      ),
    ];
    for (const { markup, headers } of pages) {
      const styles = [...markup.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style = ""]) => style);
      const sources = styles.map((style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`);
      expect(headers["content-security-policy"]).toContain(`style-src ${sources.join(" ")};`);
      expect(styles).toHaveLength(2);
    }
  });

  it.each(PAGE_LANGUAGES)("labels each field and names its language: %s", (language) => {
    const page = pageOf(view, language);
    expect(page).toContain(`<html lang="${language}">`);
    for (const [, id = ""] of page.matchAll(/<(?:input|textarea) id="([\w-]+)"/g)) {
      expect(page).toContain(`<label for="${id}">`);
    }
  });

  it("weighs less than 30 kB with 20 items", () => {
    const [item] = view.items;
    if (item === undefined) throw new Error("no item");
    expect(pageOf({ ...view, items: Array.from({ length: 20 }, () => item) }).length).toBeLessThan(30_000);
  });

  it("weighs less than 30 kB with every part: a logo, files, sections, a request for a change, a long signature", () => {
    const logo = { contentType: "image/png", size: 400_000, sha256: "0".repeat(64) } as const;
    const file = { id: "1000000042", fileName: "plan of the room.pdf", contentType: "application/pdf", size: 150_000 };
    const terms = "Delivery within three weeks of the deposit. ".repeat(20);
    const shown: PublicBudgetView = {
      ...view,
      notes: "Please note this. ".repeat(20),
      business: { ...view.business, name: "Carpintería Norte", terms, logo },
      items: Array.from({ length: 5 }, () => [
        { kind: "heading" as const, description: "Furniture" },
        { description: "Oak table", quantity: 2, unitPrice: 450, unit: "pcs", discountRate: 0.1, total: 810 },
        { kind: "text" as const, description: "Solid oak, oiled, 200 × 90 cm" },
        { kind: "subtotal" as const, total: 810 },
      ]).flat(),
      attachments: Array.from({ length: 5 }, () => ({ ...file, sha256: "0".repeat(64) })),
      changeRequest: { message: "Could it be pine? ".repeat(20), requestedBy: "customer:Ana", requestedAt: AT },
    };
    const signed = { ...shown, status: "APPROVED" as const, approval: { acceptedAt: AT, acceptedBy: "customer:Ana" } };
    const signature = `M 0 0${" L 300 100".repeat(819)}`;
    const pages = [pageOf(shown), pageOf({ ...signed, availableActions: [], signature })];
    for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThan(30_000);
    expect(pages[0]).toContain("plan of the room.pdf");
    expect(pages[1]).toContain(signature);
  });
});
