import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { approve, assertStatus, BUDGETS, createBudget, createLink } from "./samples.js";

export function pdfCases(cases: HttpCases): void {
  ownCases(cases);
  linkCases(cases);
}

function ownCases({ it }: HttpCases): void {
  it("serves the PDF of a budget inline, and again only when it has changed (304)", async ({ reader, full }) => {
    const budget = await createBudget(full);
    const path = `${BUDGETS}/${budget}/pdf`;
    const read = assertStatus(await reader.get(path), 200);
    assert.ok(read.body.startsWith("%PDF-"));
    assert.equal(read.headers["content-type"], "application/pdf");
    assert.equal(read.headers["content-disposition"], `inline; filename="Quote-${budget}.pdf"`);
    assert.equal(read.headers["cache-control"], "private, no-store");
    const headers = { "if-none-match": read.headers.etag ?? "" };
    assertStatus(await reader.get(path, headers), 304);
    assertStatus(await reader.send("HEAD", path), 200);
    await approve(full, budget);
    assertStatus(await reader.get(path, headers), 200);
  });

  it("writes the PDF in the language of the query, else of the client", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/pdf`;
    assert.match((await full.get(`${path}?lang=pt`, { "accept-language": "es" })).body, /Orçamento/);
    assert.match((await full.get(path, { "accept-language": "es" })).body, /Presupuesto/);
  });

  it("finds no PDF of a deleted budget (404)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    assertStatus(await full.delete(path), 200);
    assertStatus(await full.get(`${path}/pdf`), 404);
  });
}

function linkCases({ it }: HttpCases): void {
  it("the page links the PDF in its language, which stays out of caches, frames and search engines", async (world) => {
    const { full, anonymous } = world;
    const link = await createLink(full);
    const page = await anonymous.get(`${link}?lang=es`, { accept: "text/html" });
    assert.ok(page.body.includes(`href="/v1${link}.pdf?lang=es"`));
    const read = assertStatus(await anonymous.get(`${link}.pdf?lang=es`), 200);
    assert.match(read.body, /^%PDF-[\s\S]*Presupuesto/);
    assert.match(read.headers["content-disposition"] ?? "", /^inline; filename="Presupuesto-\d+\.pdf"$/);
    assert.equal(read.headers["cache-control"], "no-store");
    assert.equal(read.headers["x-robots-tag"], "noindex");
    assert.equal(read.headers["referrer-policy"], "no-referrer");
    assert.match(read.headers["content-security-policy"] ?? "", /frame-ancestors 'none'/);
  });

  it("the PDF of a public link ends with the link (404)", async ({ full, anonymous }) => {
    const budget = await createBudget(full);
    const created = await full.post(`${BUDGETS}/${budget}/public-link`);
    const link = `/p/${created.text("data.publicToken")}`;
    assertStatus(await anonymous.get(`${link}.pdf`), 200);
    for (const other of [`${link}.pdf.pdf`, `${link}.PDF`, `${link}.txt`, `/p/${"a".repeat(43)}.pdf`, "/p/.pdf"]) {
      assertStatus(await anonymous.get(other), 404);
    }
    assertStatus(await full.delete(`${BUDGETS}/${budget}/public-link`), 200);
    assertStatus(await anonymous.get(`${link}.pdf`), 404);
  });
}
