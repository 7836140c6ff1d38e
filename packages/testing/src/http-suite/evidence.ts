import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import type { HttpCases } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { approve, assertInvalid, assertStatus, BUDGETS, createBudget, createLink, FORM, HTML } from "./samples.js";

const KEYS = "/.well-known/jwks.json";

export function evidenceCases(cases: HttpCases): void {
  hashCases(cases);
  recordCases(cases);
  consentCases(cases);
  keyCases(cases);
}

function hashCases({ it }: HttpCases): void {
  it("the hash of a public link changes with the offer, but not with its status", async ({ full, anonymous }) => {
    const link = await createLink(full);
    const before = await hashAt(anonymous, link);
    const path = `${BUDGETS}/${await onlyBudget(full)}`;
    await full.post(`${path}/payments`, { amount: 10, reference: "1" });
    await full.put(path, { metadata: { order: "7" } });
    assert.equal(await hashAt(anonymous, link), before);
    await full.put(path, { notes: "Changed" });
    assert.notEqual(await hashAt(anonymous, link), before);
  });

  it("refuses an answer to another offer, and signs nothing (CONFLICT)", async ({ full, owner, anonymous }) => {
    const link = await createLink(full);
    const hash = await hashAt(anonymous, link);
    await owner.put("/api/developer/business", { terms: "Half in advance." });
    for (const wrong of [
      hash,
      "",
      "0".repeat(64),
      hash.toUpperCase(),
      await hashAt(anonymous, await createLink(full)),
    ]) {
      for (const answer of ["accept", "decline"]) {
        assertStatus(await anonymous.post(`${link}/${answer}`, { version: 1, hash: wrong }), 409);
      }
    }
    const form = `version=1&hash=${hash}&name=Ana`;
    const page = assertStatus(await anonymous.post(`${link}/accept`, form, { ...HTML, ...FORM }), 409);
    assert.ok(page.body.includes("Nothing was recorded"));
    assert.ok(page.body.includes("Half in advance."));
    assertStatus(await anonymous.get(`${link}/evidence.json`), 404);
    assertStatus(await anonymous.post(`${link}/accept`, { version: 1, hash: await hashAt(anonymous, link) }), 200);
  });
}

function recordCases({ it }: HttpCases): void {
  it("the evidence of an acceptance contains what, by whom, when and how, signed by the service", async (world) => {
    const { full, anonymous, clock } = world;
    const link = await createLink(full);
    const shown = await anonymous.get(link);
    const hash = shown.text("data.hash");
    const form = `version=1&hash=${hash}&language=es&name=Ana+Ruiz&signature=M+10+20+L+30+40`;
    const agent = `Browser\t${"x".repeat(600)}`;
    assertStatus(await anonymous.post(`${link}/accept`, form, { ...HTML, ...FORM, "user-agent": agent }), 303);
    const evidence = await anonymous.get(`${link}/evidence.json`);
    const payload = await signedIn(anonymous, evidence);
    assert.equal(payload.contentHash, hash);
    assert.equal(payload.businessId, world.business.businessId);
    assert.deepEqual([payload.content.id, payload.content.total], [shown.at("data.id"), 1_210]);
    const { address: _, userAgent, ...acceptance } = payload.acceptance;
    assert.deepEqual(acceptance, {
      choice: "accept",
      channel: "link",
      by: "customer:Ana Ruiz",
      name: "Ana Ruiz",
      at: new Date(clock.now()).toISOString(),
      consent: `Acepto el presupuesto ${shown.text("data.id")} de Carpintería Norte por 1210,00\u00a0ARS, así como sus condiciones.`,
      language: "es",
      signature: "M 10 20 L 30 40",
    });
    assert.equal(userAgent, `Browser ${"x".repeat(504)}`);
    assert.equal(payload.previous, null);
    assert.equal(evidence.headers["cache-control"], "no-store");
    assert.equal((await full.get(`${BUDGETS}/${shown.text("data.id")}/evidence`)).body, evidence.body);
    const page = await anonymous.get(link, HTML);
    assert.ok(page.body.includes(`href="/v1${link}/evidence.json" download`));
  });

  it("finds no evidence before an acceptance, nor of another business's budget (404)", async (world) => {
    const { full, stranger, anonymous } = world;
    const link = await createLink(full);
    const path = `${BUDGETS}/${await onlyBudget(full)}/evidence`;
    assertStatus(await full.get(path), 404);
    assertStatus(await anonymous.get(`${link}/evidence.json`), 404);
    assertStatus(await anonymous.post(`${link}/accept`, { version: 1 }), 200);
    assertStatus(await full.get(path), 200);
    assertStatus(await stranger.get(path), 404);
    assertStatus(await anonymous.get(`/p/${"A".repeat(43)}/evidence.json`), 404);
  });

  it("shows the evidence of an approval by the business to the business alone", async ({ full, anonymous }) => {
    const id = await createBudget(full);
    const link = `/p/${(await full.post(`${BUDGETS}/${id}/public-link`, {})).text("data.publicToken")}`;
    await approve(full, id);
    const { acceptance } = await signedIn(anonymous, await full.get(`${BUDGETS}/${id}/evidence`));
    assert.deepEqual([acceptance.channel, acceptance.name, acceptance.consent], ["api", null, null]);
    assert.match(String(acceptance.by), /^key:/);
    assertStatus(await anonymous.get(`${link}/evidence.json`), 404);
    assert.equal((await anonymous.get(link)).at("data.evidenceUrl"), undefined);
  });

  it("links evidence to that of the former acceptance, which keeps its revision", async ({ full, anonymous }) => {
    const id = await createBudget(full);
    const path = `${BUDGETS}/${id}`;
    await approve(full, id);
    const first = await full.get(`${path}/evidence`);
    await full.post(`${path}/reopen`, { reason: "Another wood" });
    assertStatus(await full.get(`${path}/evidence?revision=2`), 404);
    await full.put(path, { notes: "Of walnut", status: "APPROVED" });
    const second = await full.get(`${path}/evidence`);
    const { previous, content } = await signedIn(anonymous, second);
    assert.equal(previous, await sha256(first.body));
    assert.deepEqual([content.notes, content.revision], ["Of walnut", 3]);
    assert.equal((await full.get(`${path}/evidence?revision=1`)).body, first.body);
    assert.equal((await full.get(`${path}/evidence?revision=3`)).body, second.body);
  });

  it("accepts as a drawn signature a path of plain commands, of bounded length", async ({ full, anonymous }) => {
    const link = await createLink(full);
    const post = (signature: string) => anonymous.post(`${link}/accept`, { version: 1, signature });
    for (const wrong of [
      "L 1 2",
      "M 1 2 A 3 4",
      "M 1",
      "M 1 2 url(#a)",
      'M 1 2"/>',
      "M 1e9 2",
      "M 1 2 3 4",
      " M 1 2",
      "M 1 2  L 3 4",
      "M 1 2\n",
    ]) {
      assertInvalid(await post(wrong), "signature:INVALID_FORMAT");
    }
    assertInvalid(await post(`M 1 2${" L 1 2".repeat(2_000)}`), "signature:MAX_LENGTH");
    assertStatus(await post("M -1.5 2 L 3 4 C 1 2 3 4 5 6 Q 1 2 3 4"), 200);
  });

  it("concurrent answers leave the evidence of one, for the accepted offer", async ({ full, anonymous }) => {
    const link = await createLink(full);
    const path = `${BUDGETS}/${await onlyBudget(full)}`;
    const hash = await hashAt(anonymous, link);
    const [edited, ...answers] = await Promise.all([
      full.put(path, { notes: "Changed meanwhile" }),
      ...["Ana", "Bruno"].map((name) => anonymous.post(`${link}/accept`, { version: 1, hash, name })),
    ]);
    assertStatus(edited, 200);
    const accepted = answers.filter(({ status }) => status === 200);
    assert.ok(accepted.length <= 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 409));
    const evidence = await full.get(`${path}/evidence`);
    assert.equal(evidence.status, accepted.length === 1 ? 200 : 404);
    if (accepted.length === 1) assert.equal((await signedIn(anonymous, evidence)).contentHash, hash);
  });
}

