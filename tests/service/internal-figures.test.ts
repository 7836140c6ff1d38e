import { type CreateBudget, createBudgetService, type MailMessage } from "@budgetkit/core";
import { pdfDocuments } from "@budgetkit/pdf";
import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPdf } from "../../packages/pdf/src/testing/read-pdf.js";

/** 2 × 7,313.37 cost 14,626.74; of 2 × 10,007.11 that leaves 5,387.48. Then 6,211.91 a unit: 12,423.82 and 7,590.40. */
const NUMBERS = ["731337", "1462674", "538748", "621191", "1242382", "759040"];
const WORDS = ["unitcost", "cost", "margin"];
const LATHE = { description: "Lathe", quantity: 2, unitPrice: 10_007.11, unitCost: 7_313.37 };
const BENCH = { description: "Bench", quantity: 1, unitPrice: 120, optional: true };
const OWNER = { email: "olga@example.com", password: "correct horse battery" };
const HTML = { accept: "text/html" };

async function world() {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  /** Everything that left the service for others, by where it was seen. */
  const seen: [place: string, text: string][] = [];
  const service = createBudgetService({
    store: memoryStore(),
    clock,
    random: seededRandom(5),
    secret: "a secret for tests that is long enough",
    publicBaseUrl: "https://quotes.example",
    pdf: pdfDocuments(),
    mailer: {
      send: async () => {},
      sendMessage: async (mail: MailMessage) => void see("mail", Object.values(mail).join("\n")),
    },
    webhooks: {
      sender: {
        send: async (call) => {
          see("callback", call);
          return { kind: "answered", responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 5 };
        },
      },
    },
  });
  onTestFinished(() => service.stop());
  const see = (place: string, value: unknown) => {
    seen.push([place, typeof value === "string" ? value : JSON.stringify(value)]);
  };
  const { id: businessId } = (await service.businesses.create({ name: "Carpintería Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  (await service.businesses.update(actor, { email: "norte@example.com", numberPattern: "Q-{seq:4}" }))._unsafeUnwrap();
  const ana = { id: "ana", name: "Ana Ruiz", email: "ana@example.com" };
  (await service.customers.create(actor, ana))._unsafeUnwrap();
  const endpoint = (await service.webhooks.create(actor, { url: "https://crm.example/hooks" }))._unsafeUnwrap();
  service.on("*", (event) => see("event in process", event));
  const fetched = async (path: string, init: RequestInit = {}) => {
    const response = await service.fetch(new Request(`https://quotes.example${path}`, init));
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, bytes, text: new TextDecoder().decode(bytes) };
  };
  const offer = async (more: Pick<CreateBudget, "deposit"> = {}) => {
    const content = { customerId: "ana", items: [LATHE, BENCH], ...more };
    const { id } = (await service.budgets.create(actor, content))._unsafeUnwrap();
    const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    return { id, token: publicToken };
  };
  return { service, clock, actor, businessId, endpoint, seen, see, fetched, offer };
}
type World = Awaited<ReturnType<typeof world>>;

const get = async ({ service, actor }: World, id: string) => (await service.budgets.get(actor, id))._unsafeUnwrap();
const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Looks at each page, file and form of the link. */
async function look({ see, fetched }: World, token: string, itemId: string): Promise<void> {
  const selection = [{ itemId, selected: true }];
  const form = { method: "POST", headers: { ...HTML, "content-type": "application/x-www-form-urlencoded" } };
  const open = async (place: string, path: string, init?: RequestInit, status = 200) => {
    const answer = await fetched(path, init);
    expect([place, answer.status]).toEqual([place, status]);
    see(place, answer.text);
  };
  await open("link", `/p/${token}`);
  await open("page", `/p/${token}`, { headers: HTML });
  await open("page in Spanish", `/p/${token}?lang=es`, { headers: HTML });
  await open("preview", `/p/${token}/preview`, json({ selection }));
  const chosen = `offered.${itemId}=1&selected.${itemId}=1`;
  await open("page of the preview", `/p/${token}/preview`, { ...form, body: chosen });
  await open("refused preview", `/p/${token}/preview`, json({ selection: [{ itemId, quantity: 7 }] }), 422);
  await open("conversation", `/p/${token}/messages`);
  await seePdf("PDF of the link", `/p/${token}.pdf`, { see, fetched });
}

async function seePdf(
  place: string,
  path: string,
  { see, fetched }: Pick<World, "see" | "fetched">,
  init?: RequestInit,
) {
  const pdf = await fetched(path, init);
  expect([place, pdf.status]).toEqual([place, 200]);
  const { pages, info, urls } = await readPdf(pdf.bytes);
  expect(pages.join(" ")).toContain("Lathe");
  see(place, JSON.stringify([pages, info, urls]));
}

/** What may be read by others: without the styles of a page, which have margins. */
function readable(text: string): string {
  return text
    .replace(/<style[^>]*>[\s\S]*?<\/style>/g, "")
    .replace(/\sstyle="[^"]*"/g, "")
    .toLowerCase();
}

/** Where an internal figure or its name stands. */
function leaks(seen: World["seen"]): string[] {
  return seen.flatMap(([place, text]) => {
    const digits = text.replace(/[.,'’\s\u00a0\u202f]/g, "");
    const words = readable(text);
    return [
      ...NUMBERS.filter((number) => digits.includes(number)),
      ...WORDS.filter((word) => new RegExp(`\\b${word}\\b`).test(words)),
    ].map((found) => `${place}: ${found}`);
  });
}

/** The whole life of an offer with a cost: sent, seen, changed, discussed, accepted, paid, answered to subscribers. */
async function livedThrough(there: World) {
  const { service, actor, clock, endpoint, see, fetched, businessId } = there;
  const { id, token } = await there.offer();
  const offer = await get(there, id);
  const [lathe, bench] = offer.items.map((item) => item.id);
  (await service.budgets.send(actor, id, { to: "ana@example.com", message: "As discussed." }))._unsafeUnwrap();
  await look(there, token, bench ?? "");
  const asked = { version: (await get(there, id)).version, name: "Ana", message: "In oak?" };
  (await service.budgets.requestChange(token, asked))._unsafeUnwrap();
  see("change requests", await service.budgets.listChangeRequests(actor, id));
  const items = [{ id: lathe, unitCost: 6_211.91, description: "Lathe, oak" }, { id: bench }];
  (await service.budgets.update(actor, id, { items, discountAmount: 0 }))._unsafeUnwrap();
  (
    await service.budgets.update(actor, id, { items: [{ id: lathe, unitCost: 7_313.37 }, { id: bench }] })
  )._unsafeUnwrap();
  (await service.budgets.sendMessage(actor, id, { message: "Yes, it is oak." }))._unsafeUnwrap();
  see("difference", await service.budgets.compareRevisions(actor, id, 2, { from: 1 }));
  await look(there, token, bench ?? "");
  const { version } = await get(there, id);
  const accepted = json({ version, name: "Ana", selection: [{ itemId: bench, selected: true }] });
  see("acceptance", (await fetched(`/p/${token}/accept`, accepted)).text);
  see(
    "evidence",
    Buffer.from(JSON.parse((await fetched(`/p/${token}/evidence.json`)).text).payload, "base64url").toString(),
  );
  (await service.budgets.recordPayment(actor, id, { amount: 100, reference: "1" }))._unsafeUnwrap();
  (await service.budgets.delete(actor, (await there.offer()).id))._unsafeUnwrap();
  await service.tick();
  await service.webhooks.tick();
  (await service.webhooks.replay(actor, endpoint.id, { fromSequence: 1 }))._unsafeUnwrap();
  clock.advance(60_000);
  await service.tick();
  await service.webhooks.tick();
  (await service.users.create({ ...OWNER, businessId, displayName: "Olga", role: "OWNER" }))._unsafeUnwrap();
  const { access_token } = (await service.sessions.login(OWNER))._unsafeUnwrap();
  const headers = { authorization: `Bearer ${access_token}` };
  see("events", (await fetched("/api/developer/events?limit=100", { headers })).text);
  await seePdf("PDF of the business", `/api/public/budgets/${id}/pdf`, there, { headers });
  return { id, token };
}

describe("What a budget costs the business", () => {
  it("the cost of a unit and the margin stay out of links, PDFs, mails, evidence, callbacks and events", async () => {
    const there = await world();
    const { id } = await livedThrough(there);
    expect(await get(there, id)).toMatchObject({ cost: 14_626.74, items: [{ unitCost: 7_313.37 }, {}] });
    const places = new Map(there.seen.map(([place]) => [place, there.seen.filter(([each]) => each === place).length]));
    expect([...places.keys()].sort()).toEqual([
      "PDF of the business",
      "PDF of the link",
      "acceptance",
      "callback",
      "change requests",
      "conversation",
      "difference",
      "event in process",
      "events",
      "evidence",
      "link",
      "mail",
      "page",
      "page in Spanish",
      "page of the preview",
      "preview",
      "refused preview",
    ]);
    for (const place of ["callback", "mail", "event in process"]) expect(places.get(place)).toBeGreaterThan(1);
    expect(there.seen.filter(([place, text]) => place === "events" && text.includes("internalFigures"))).toHaveLength(
      1,
    );
    expect(leaks(there.seen)).toEqual([]);
  });

  it("a look for the cost and the margin finds them in what the business reads", async () => {
    const there = await world();
    const { id } = await there.offer();
    there.see("budget", await get(there, id));
    expect(leaks(there.seen)).toEqual(
      expect.arrayContaining(
        ["731337", "1462674", "538748", "cost", "margin", "unitcost"].map((each) => `budget: ${each}`),
      ),
    );
  });

  it("a change of the cost alone is a new version of the same offer, and an acceptance keeps waiting", async () => {
    const there = await world();
    const { service, actor } = there;
    const { id, token } = await there.offer({ deposit: { rate: 0.3 } });
    const { version } = await get(there, id);
    (await service.budgets.answerPublicLink(token, "accept", { version, name: "Ana" }))._unsafeUnwrap();
    const before = await get(there, id);
    const shown = (await service.budgets.openPublicLink(token))._unsafeUnwrap();
    const [lathe, bench] = before.items.map((item) => item.id);
    const items = [{ id: lathe, unitCost: 6_211.91 }, { id: bench }];
    (await service.budgets.update(actor, id, { items }))._unsafeUnwrap();
    const after = await get(there, id);
    const { version: _v, updatedAt, cost, margin, items: _i, ...same } = before;
    expect(after).toMatchObject({ ...same, version: before.version + 1, cost: 12_423.82, margin: 7_590.4 });
    expect(after.acceptance).not.toBeNull();
    expect((await service.budgets.openPublicLink(token))._unsafeUnwrap().hash).toBe(shown.hash);
    const { data } = (await service.events.list(actor, { limit: 1 }))._unsafeUnwrap();
    expect(data[0]).toMatchObject({ event: "budget.updated", data: { fields: ["internalFigures"], changes: [] } });
    (await service.budgets.recordPayment(actor, id, { amount: 6_004.27, reference: "deposit" }))._unsafeUnwrap();
    expect((await get(there, id)).status).toBe("APPROVED");
  });
});
