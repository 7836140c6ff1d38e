import { aMail } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { mailViewSchema } from "../../budgets/mail.js";
import type { MailText } from "../../budgets/mailing/attempt-mail.js";
import type { MailFacts } from "../../budgets/mailing/mail-facts.js";
import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { type SellerView, sellerViewOf } from "../../budgets/offer/seller-view.js";
import { budgetMail } from "./budget-mail.js";
import { budgetPage } from "./budget-page.js";

const CODE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg/onload=alert(1)//",
  "<iframe src=javascript:alert(1)>",
  "<details open ontoggle=alert(1)>",
  "<input autofocus onfocus=alert(1)>",
  "<style>@import url(//evil.example)</style>",
  "<base href=//evil.example/>",
  "<meta http-equiv=refresh content=0;//evil.example>",
  "<form action=//evil.example><button>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  " onmouseover=alert(1) x=",
  "<!--><script>alert(1)</script>-->",
  "]]><script>alert(1)</script>",
];
/** What may end the place of a text: an element, an attribute in either quote, a raw text. */
const ENDS = ["", '">', "'>", "</title></textarea></style></svg>"];
const PAYLOADS = ENDS.flatMap((end) => CODE.map((code) => `${end}${code}`));

/** A page with the text in every place that anyone may fill. */
function pageWith(text: string, acceptedBy: string | null): string {
  return budgetPage(viewWith(text, acceptedBy), { asked: text, accepted: text }, 0, { channel: text }).markup;
}

function viewWith(text: string, acceptedBy: string | null): PublicBudgetView {
  const acceptance = acceptedBy === null ? null : { acceptedAt: "2026-03-01T00:00:00.000Z", acceptedBy };
  const seller = sellerViewOf(null);
  const own = [
    "name",
    "legalName",
    "taxId",
    "address",
    "email",
    "phone",
    "website",
    "terms",
    "paymentInstructions",
    "footer",
  ];
  const tiers = [
    { from: 0, unitPrice: 1 },
    { from: 3, unitPrice: 0.5 },
  ];
  const ranged = { unit: text, quantityRange: { minimum: 1, maximum: 4, step: 1 }, priceTiers: tiers };
  const yearly = { interval: "year", intervalCount: 1, cycles: 3 } as const;
  return {
    id: text,
    number: text,
    version: 1,
    revision: 1,
    hash: text,
    status: "PENDING",
    currency: "USD",
    subtotal: 2,
    discount: 0,
    tax: 0.2,
    taxRate: null,
    total: 2.2,
    notes: text,
    validUntil: null,
    issueDate: "2026-03-01T00:00:00.000Z",
    minimumPaymentToConfirm: null,
    paid: 0,
    dueToConfirm: null,
    acceptance,
    approval: null,
    business: {
      ...seller,
      ...Object.fromEntries(own.map((field) => [field, text])),
      logo: { contentType: "image/png", size: 1, sha256: "ab" },
    },
    customer: { name: text },
    items: [
      { description: text, quantity: 1, unit: text, unitPrice: 1, total: 1 },
      { kind: "heading", description: text },
      { kind: "text", description: text },
      { kind: "subtotal", description: text, total: 1 },
      { kind: "choice", key: text, description: text, minimum: 0, maximum: 1 },
      { id: text, description: text, quantity: 2, unitPrice: 1, total: 0, choice: text, selected: false, ...ranged },
      { id: "9", description: text, quantity: 2, unitPrice: 1, total: 0, optional: true, selected: false, ...ranged },
      { description: text, quantity: 1, unitPrice: 1, total: 1, recurring: yearly },
    ],
    taxes: [
      { id: "a", name: text, rate: 0.1, kind: "tax", inclusive: false, on: [], base: 2, amount: 0.2 },
      { id: "b", name: text, rate: 0.1, kind: "withholding", inclusive: false, on: [], base: 2, amount: 0.2 },
    ],
    withheld: 0.2,
    payable: 2,
    recurring: [{ ...yearly, subtotal: 1, tax: 0.1, total: 1.1 }],
    availableActions: ["accept", "decline", "requestChange"],
    changeRequest: { message: text, requestedBy: text, requestedAt: "2026-03-01T00:00:00.000Z" },
    attachments: [{ id: "7", fileName: text, contentType: text, size: 1, sha256: text }],
    signature: text,
    publicUrl: "https://quotes.example/v1/p/token",
  };
}

/** The mails of every kind with the text in every place that anyone may fill. */
function mailsWith(text: string): readonly MailText[] {
  const own = ["name", "legalName", "taxId", "address", "email", "phone"].map((field) => [field, text]);
  const business: SellerView = { ...sellerViewOf(null), ...Object.fromEntries(own) };
  return mailViewSchema.shape.kind.options.map((kind) => {
    const isToSeller = kind.startsWith("seller.");
    const facts: MailFacts = {
      mail: aMail({ kind, message: text, lang: "en" }),
      business,
      view: kind === "seller.endpointDisabled" ? null : { ...viewWith(text, null), business, number: text },
      publicUrl: isToSeller ? null : "https://quotes.example/v1/p/token",
      unsubscribeUrl: kind === "reminder" ? "https://quotes.example/v1/p/token/unsubscribe" : null,
      message: text,
      customer: isToSeller ? { name: text, email: text } : null,
    };
    return budgetMail(facts, [{ fileName: text, contentType: "application/pdf", content: new Uint8Array(1) }], 0);
  });
}

/** The markup without its texts: what a browser makes elements and attributes of. */
function skeletonOf(page: string): string[] {
  return (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));
}

describe("texts on the customer's page", () => {
  it(`never turns text on the customer's page into markup: ${PAYLOADS.length} attempts in every place`, () => {
    const plain = skeletonOf(pageWith("x", "customer:x"));
    const open = skeletonOf(pageWith("x", null));
    for (const payload of PAYLOADS) {
      expect(skeletonOf(pageWith(payload, `customer:${payload}`)), payload).toEqual(plain);
      expect(skeletonOf(pageWith(payload, null)), payload).toEqual(open);
    }
    expect(PAYLOADS).toHaveLength(60);
    expect(pageWith("x", null)).toContain('<script type="application/json" id="offer">');
  });

  it("never reverses the amount of the consent or of a preview by a mark of direction in a name", () => {
    const view = viewWith("\u202enorte", null);
    const linkPreview = { showsName: true, showsTotal: true };
    const page = budgetPage(
      { ...view, business: { ...view.business, linkPreview } },
      { asked: "en", accepted: null },
      0,
    );
    const [consent = ""] = /<p class="quiet consent">.*<\/p>/.exec(page.markup) ?? [];
    expect(consent).toContain("I accept quote norte of norte for USD");
    const [head = ""] = page.markup.split("</head>");
    expect(head).toContain("Quote norte · norte · For norte · USD");
    expect(head).not.toContain("\u202e");
  });
});

describe("texts in mails", () => {
  it(`never turns text in a mail into markup or another header: ${PAYLOADS.length} attempts in every place`, () => {
    const plain = mailsWith("x").map(({ html }) => skeletonOf(html));
    for (const payload of PAYLOADS) {
      const mails = mailsWith(`${payload}\r\nBcc: eve@evil.example`);
      expect(
        mails.map(({ html }) => skeletonOf(html)),
        payload,
      ).toEqual(plain);
      for (const { subject } of mails) expect(subject).toMatch(/^[^\p{Cc}\u2028\u2029]{1,200}$/u);
    }
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(40);
  });
});