function consentCases({ it }: HttpCases): void {
  it("the evidence contains no consent of an answer that does not name the hash of the page", async (world) => {
    const { full, anonymous, owner } = world;
    const link = await createLink(full);
    await owner.put("/api/developer/business", { name: "Another name" });
    assertStatus(await anonymous.post(`${link}/accept`, { version: 1, language: "en" }), 200);
    const { acceptance } = await signedIn(anonymous, await anonymous.get(`${link}/evidence.json`));
    assert.deepEqual([acceptance.consent, acceptance.language], [null, null]);
  });
}

function keyCases({ it }: HttpCases): void {
  it("publishes the signing keys, cacheable and without private parts", async ({ full, anonymous, service }) => {
    const keys = await anonymous.get(KEYS); // before the first signature
    assert.match(keys.headers["cache-control"] ?? "", /^public, max-age=\d+$/);
    assert.deepEqual(Object.keys(Object(keys.at("keys.0"))), ["alg", "crv", "kid", "kty", "use", "x"]);
    assertStatus(await anonymous.get(KEYS, { "if-none-match": keys.headers.etag ?? "" }), 304);
    const first = await createBudget(full);
    await approve(full, first);
    assert.equal(headerOf(await full.get(`${BUDGETS}/${first}/evidence`)).kid, keys.at("keys.0.kid"));
    assert.equal((await anonymous.get(KEYS)).body, keys.body);
    const { kid } = await service.signingKeys.rotate();
    const rotated = await anonymous.get(KEYS);
    assert.deepEqual([rotated.at("keys.0.kid"), rotated.at("keys.1")], [kid, keys.at("keys.0")]);
    const id = await createBudget(full);
    await approve(full, id);
    const evidence = await full.get(`${BUDGETS}/${id}/evidence`);
    assert.equal(headerOf(evidence).kid, kid);
    await signedIn(anonymous, evidence);
  });
}

async function hashAt(client: Client, link: string): Promise<string> {
  return (await client.get(link)).text("data.hash");
}

async function onlyBudget(client: Client): Promise<string> {
  return (await client.get(BUDGETS)).text("data.0.id");
}

/** The payload of an evidence, once the published key has verified it. */
async function signedIn(client: Client, evidence: Reply) {
  assertStatus(evidence, 200);
  const { kid, alg } = headerOf(evidence);
  assert.equal(alg, "EdDSA");
  const keys = (await client.get(KEYS)).at("keys");
  const key = (Array.isArray(keys) ? keys : []).find((each) => each.kid === kid);
  const [payload, header, signature] = ["payload", "protected", "signature"].map((name) => evidence.text(name));
  const signed = Buffer.from(`${header}.${payload}`);
  const publicKey = createPublicKey({ key, format: "jwk" });
  assert.ok(verify(null, signed, publicKey, Buffer.from(signature ?? "", "base64url")), "the signature fits");
  return JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
}

function headerOf(evidence: Reply): { readonly kid?: unknown; readonly alg?: unknown } {
  return JSON.parse(Buffer.from(evidence.text("protected"), "base64url").toString());
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex");
}
