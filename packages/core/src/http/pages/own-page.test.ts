import { describe, expect, it } from "vitest";
import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { sellerViewOf } from "../../budgets/offer/seller-view.js";
import { publicPage } from "./own-page.js";
import { checkedPublicPage, type PublicPageOptions } from "./page-options.js";

const view: PublicBudgetView = {
  id: "42",
  version: 1,
  revision: 1,
  hash: "",
  status: "PENDING",
  currency: "USD",
  subtotal: 1,
  discount: 0,
  tax: 0,
  taxRate: null,
  total: 1,
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
  availableActions: ["accept", "decline", "requestChange"],
  publicUrl: "https://quotes.example/v1/p/token",
};

const pageWith = (options: PublicPageOptions, asked: string | null = null) =>
  publicPage(view, { asked, accepted: null }, 0, { channel: "mail" }, checkedPublicPage(options));

describe("a page that the host has changed", () => {
  it("the customer's page uses the host's words in their language, and its own for the rest", async () => {
    const words = { en: { budget: "Offer", acceptQuote: "Take it" } };
    const { markup } = await pageWith({ words });
    expect(markup).toContain("<h1>Offer 42</h1>");
    expect(markup).toContain(">Take it</a>");
    expect(markup).toContain("Ask for a change");
    expect((await pageWith({ words }, "es")).markup).toContain("<h1>Presupuesto 42</h1>");
  });

  it("the customer's page uses the host's style, which its policy allows", async () => {
    const { markup, headers } = await pageWith({
      style: { font: "Georgia, serif", radius: "0px", accentColor: "#ff0000" },
    });
    expect(markup).toContain(":root{--font:Georgia, serif;--radius:0px}");
    expect(headers["content-security-policy"]).toMatch(/style-src 'sha256-[^']+' 'sha256-[^']+'/);
  });

  it.each([
    { font: "x;} body{display:none" },
    { font: "</style><script>" },
    { radius: "1px;--a:b" },
    { width: "calc(1px)" },
    { accentColor: "red" },
  ])("refuses a style that could leave its place: %j", (style) => {
    expect(() => checkedPublicPage({ style })).toThrow(RangeError);
  });

  it("serves the host's own page, with the headers of the service or the host's policy", async () => {
    const plain = await pageWith({ renderPublicBudget: ({ id }, { seenPath }) => `<p>${id} ${seenPath}` });
    expect(plain.markup).toBe("<p>42 /v1/p/token/seen.svg?c=mail");
    expect(plain.headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" });
    expect(plain.headers["content-security-policy"]).toContain("default-src 'none'");
    const contentSecurityPolicy = "default-src 'self'";
    const own = await pageWith({ renderPublicBudget: async () => ({ html: "<p>", contentSecurityPolicy }) });
    expect(own.headers).toMatchObject({
      "content-security-policy": contentSecurityPolicy,
      "cache-control": "no-store",
    });
  });

  it("serves the page of the service where renderPublicBudget returns null", async () => {
    expect((await pageWith({ renderPublicBudget: () => null })).markup).toContain("<h1>Quote 42</h1>");
  });
});
