import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { aFileForm } from "./forms.js";
import type { HostResponse, Send } from "./host.js";
import { assertInvalid, assertRule, assertStatus, BUDGETS, FORM, HTML, linked } from "./samples.js";

export function customerPageCases(cases: HttpCases): void {
  viewCases(cases);
  changeCases(cases);
  fileCases(cases);
  signatureCases(cases);
}

/** Asks for a part of the page, which the description of the interface does not have. */
export function load(
  send: Send,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<HostResponse> {
  return send({ method, path: `/v1${path}`, headers, body: null });
}

function viewCases({ it }: HttpCases): void {
  it("counts views when the page is displayed, by channel, and leaves the budget unchanged", async (world) => {
    const { full, owner, anonymous, clock, send } = world;
    const { id, link } = await linked(full);
    const read = () => full.get(`${BUDGETS}/${id}/public-link`);
    const page = await anonymous.get(`${link}?c=mail`, HTML);
    assert.ok(page.body.includes(`${link}/seen.svg?c=mail"`));
    assert.equal((await read()).at("data.views"), undefined);
    const seen = await load(send, `${link}/seen.svg?c=mail`);
    assert.equal(seen.status, 200);
    assert.equal(seen.headers["content-type"], "image/svg+xml");
    assert.equal(seen.headers["cache-control"], "no-store");
    const first = new Date(clock.now()).toISOString();
    assert.deepEqual((await read()).at("data.views"), { count: 1, first, last: first, byChannel: { mail: 1 } });
    clock.advance(10 * MINUTE_MS);
    await load(send, `${link}/seen.svg`);
    clock.advance(10 * MINUTE_MS);
    await load(send, `${link}/seen.svg?c=${encodeURIComponent("<script>")}`);
    const byChannel = { link: 1, mail: 1, other: 1 };
    assert.deepEqual((await read()).at("data.views.byChannel"), byChannel);
    assert.equal((await full.get(`${BUDGETS}/${id}`)).at("data.version"), 2);
    const events = await owner.get(`/api/developer/events?event=budget.viewed&subjectId=${id}`);
    events.assertAt({ "pagination.total": 1, "data.0.data.status": "PENDING" });
  });

  it("counts no view by scanners: the page alone, HEAD, prefetch, a flood", async ({ full, anonymous, send }) => {
    const { id, link } = await linked(full);
    await anonymous.get(link, HTML);
    await load(send, `${link}/seen.svg`, {}, "HEAD");
    for (const name of ["sec-purpose", "purpose"]) await load(send, `${link}/seen.svg`, { [name]: "prefetch" });
    assert.equal((await load(send, `/p/${"A".repeat(43)}/seen.svg`)).status, 200);
    const read = async () => (await full.get(`${BUDGETS}/${id}/public-link`)).at("data.views.count");
    assert.equal((await full.get(`${BUDGETS}/${id}/public-link`)).at("data.views"), undefined);
    for (let view = 0; view < 5; view += 1) await load(send, `${link}/seen.svg`);
    assert.equal(await read(), 1);
  });
}

function changeCases({ it }: HttpCases): void {
  it("a change request leaves the budget PENDING, and is shown to the seller and on the page", async (world) => {
    const { full, reader, owner, anonymous, clock } = world;
    const { id, link } = await linked(full);
    assert.deepEqual((await anonymous.get(link)).at("data.availableActions"), ["accept", "decline", "requestChange"]);
    const asked = await anonymous.post(`${link}/request-change`, { version: 2, name: "Ana", message: "Pine, please" });
    assertStatus(asked, 200);
    const requestedAt = new Date(clock.now()).toISOString();
    const request = { message: "Pine, please", requestedBy: "customer:Ana", requestedAt };
    asked.assertData({ status: "PENDING", changeRequest: request });
    await anonymous.post(`${link}/request-change`, { version: 3, message: "And soon" });
    const listed = assertStatus(await reader.get(`${BUDGETS}/${id}/change-requests`), 200);
    listed.assertData({ "0.message": "And soon", "1": { ...request, revision: 1 } });
    const events = await owner.get("/api/developer/events?event=budget.change_requested");
    assert.deepEqual(events.at("data.1.data.changeRequest"), { ...request, revision: 1 });
    assert.equal(events.at("data.1.change.reason"), "Pine, please");
    assert.match((await anonymous.get(link, HTML)).body, /You asked for a change on[\s\S]*And soon/);
  });

  it("a new revision answers the change request", async ({ full, anonymous }) => {
    const { id, link } = await linked(full);
    await anonymous.post(`${link}/request-change`, { version: 2, message: "Pine" });
    await full.put(`${BUDGETS}/${id}`, { notes: "In pine" });
    assert.equal((await anonymous.get(link)).at("data.changeRequest"), undefined);
  });

  it("the form of the page makes a change request and leads back to the page", async ({ full, anonymous }) => {
    const { link } = await linked(full);
    const body = "version=2&name=Ana&message=A%20longer%20table";
    const sent = assertStatus(await anonymous.post(`${link}/request-change?lang=es`, body, { ...FORM, ...HTML }), 303);
    assert.ok(sent.headers.location?.endsWith(`${link.slice(2)}?lang=es`));
    const page = await anonymous.get(`${link}?lang=es`, HTML);
    assert.ok(page.body.includes("A longer table"));
  });

  it("a form with a blank name or message comes back in the language of the page, with what was entered", async (world) => {
    const { full, anonymous } = world;
    const { link } = await linked(full);
    const send = async (action: string, fields: Record<string, string>, status: number) => {
      const body = new URLSearchParams({ version: "2", ...fields }).toString();
      return assertStatus(await anonymous.post(`${link}/${action}?lang=es`, body, { ...FORM, ...HTML }), status).body;
    };
    for (const [action, field, fields] of [
      ["accept", "name", { name: "  " }],
      ["decline", "name", { name: "", reason: "Muy caro" }],
      ["request-change", "message", { name: "Ana Ruiz", message: " " }],
      ["messages", "message", { name: "Ana Ruiz", message: "" }],
    ] as const) {
      const page = await send(action, fields, 400);
      assert.ok(page.includes(`aria-describedby="${action}-${field}-error"`), action);
      for (const text of Object.values(fields)) assert.ok(text.trim() === "" || page.includes(text), text);
    }
    assert.equal((await anonymous.get(link)).at("data.status"), "PENDING");
    await send("accept", { name: "Ana" }, 303);
  });

  it("a change request needs a message, the shown version and an open budget", async ({ full, anonymous }) => {
    const { link } = await linked(full);
    const ask = (body: unknown) => anonymous.post(`${link}/request-change`, body);
    assertInvalid(await ask({ version: 2 }), "message:REQUIRED");
    assertInvalid(await ask({ version: 2, message: "x".repeat(2_001) }), "message:MAX_LENGTH");
    assertStatus(await ask({ version: 1, message: "x" }), 409);
    await anonymous.post(`${link}/decline`, { version: 2 });
    assertRule(await ask({ version: 3, message: "x" }), "INVALID_TRANSITION");
    assertStatus(await anonymous.post(`/p/${"A".repeat(43)}/request-change`, { version: 1, message: "x" }), 404);
  });

  it("refuses the change request after 20 on one budget (TOO_MANY_CHANGE_REQUESTS)", async ({ full, anonymous }) => {
    const { link } = await linked(full);
    for (let version = 2; version < 22; version += 1) {
      assertStatus(await anonymous.post(`${link}/request-change`, { version, message: "x" }), 200);
    }
    const refused = await anonymous.post(`${link}/request-change`, { version: 22, message: "x" });
    assertRule(refused, "TOO_MANY_CHANGE_REQUESTS");
  });
}

function fileCases({ it }: HttpCases): void {
  it("the page offers the files that the business shares, for download by the link of their budget", async (world) => {
    const { full, anonymous, send } = world;
    const { id, link } = await linked(full);
    const other = await linked(full);
    const upload = async (query: string, fileName: string) => {
      const { body, headers } = aFileForm("abc", { fileName });
      const sent = assertStatus(await full.post(`${BUDGETS}/${id}/attachments${query}`, body, headers), 201);
      return sent;
    };
    const inside = (await upload("", "costs.xlsx")).text("data.id");
    assert.equal((await anonymous.get(link)).at("data.attachments"), undefined);
    const sent = await upload("?shared=true", "plan <b>.pdf");
    assert.equal(sent.at("data.shared"), true);
    const shared = sent.text("data.id");
    assert.equal((await anonymous.get(link)).at("data.attachments.0.id"), shared);
    const page = (await anonymous.get(link, HTML)).body;
    assert.ok(
      page.includes(`${link}/attachments/${shared}"><bdi>plan _b_.pdf</bdi></a>`) && !page.includes("costs.xlsx"),
    );
    const got = await load(send, `${link}/attachments/${shared}`);
    assert.deepEqual([got.status, got.text], [200, "abc"]);
    assert.match(got.headers["content-disposition"] ?? "", /^attachment;/);
    assert.equal(got.headers["x-content-type-options"], "nosniff");
    for (const path of [
      `${link}/attachments/${inside}`,
      `${other.link}/attachments/${shared}`,
      `${link}/attachments/x`,
    ]) {
      assert.equal((await load(send, path)).status, 404);
    }
  });

  it("the page follows when a file is shared later, and when the sharing ends", async ({ full, anonymous, send }) => {
    const { id, link } = await linked(full);
    const { body, headers } = aFileForm("abc", { fileName: "plan.pdf" });
    const file = (await full.post(`${BUDGETS}/${id}/attachments`, body, headers)).text("data.id");
    const share = (shared: unknown) => full.put(`${BUDGETS}/${id}/attachments/${file}`, { shared });
    const before = await anonymous.get(link);
    assert.equal((await share(true)).at("data.shared"), true);
    const open = await anonymous.get(link);
    assert.equal(open.at("data.attachments.0.id"), file);
    assert.equal((await load(send, `${link}/attachments/${file}`)).status, 200);
    const version = before.at("data.version");
    assert.equal(open.at("data.version"), version);
    const answer = { version, hash: before.text("data.hash") };
    assertStatus(await anonymous.post(`${link}/accept`, answer), 409);
    const ended = await share(false);
    assert.deepEqual([ended.status, ended.at("data.shared")], [200, undefined]);
    assert.equal((await anonymous.get(link)).at("data.attachments"), undefined);
    assert.equal((await load(send, `${link}/attachments/${file}`)).status, 404);
    assertStatus(await full.put(`${BUDGETS}/${id}/attachments/1`, { shared: true }), 404);
    assertStatus(await full.put(`${BUDGETS}/1/attachments/${file}`, { shared: true }), 404);
    assertStatus(await share("yes"), 400);
  });
}

function signatureCases({ it }: HttpCases): void {
  it("keeps a drawn signature with the acceptance and shows it afterwards", async ({ full, anonymous }) => {
    const { link } = await linked(full);
    const signature = "M 10 20 L 30 40.5 Q 1 2 3 4 C 1 2 3 4 5 6";
    const accepted = assertStatus(await anonymous.post(`${link}/accept`, { version: 2, name: "Ana", signature }), 200);
    assert.equal(accepted.at("data.signature"), signature);
    assert.ok((await anonymous.get(link, HTML)).body.includes(`<path d="${signature}"/>`));
  });
}
