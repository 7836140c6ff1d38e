import { type CreateBudget, createBudgetService, type MailMessage } from "@budgetkit/core";
import { pdfDocuments } from "@budgetkit/pdf";
import { manualClock, memoryBlobStore, memoryStore } from "@budgetkit/testing";
import { onTestFinished } from "vitest";
import { listen, listeners } from "../hosts/http-hosts.js";

export const PROFILE = {
  name: "Carpintería Norte",
  legalName: "Carpintería Norte S.R.L.",
  taxId: "30-71234567-1",
  address: "Av. Belgrano 1200\nSalta, Argentina",
  email: "ventas@norte.example",
  phone: "+54 387 555 0101",
  website: "https://norte.example",
  accentColor: "#b3541e",
  timeZone: "America/Argentina/Salta",
  locale: "es-AR",
  terms: "Delivery within three weeks of the deposit. The wood is guaranteed for two years.",
  paymentInstructions: "By transfer to the account 0001-2345, with the number of this quote.",
  footer: "Carpintería Norte, Salta",
} as const;
export const ITEMS = [
  { description: "Oak table\nSolid oak, oiled, 200 × 90 cm", quantity: 1, unitPrice: 185_000 },
  { description: "Chair", quantity: 6, unitPrice: 32_500.5 },
  { description: "Delivery and assembly", quantity: 1, unitPrice: 12_000 },
];

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" rx="6" fill="#b3541e"/><path d="M14 30L28 10L42 30Z" fill="#fff"/></svg>`;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

type Content = Omit<CreateBudget, "customerId">;

/** A budget behind a link, of a service that collects its mails. */
export async function offer(items: CreateBudget["items"] = ITEMS) {
  return offerOf({ taxRate: 0.21, items: [...items], discountAmount: 5_000 });
}

/** The same of any content. */
export async function offerOf(own: Partial<Content> & Pick<Content, "items">) {
  const clock = manualClock("2026-03-02T15:00:00Z");
  const mails: MailMessage[] = [];
  const service = createBudgetService({
    store: memoryStore(),
    blobs: memoryBlobStore(),
    clock,
    secret: "a secret that is long enough for it",
    publicBaseUrl: "https://quotes.norte.example/v1",
    mailer: { send: async () => {}, sendMessage: async (mail) => void mails.push(mail) },
    pdf: pdfDocuments(),
  });
  const host = await listen(listeners.Hono(service));
  onTestFinished(async () => {
    await host.close();
    await service.stop();
  });
  const business = (await service.businesses.create({ name: "N" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  (await service.businesses.update(actor, PROFILE))._unsafeUnwrap();
  (await service.businesses.setLogo(actor, Buffer.from(LOGO)))._unsafeUnwrap();
  (await service.customers.create(actor, { id: "ana", name: "Ana Ruiz", email: "ana@example.com" }))._unsafeUnwrap();
  const content = { customerId: "ana", currency: "ARS", validUntil: "2026-03-31" };
  const notes = "We measured on 27 February; the table fits through the door.";
  const budget = (await service.budgets.create(actor, { ...content, notes, ...own }))._unsafeUnwrap();
  const file = {
    fileName: "plan of the room.pdf",
    contentType: "application/pdf",
    content: bytesOf("abc".repeat(50_000)),
  };
  (await service.attachments.add(actor, budget.id, file, { shared: true }))._unsafeUnwrap();
  const { publicToken } = (await service.budgets.createPublicLink(actor, budget.id))._unsafeUnwrap();
  const origin = `http://127.0.0.1:${host.port}/v1`;
  return { service, actor, clock, mails, budget, origin, url: `${origin}/p/${publicToken}` };
}
