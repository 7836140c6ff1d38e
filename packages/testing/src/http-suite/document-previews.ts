import assert from "node:assert/strict";
import type { MailMessage } from "@budgetkit/core";
import { type HttpCases, withOptions } from "./cases.js";
import type { Client, Reply } from "./client.js";
import {
  aBudgetBody,
  assertInvalid,
  assertRule,
  assertStatus,
  BUDGETS,
  createBudget,
  HTML,
  linked,
} from "./samples.js";

const PREVIEW = `${BUDGETS}/preview/document`;

/** Lines that the customer sets, with what they cost the business. */
const CONFIGURED = aBudgetBody({
  items: [
    { kind: "heading", description: "Kitchen" },
    { kind: "choice", key: "top", description: "Worktop" },
    { description: "Oak", quantity: 1, unitPrice: 780, choice: "top", selected: true, unitCost: 612.34 },
    { description: "Granite", quantity: 1, unitPrice: 1_420, choice: "top", unitCost: 612.34 },
    { description: "Island", quantity: 1, unitPrice: 2_300, optional: true },
    {
      description: "Tiles",
      quantity: 20,
      unit: "m²",
      unitPrice: 64,
      quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
      priceTiers: [{ from: 40, unitPrice: 55 }],
    },
    { kind: "subtotal", description: "All of it" },
  ],
  deposit: { rate: 0.3 },
  notes: "Delivery in two weeks",
  validUntil: "2026-03-20",
  metadata: { internal: "not for customers" },
});

/** What a budget is called that has neither id nor number yet. */
const UNNUMBERED = /(quote|presupuesto|orçamento) 0\b/gi;

/** What a reader sees of a document, without what differs between two budgets: the id. */
function textsOf(markup: string, id: string): string {
  return markup
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll(id, "ID")
    .replace(/\s+/g, " ");
}

async function pageOf(client: Client, link: string, language: string): Promise<string> {
  return assertStatus(await client.get(`${link}?lang=${language}`, HTML), 200).body;
}

function assertInert({ body, headers }: Reply): void {
  assert.equal(headers["content-type"], "text/html; charset=utf-8");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.match(headers["cache-control"] ?? "", /no-store/);
  assert.match(headers["content-security-policy"] ?? "", /^sandbox; default-src 'none'; .*frame-ancestors 'none'$/);
  assert.doesNotMatch(body, /<script|\sstyle=|\son\w+=|<link/);
  for (const [, address] of body.matchAll(/\ssrc="([^"]*)"/g)) assert.match(address ?? "", /^data:image\//);
}

export function documentPreviewCases(cases: HttpCases): void {
  newCases(cases);
  continuedCases(cases);
  refusalCases(cases);
  mailCases(cases);
}

