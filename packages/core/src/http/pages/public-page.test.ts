import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PublicBudgetView } from "../../budgets/sharing/public-link.js";
import { html, PAGE_HEADERS } from "./html.js";
import { budgetPage, messagePage } from "./public-page.js";

const view: PublicBudgetView = {
  id: "42",
  version: 3,
  status: "PENDING",
  currency: "USD",
  subtotal: 1_000,
  discount: 100,
  tax: 189,
  total: 1_089,
  notes: null,
  validUntil: "2026-04-01T23:59:59.999Z",
  issueDate: "2026-03-01T00:00:00.000Z",
  minimumPaymentToConfirm: null,
  paid: 0,
  dueToConfirm: null,
  acceptance: null,
  business: { name: null },
  customer: { name: null },
  items: [{ description: "Oak table", quantity: 2.5, unitPrice: 0.123456, total: 1_000 }],
  availableActions: ["accept", "decline"],
  publicUrl: "https://quotes.example/shop/v1/p/token",
};
const MARKUP = `"><img src=x onerror=alert(1)>'&`;

describe("html", () => {
  it("escapes text in every position, and leaves markup unchanged", () => {
    expect(html`<p title="${MARKUP}">${[html`<b>${MARKUP}</b>`]}${null}${5}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;"><b>&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;</b>5</p>',
    );
  });
});

describe("the page of a budget", () => {
  it("escapes every text of the budget", () => {
    const page = budgetPage({
      ...view,
      notes: MARKUP,
      business: { name: MARKUP },
      customer: { name: MARKUP },
      items: [{ description: MARKUP, quantity: 1, unitPrice: 1, total: 1 }],
    });
    expect(page).not.toContain("<img");
    expect(page.match(/&lt;img/g)).toHaveLength(4);
  });

  it("writes amounts with their currency and dates in UTC", () => {
    const page = budgetPage(view).replaceAll("\u00a0", " ");
    expect(page).toContain("USD 1,089.00");
    expect(page).toContain("-USD 100.00");
    expect(page).toContain("USD 0.123456");
    expect(page).toContain("April 1, 2026 (UTC)");
    expect(budgetPage({ ...view, currency: "JPY" }).replaceAll("\u00a0", " ")).toContain("JPY 1,089<");
  });

  it("has forms that post below the path of the link and contain the version", () => {
    const page = budgetPage(view);
    expect(page).toContain('action="/shop/v1/p/token/accept"');
    expect(page).toContain('action="/shop/v1/p/token/decline"');
    expect(page.match(/name="version" value="3"/g)).toHaveLength(2);
    expect(budgetPage({ ...view, status: "APPROVED", availableActions: [] })).not.toContain("<form");
  });

  it("omits empty fields", () => {
    const page = budgetPage({ ...view, discount: 0, validUntil: null });
    for (const words of ["Discount", "Valid until", "Notes", "pay at least", "Paid", "acceptance", "For<"])
      expect(page).not.toContain(words);
    expect(budgetPage({ ...view, minimumPaymentToConfirm: 50 })).toContain("pay at least");
  });

  it("shows an acceptance that waits for a payment, and offers only to decline", () => {
    const acceptance = { acceptedAt: "2026-03-02T12:00:00.000Z", acceptedBy: "customer:Ana" };
    const waiting = { ...view, minimumPaymentToConfirm: 150, paid: 50, dueToConfirm: 100, acceptance };
    const page = budgetPage({ ...waiting, availableActions: ["decline"] }).replaceAll("\u00a0", " ");
    expect(page).toContain("Accepted, waiting for your payment");
    expect(page).toContain("Your acceptance of March 2, 2026 (UTC) was recorded.");
    expect(page).toContain("confirmed once another USD 100.00 has been paid");
    expect(page).toContain("<dt>Paid so far</dt><dd>USD 50.00</dd>");
    expect(page).not.toContain("/accept");
    expect(page).toContain("/decline");
    expect(page).not.toContain("Ana");
  });

  it("contains the one style that its policy allows", () => {
    const style = /<style>([\s\S]*)<\/style>/.exec(messagePage("Not found", "No.", null))?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(PAGE_HEADERS["content-security-policy"]).toContain(`style-src 'sha256-${hash}'`);
  });

  it("labels each field and names its language", () => {
    const page = budgetPage(view);
    expect(page).toContain('<html lang="en">');
    for (const [, id = ""] of page.matchAll(/<(?:input|textarea) id="([\w-]+)"/g)) {
      expect(page).toContain(`<label for="${id}">`);
    }
  });
});
