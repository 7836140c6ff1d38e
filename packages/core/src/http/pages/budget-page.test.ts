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
  it("html escapes text in every position, and leaves markup unchanged", () => {
    expect(html`<p title="${MARKUP}">${[html`<b>${MARKUP}</b>`]}${null}${5}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;"><b>&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;</b>5</p>',
    );
  });
});

describe("the page of a budget", () => {
  it("the page of a budget shows its number in title and heading, in place of the id", () => {
    expect(pageOf(view)).toContain("<title>Quote 42</title>");
    const page = pageOf({ ...view, number: "Q-<1>", business: { ...view.business, name: "Norte" } });
    expect(page).toContain("<title>Quote Q-&lt;1&gt; · Norte</title>");
    expect(page).toContain("<h1>Quote Q-&lt;1&gt;</h1>");
    expect(page).not.toContain("Quote 42");
  });

  it("the page of a budget escapes every text of the budget and of the business", () => {
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

  it("the page of a budget shows the business: its names, tax number, contacts, terms and footer", () => {
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

  it("the page of a budget writes amounts with their currency, and the tax with its rate", () => {
    const page = pageOf(view);
    expect(page).toContain("<bdi>USD 1,089.00</bdi>");
    expect(page).toContain(
      'Total incl. Tax 21%</p>\n<p class="amount "><bdi><span class="code">USD</span> 1,089.00</bdi>',
    );
    expect(page).toContain("<bdi>\u2212$100.00</bdi>");
    expect(page).toContain("<bdi>$0.123456</bdi>");
    expect(page).toContain("<dt>Tax 21%</dt>");
    expect(pageOf({ ...view, taxRate: null })).toContain("<dt>Tax</dt>");
    expect(pageOf({ ...view, currency: "JPY" })).toContain("JPY 1,089<");
  });

  it.each([
    ["es-AR", "es", "IVA"],
    ["es-PE", "es", "IGV"],
    ["es-AR", "en", "IVA"],
    ["de-AT", "de", "USt"],
    ["en-GB", "en", "VAT"],
    ["en-US", "en", "Tax"],
    ["pt-BR", "pt", "Impostos"],
    ["fr-FR", "ja", "消費税"],
  ])("the page names the tax of a business in %s, shown in %s: %s", (locale, language, name) => {
    const page = pageOf({ ...view, business: { ...view.business, locale } }, language);
    expect(page).toMatch(new RegExp(`<dt>${name} 21\\s?%</dt>`));
  });

  it("the page of a budget shows headings and texts across the table, subtotals, units and discounts of items", () => {
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
    expect(page).toContain('colspan="3" aria-colspan="3"><h3 dir="auto">&quot;&gt;&lt;img');
    expect(page).toContain("<bdi>2.5 &lt;h&gt;</bdi> × <bdi>$40.00</bdi>");
    expect(page).toContain('<span class="less">Discount \u221212.5%</span>');
    expect(page).toContain('<span class="less">Discount \u2212$50.00</span>');
    expect(page).toContain('<bdi>$400.00</bdi><s class="less"><bdi>$450.00</bdi></s>');
    expect(page).toContain('<bdi>$87.50</bdi><s class="less"><bdi>$100.00</bdi></s>');
    expect(page).toContain("<bdi>$9.00</bdi></td>");
    expect(page.match(/<span class="less"/g)).toHaveLength(2);
    expect(page).toContain('<span class="lines" dir="auto">Without\nappliances</span>');
    expect(page).toMatch(/aria-colspan="2"><bdi>Subtotal<\/bdi><\/td>\s*<td role="cell" class="number"><bdi>\$496.50/);
    expect(pageOf({ ...view, items }, "es")).toContain("Descuento \u221212,5");
    expect(pageOf({ ...view, items }, "pt")).toContain("Desconto \u221212,5");
  });

  it("a price before a discount is shown as it was rounded, and not at all where the rule of rounding decides", () => {
    const before = (quantity: number, unitPrice: number) => {
      const item = { description: "x", quantity, unitPrice, discountRate: 0.5, total: 1 };
      return /<s class="less"><bdi>(.*?)<\/bdi>/.exec(pageOf({ ...view, items: [item] }))?.[1];
    };
    expect(before(3, 0.335)).toBeUndefined();
    expect(before(3, 1 / 3)).toBe("$1.00");
    expect(before(1.1, 1.1)).toBe("$1.21");
  });

  it("the page of a budget tells the name of an item from its details", () => {
    const page = pageOf({
      ...view,
      items: [{ description: "Table\nSolid oak\noiled", quantity: 1, unitPrice: 1, total: 1 }],
    });
    expect(page).toContain('<span class="what" dir="auto">Table</span>');
    expect(page).toContain('<span class="details lines" dir="auto">Solid oak\noiled</span>');
  });

  it("the page has no line for a tax that there is not", () => {
    const untaxed = { ...view, tax: 0, taxRate: 0, total: 1_000 };
    expect(pageOf(untaxed)).not.toContain("Tax");
    expect(pageOf({ ...untaxed, taxRate: null })).not.toContain("Tax");
    expect(pageOf(untaxed)).toContain('<p class="label">Total</p>');
  });

  it("writes days on the page in the time zone of the business, with the days that are left", () => {
    const until = (timeZone: string) => pageOf({ ...view, business: { ...view.business, timeZone } });
    expect(until("UTC")).toContain('<strong>April 1, 2026</strong> <span class="nowrap">(in 12 days)</span>');
    expect(until("Pacific/Auckland")).toContain(
      '<strong>April 2, 2026</strong> <span class="nowrap">(in 12 days)</span>',
    ); // there it is the 21st already
    expect(pageOf({ ...view, validUntil: "2026-03-20T23:00:00.000Z" })).toContain("(today)");
    expect(pageOf({ ...view, validUntil: "2026-03-21T00:00:00.000Z" })).toContain("(tomorrow)");
    expect(pageOf({ ...view, validUntil: "2026-04-03T00:00:00.000Z" })).toContain("(in 14 days)");
    expect(pageOf({ ...view, validUntil: "2026-04-04T00:00:00.000Z" })).toContain("<strong>April 4, 2026</strong>");
    const ended = { ...view, status: "EXPIRED", validUntil: "2026-03-10T23:59:59.999Z" } as const;
    expect(pageOf(ended)).toContain("<h2>Expired on March 10, 2026</h2>");
    expect(pageOf({ ...ended, validUntil: view.validUntil })).not.toContain("Expired on"); // the business ended it
  });

  it("the forms on the page post below the path of the link and contain the version", () => {
    const page = pageOf(view);
    expect(page).toContain('action="/shop/v1/p/token/accept"');
    expect(page).toContain('action="/shop/v1/p/token/decline"');
    expect(page.match(/name="version" value="3"/g)).toHaveLength(3);
    expect(page.match(/class="primary"/g)).toHaveLength(1);
    const answered = pageOf({ ...view, status: "APPROVED", availableActions: [] });
    expect(answered.match(/<form/g)).toHaveLength(1); // to write a message
    expect(answered).toContain('action="/shop/v1/p/token/messages"');
  });

  it("the page of a budget omits empty fields", () => {
    const page = pageOf({ ...view, discount: 0, validUntil: null });
    for (const words of ["Discount", "Valid until", "Notes", "Terms<", "pay at least", "Paid", "Thank you", "For<"])
      expect(page).not.toContain(words);
    expect(pageOf({ ...view, minimumPaymentToConfirm: 50 })).toContain("pay at least");
  });

  it("the page of an accepted budget shows who accepted and when, what is due and how to pay, and only offers to decline", () => {
    const acceptance = { acceptedAt: "2026-03-02T12:00:00.000Z", acceptedBy: "customer:Ana" };
    const business = { ...view.business, paymentInstructions: "By transfer to 0001." };
    const waiting = { ...view, business, minimumPaymentToConfirm: 150, paid: 50, dueToConfirm: 100, acceptance };
    const page = pageOf({ ...waiting, availableActions: ["decline"] });
    expect(page).toContain("Thank you, Ana!");
    expect(page).toContain("Accepted by Ana on March 2, 2026 at 12:00 PM UTC.");
    expect(page).toContain("confirmed once another USD 100.00 has been paid");
    expect(page).toContain('Deposit <bdi class="sum">$100.00</bdi>');
    expect(page).toContain("Balance due: <bdi>$939.00</bdi>");
    expect(page).toContain("By transfer to 0001.");
    expect(page).toContain("<dt>Paid so far</dt><dd><bdi>$50.00</bdi></dd>");
    expect(page).not.toContain("/accept");
    expect(page).toContain("/decline");
    const unpaid = pageOf({ ...waiting, paid: 0, dueToConfirm: 150, availableActions: ["decline"] });
    expect(unpaid).toContain("The quote is confirmed once USD 150.00 has been paid.");
    const payable = pageOf({ ...waiting, paymentUrl: "https://pay.example/?a=1&b=2" });
    expect(payable).toContain('href="https://pay.example/?a=1&amp;b=2" rel="noopener noreferrer"');
    expect(payable).toContain("Pay $100.00</a>");
  });

  it("thanks for an acceptance that confirmed the budget, and shows no user of the business", () => {
    const approval = { acceptedAt: "2026-03-02T12:00:00.000Z", acceptedBy: "business" };
    const approved: PublicBudgetView = { ...view, status: "APPROVED", availableActions: [], approval };
    expect(pageOf(approved)).toMatch(/Thank you!<\/h2>\n<p class="quiet">Accepted on March 2, 2026/);
    const business = { ...view.business, paymentInstructions: "By transfer to 0001." };
    const partly = pageOf({ ...approved, business, paid: 89, paymentUrl: "https://pay.example/" });
    expect(partly).toContain("Confirmed</span>");
    expect(partly).toContain("<dt>Balance due</dt><dd><bdi>$1,000.00</bdi></dd>");
    expect(partly).toContain("Pay $1,000.00</a>");
    const paid = pageOf({ ...approved, business, paid: 1_089, paymentUrl: "https://pay.example/" });
    expect(paid).toContain("Everything is paid.");
    expect(paid).not.toContain("By transfer");
    expect(paid).not.toContain("pay.example");
  });

  it("a declined and an expired quote look different, and say what can be done", () => {
    const business = { ...view.business, name: "Norte" };
    const closed = { ...view, business, availableActions: [] };
    const declined = pageOf({ ...closed, status: "REJECTED" });
    expect(declined).toContain('<p class="chip bad">');
    expect(declined).toContain("Norte can send you another version on this same link.");
    expect(declined).not.toContain("Declined on");
    const expired = pageOf({ ...closed, status: "EXPIRED" });
    expect(expired).toContain('<p class="chip past">');
    expect(expired).toContain("Ask Norte to renew the quote");
    for (const page of [declined, expired]) expect(page).toContain('href="#ask"');
  });

  it("an expired quote has a request to renew it ready, in the language of the page, until one is sent", () => {
    const expired: PublicBudgetView = { ...view, availableActions: [], status: "EXPIRED" };
    const textIn = (page: string) => /<textarea id="messages-message"[^>]*>\n([^<]*)<\/textarea>/.exec(page)?.[1];
    const texts = PAGE_LANGUAGES.map((language) => textIn(pageOf(expired, language)));
    expect(texts).toContain("Could you please renew this quote?");
    expect(new Set(texts).size).toBe(PAGE_LANGUAGES.length);
    const said = { id: "1", kind: "message", name: null, message: "Please renew it", sentAt: AT } as const;
    expect(textIn(pageOf({ ...expired, messages: [{ ...said, from: "customer" }] }))).toBe("");
    expect(textIn(pageOf(view))).toBe("");
  });

  it("a declined quote says who declined it, when, and why if they said so", () => {
    const closed: PublicBudgetView = { ...view, availableActions: [], status: "REJECTED" };
    const by = (declinedBy: string, reason?: string) => {
      const declined = { declinedAt: AT, declinedBy, ...(reason === undefined ? {} : { reason }) };
      return pageOf({ ...closed, declined });
    };
    expect(by("customer:Ana", "<Too> dear")).toMatch(/Declined by Ana on March 20, 2026/);
    expect(by("customer:Ana", "<Too> dear")).toContain('<p class="quote lines" dir="auto">&lt;Too&gt; dear</p>');
    for (const label of ["customer:customer", "business"]) expect(by(label)).toContain("Declined on March 20, 2026");
    expect(by("business")).not.toContain('class="quote');
  });

  it("a new version names what it changes, and what was accepted before", () => {
    const page = pageOf({
      ...view,
      revised: {
        from: 1,
        to: 2,
        at: AT,
        total: 384.78,
        lines: [
          { change: "changed", description: "Chair\nof oak", quantity: [4, 8] },
          { change: "added", description: MARKUP },
        ],
      },
      acceptedBefore: { revision: 1, total: 704.22, currency: "USD", acceptedAt: AT, acceptedBy: "customer:Ana" },
    });
    expect(page).toContain("<strong>Version 2.</strong> Chair 4 → 8. Total <bdi>+$384.78</bdi>.");
    expect(page).toContain("You accepted version 1 for USD 704.22 on March 20, 2026.");
    expect(page).toContain("&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;: added");
    expect(page).toContain(">Accept quote</a>");
    expect(page).toContain('href="/shop/v1/p/token/evidence.json" download');
    const byBusiness = { revision: 1, total: 1, currency: "USD", acceptedAt: AT, acceptedBy: "business" };
    expect(pageOf({ ...view, acceptedBefore: byBusiness })).not.toContain("evidence.json");
  });

  it("the conversation shows both sides, the oldest message first, and a request for a change stays in it", () => {
    const message = { kind: "message", sentAt: AT } as const;
    const page = pageOf({
      ...view,
      changeRequest: { message: "Of pine?", requestedBy: "customer:Ana", requestedAt: AT },
      messages: [
        { ...message, id: "1", from: "customer", name: "Ana", message: MARKUP },
        { ...message, id: "2", from: "business", name: "Norte", message: "Yes,\nof course." },
        { ...message, id: "3", kind: "changeRequest", from: "customer", name: null, message: "Of pine?" },
      ],
    });
    const thread = /<ol class="thread">[\s\S]*<\/ol>/.exec(page)?.[0] ?? "";
    expect(thread.replace(/<[^>]*>/g, "").replace(/\n+/g, "\n")).toBe(
      "\nAna · March 20, 2026 at 12:00 PM UTC\n&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;\nNorte · March 20, 2026 at 12:00 PM UTC\nYes,\nof course.\nYou · March 20, 2026 at 12:00 PM UTC · Change requested\nOf pine?\n",
    );
    expect(page).toContain("Accept this version anyway");
  });

  it("a form whose name is blank comes back with what was entered, and says so at the field", () => {
    const refused = { action: "decline", field: "name", values: { name: " ", reason: "Too <dear>" } } as const;
    const page = budgetPage(view, { asked: "es", accepted: null }, NOW, { refused }).markup;
    expect(page).toContain('aria-invalid="true" aria-describedby="decline-name-error"');
    expect(page).toContain('id="decline-name-error" role="alert">');
    expect(page).toContain("Too &lt;dear&gt;</textarea>");
    expect(page).toContain('href="/shop/v1/p/token?lang=de"');
    expect(page.match(/<details open>/g)).toHaveLength(1);
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(1);
  });

  it("a preview of the link names the business, and the customer and the total only if the business says so", () => {
    const business = { ...view.business, name: "Norte" };
    const named = { ...view, business, customer: { name: "Ana Ruiz" } };
    const title = (page: string) => /property="og:title" content="([^"]*)"/.exec(page)?.[1];
    expect(title(pageOf(named))).toBe("Quote 42 · Norte");
    const open = { ...business, linkPreview: { showsName: true, showsTotal: true } };
    expect(title(pageOf({ ...named, business: open }))).toBe("Quote 42 · Norte · For Ana Ruiz · USD 1,089.00");
    expect(pageOf(named)).toContain('property="og:description" content="Norte has sent you a quote."');
    expect(pageOf(named)).toContain('<meta name="robots" content="noindex">');
  });

  it("isolates what people typed where the page is written from right to left", () => {
    const accepted = { acceptedAt: AT, acceptedBy: "customer:Ana \u202eRuiz" };
    const approved: PublicBudgetView = { ...view, status: "APPROVED", availableActions: [], approval: accepted };
    const page = pageOf(approved, "he");
    expect(page).toContain('<html lang="he" dir="rtl">');
    expect(page).toContain("\u2068Ana Ruiz\u2069");
    expect(pageOf(approved, "en")).not.toContain("\u202e");
  });

  it("writes the page in the language of the link, else of the browser, else of the business", () => {
    const own = { ...view, business: { ...view.business, locale: "pt-BR" } };
    expect(pageOf(own, "es", "en")).toContain("<h1>Presupuesto 42</h1>");
    expect(pageOf(own, "sv", "da, en;q=0.5, es;q=0.8")).toContain("<h1>Presupuesto 42</h1>");
    expect(pageOf(own, null, "sv")).toContain("<h1>Orçamento 42</h1>");
    expect(pageOf(own, null, "ja")).toContain("<h1>見積書 42</h1>");
    expect(pageOf(own, null, "es;q=0")).toContain("<h1>Orçamento 42</h1>");
    expect(pageOf(view, null, null)).toContain("<h1>Quote 42</h1>");
    expect(pageOf(own, "es")).toContain('action="/shop/v1/p/token/accept?lang=es"');
  });

  it("reads an Accept-Language with many languages in one pass, since anyone with a link may send one", () => {
    const accepted = `${"en;q=0.5,".repeat(200)}es;q=0,pt`;
    const split = vi.spyOn(String.prototype, "split");
    const page = pageOf(view, null, accepted);
    const characters = split.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
    split.mockRestore();
    expect(page).toContain('<html lang="pt" ');
    expect(characters).toBeLessThan(10 * accepted.length);
  });

  it("writes amounts and dates like the business if the page is in its language", () => {
    const own = { ...view, currency: "ARS", business: { ...view.business, locale: "es-AR" } };
    expect(pageOf(own, "es")).toContain("ARS 1.089,00");
    expect(pageOf(own, "es")).toContain(
      '<strong>1 de abril de 2026</strong> <span class="nowrap">(dentro de 12 días)</span>',
    );
    expect(pageOf(own, "en")).toContain("ARS 1,089.00");
  });

  it("writes amounts and dates as in the region of the reader, if their browser names one", () => {
    const own = { ...view, business: { ...view.business, locale: "en-US" } };
    expect(pageOf(own, null, "en-GB,en;q=0.8")).toContain(
      '<strong>1 April 2026</strong> <span class="nowrap">(in 12 days)</span>',
    );
    expect(pageOf(own, null, "en")).toContain(
      '<strong>April 1, 2026</strong> <span class="nowrap">(in 12 days)</span>',
    );
    expect(pageOf(own, null, "de-AT")).toContain("1. April 2026");
    expect(pageOf(own, null, "en-GB")).toContain('name="language" value="en-GB"');
  });

  it("the page of a budget contains the two styles that its policy allows, and no others", () => {
    const pages: readonly HtmlPage[] = [
      messagePage("Not found", "No."),
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

  it.each(PAGE_LANGUAGES)("the page labels each field and names its language: %s", (language) => {
    const page = pageOf(view, language);
    expect(page).toContain(`<html lang="${language}" dir=`);
    for (const [, id = ""] of page.matchAll(/<(?:input|textarea) id="([\w-]+)"/g)) {
      expect(page).toContain(`<label for="${id}">`);
    }
  });

  it("the page of a budget weighs less than 30 kB with 20 items", () => {
    const [item] = view.items;
    if (item === undefined) throw new Error("no item");
    expect(pageOf({ ...view, items: Array.from({ length: 20 }, () => item) }).length).toBeLessThan(30_000);
  });

  it("the page weighs less than 30 kB with a logo, files, sections, a change request and a long signature", () => {
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