function newCases({ it }: HttpCases): void {
  it("a preview of the page has the texts and figures that the link shows after the creation, in three languages", async (world) => {
    const { full, anonymous } = world;
    const { id, link } = await linked(full, CONFIGURED);
    for (const language of ["en", "es", "pt"]) {
      const shown = assertStatus(await full.post(`${PREVIEW}?language=${language}`, CONFIGURED), 200);
      assertInert(shown);
      const page = await pageOf(anonymous, link, language);
      assert.equal(textsOf(shown.body.replace(UNNUMBERED, "$1 ID"), id), textsOf(page, id));
      assert.ok(shown.body.includes(`<html lang="${language}"`));
      assert.match(shown.body, /<form[^>]*action="\/v1\/p\/preview\/accept/);
    }
    assertStatus(await anonymous.get("/p/preview", HTML), 404);
  });

  it("a preview of the PDF is the document of the link", async ({ full, anonymous }) => {
    const { id, link } = await linked(full, CONFIGURED);
    const shown = assertStatus(await full.post(`${PREVIEW}?as=pdf&language=es`, CONFIGURED), 200);
    assert.equal(shown.headers["content-type"], "application/pdf");
    assert.match(shown.headers["content-disposition"] ?? "", /^inline; filename="Presupuesto-0\.pdf"$/);
    const documentOf = ({ body }: Reply) => JSON.parse(body.slice(body.indexOf("{")));
    const linkedPdf = assertStatus(await anonymous.get(`${link}.pdf?lang=es`), 200);
    const real = documentOf(linkedPdf);
    assert.deepEqual(documentOf(shown), {
      ...real,
      title: real.title.replace(id, "0"),
      link: "https://quotes.example/v1/p/preview",
      changedAt: "2026-03-02T00:00:00.000Z",
    });
  });

  it("a preview stores nothing, uses no id and makes no event", async ({ full, owner }) => {
    assertStatus(await owner.get("/api/developer/events"), 200); // makes the owner, who needs ids
    const first = Number(await createBudget(full));
    const second = Number(await createBudget(full));
    const events = (await owner.get("/api/developer/events")).at("pagination.total");
    const customer = { name: "Nora Paz" };
    const body = { ...CONFIGURED, customerId: undefined, customer };
    const shown = assertStatus(await owner.post(PREVIEW, body), 200);
    assert.ok(shown.body.includes("Nora Paz"));
    assertStatus(await owner.post(`${PREVIEW}?as=pdf`, body), 200);
    assert.equal((await owner.get("/api/developer/events")).at("pagination.total"), events);
    assert.equal((await owner.get("/api/public/customers")).at("pagination.total"), 0);
    assert.equal(Number(await createBudget(full)) - second, second - first);
  });

  it("a preview in any form hides what the budget costs its business", async ({ full }) => {
    for (const as of ["page", "mail", "pdf"]) {
      const { body } = assertStatus(await full.post(`${PREVIEW}?as=${as}`, CONFIGURED), 200);
      assert.doesNotMatch(body, /612[.,]34|unitCost|"margin|not for customers/i);
    }
  });

  it("a preview shows hostile texts as texts", async ({ full }) => {
    const hostile = '"><img src=x onerror=alert(1)> style="color:red" </style><script>alert(1)</script>';
    const items = [{ description: hostile, quantity: 1, unitPrice: 1, unit: "<b>" }];
    const body = aBudgetBody({ items, notes: hostile, terms: hostile, message: hostile });
    for (const as of ["page", "mail"]) {
      const shown = assertStatus(await full.post(`${PREVIEW}?as=${as}`, body), 200);
      assertInert({ ...shown, body: shown.body.replaceAll("&quot;&gt;&lt;img src=x onerror=alert(1)&gt; style=", "") });
      assert.ok(shown.body.includes("&lt;script&gt;alert(1)"));
    }
  });

  it("a preview in dark or light does not depend on what the reader prefers", async ({ full }) => {
    for (const as of ["page", "mail"]) {
      const shown = async (appearance: string) =>
        assertStatus(await full.post(`${PREVIEW}?as=${as}&appearance=${appearance}`, aBudgetBody()), 200).body;
      for (const appearance of ["light", "dark"]) {
        const body = await shown(appearance);
        assert.ok(!body.includes("prefers-color-scheme"));
        assert.ok(body.includes(`color-scheme:${appearance}`));
      }
      assert.ok((await shown("dark")).includes("@media all{"));
      assert.ok((await full.post(`${PREVIEW}?as=${as}`, aBudgetBody())).body.includes("prefers-color-scheme"));
    }
  });
}

function continuedCases({ it }: HttpCases): void {
  it("a preview of a sent budget shows what its link shows after the change: number, version and conversation", async (world) => {
    const { full, owner, anonymous } = world;
    assertStatus(
      await owner.put("/api/developer/business", { numberPattern: "Q-{year}-{seq:4}", terms: "30 days" }),
      200,
    );
    const { id, link } = await linked(full);
    assertStatus(await full.post(`${BUDGETS}/${id}/messages`, { message: "Here it is." }), 201);
    assertStatus(await anonymous.post(`${link}/messages`, { name: "Ana", message: "Could it be longer?" }), 201);
    const read = await full.get(`${BUDGETS}/${id}`);
    const lines = [
      { id: read.text("data.items.0.id"), description: "Oak table, 2.40 m", quantity: 2, unitPrice: 180 },
      { id: read.text("data.items.1.id"), description: "Delivery to the door", quantity: 1, unitPrice: 30 },
      { description: "Bench", quantity: 1, unitPrice: 90 },
    ];
    const shown = assertStatus(
      await full.post(`${PREVIEW}?language=en`, { budgetId: id, items: lines, taxRate: 0.21 }),
      200,
    );
    assert.ok(!(await pageOf(anonymous, link, "en")).includes("Bench"));
    assertStatus(await full.put(`${BUDGETS}/${id}`, { items: lines }), 200);
    const page = await pageOf(anonymous, link, "en");
    assert.equal(textsOf(shown.body, id), textsOf(page, id));
    for (const text of ["Q-2026-0001", "Bench", "Could it be longer?", "30 days"]) assert.ok(page.includes(text), text);
  });

  it("a preview shows the business's own budgets alone, and none that is deleted (404)", async (world) => {
    const { full, stranger, otherOwner } = world;
    const id = await createBudget(full);
    for (const client of [stranger, otherOwner]) {
      assertStatus(await client.post(PREVIEW, aBudgetBody({ budgetId: id })), 404);
    }
    assertStatus(await full.delete(`${BUDGETS}/${id}`), 200);
    assertStatus(await full.post(PREVIEW, aBudgetBody({ budgetId: id })), 404);
    assertStatus(await full.post(PREVIEW, aBudgetBody({ budgetId: "999999" })), 404);
  });

  it("a preview of a declined budget asks for the answer again, and leaves the budget as it is", async (world) => {
    const { full } = world;
    const id = await createBudget(full);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { status: "REJECTED" }), 200);
    const { body: before } = await full.get(`${BUDGETS}/${id}`);
    const shown = assertStatus(await full.post(PREVIEW, aBudgetBody({ budgetId: id })), 200);
    assert.match(shown.body, /action="\/v1\/p\/preview\/accept/);
    assert.equal((await full.get(`${BUDGETS}/${id}`)).body, before);
  });
}

function refusalCases(cases: HttpCases): void {
  const { it } = cases;
  it("a preview needs WRITE_BUDGETS, and READ_BUDGETS where it continues a budget (403)", async (world) => {
    const { full, reader, writer, anonymous } = world;
    assertStatus(await anonymous.post(PREVIEW, aBudgetBody()), 401);
    assertStatus(await reader.post(PREVIEW, aBudgetBody()), 403);
    assertStatus(await writer.post(PREVIEW, aBudgetBody()), 200);
    assertStatus(await writer.post(PREVIEW, aBudgetBody({ budgetId: await createBudget(full) })), 403);
  });

  it("a preview refuses what a creation refuses, and an unknown form or language", async ({ full }) => {
    assertInvalid(await full.post(PREVIEW, aBudgetBody({ items: [] })), "items:MIN_LENGTH");
    assertRule(await full.post(PREVIEW, aBudgetBody({ total: 1 })), "TOTALS_MISMATCH");
    const notes = "ö".repeat(2_000);
    const large = { notes, metadata: Object.fromEntries(Array.from({ length: 4 }, (_, key) => [`k${key}`, notes])) };
    const items = Array.from({ length: 500 }, () => ({ description: "\u0001".repeat(60), quantity: 1, unitPrice: 1 }));
    assertRule(await full.post(PREVIEW, aBudgetBody({ ...large, items })), "BUDGET_TOO_LARGE", "items");
    assertInvalid(await full.post(`${PREVIEW}?as=word`, aBudgetBody()), "as:INVALID_VALUE");
    assertInvalid(await full.post(`${PREVIEW}?language=xx`, aBudgetBody()), "language:INVALID_VALUE");
  });

  const { it: withMembers } = withOptions(cases, { service: { memberScopes: ["READ_BUDGETS"] } });
  withMembers("a preview is refused to a MEMBER who may not write budgets (403)", async ({ member, full }) => {
    assertStatus(await member.post(PREVIEW, aBudgetBody()), 403);
    assertStatus(await member.post(PREVIEW, aBudgetBody({ budgetId: await createBudget(full) })), 403);
  });
}

const sent: MailMessage[] = [];

function mailCases(cases: HttpCases): void {
  const mailer = {
    send: async () => {},
    sendMessage: async (mail: MailMessage) => {
      sent.push(mail);
    },
  };
  const { it } = withOptions(cases, { service: { mailer } });
  it("a preview of the mail has the subject and the texts of the mail that is sent", async ({ full, service }) => {
    const { id, link } = await linked(full, CONFIGURED);
    const mail = { message: "As we discussed.\nAna" };
    for (const language of ["en", "es", "pt"]) {
      const path = `${PREVIEW}?as=mail&language=${language}`;
      const shown = assertStatus(await full.post(path, { ...CONFIGURED, ...mail, budgetId: id }), 200);
      assertInert(shown);
      sent.length = 0;
      const message = { ...mail, to: "ana@example.com", lang: language };
      assertStatus(await full.post(`${BUDGETS}/${id}/send`, message), 201);
      await service.tick();
      const html = sent[0]?.html ?? "";
      const atLink = (text: string) => text.replaceAll(link, "/p/preview").replace(/\d+ kB/g, "kB");
      assert.equal(atLink(textsOf(shown.body, id)), atLink(textsOf(html, id)));
      assert.equal(/<title>([^<]*)/.exec(shown.body)?.[1], /<title>([^<]*)/.exec(html)?.[1]);
      assert.ok(shown.body.includes("As we discussed."));
    }
  });
}
