import assert from "node:assert/strict";
import type { MailMessage } from "@budgetkit/core";
import { type HttpCases, withOptions } from "./cases.js";
import { CUSTOMERS, createIn } from "./catalog-kinds.js";
import { aPublicBody, assertInvalid, assertRule, assertStatus, BUDGETS, createBudget, FORM, HTML } from "./samples.js";
import type { World } from "./world.js";

const sent: MailMessage[] = [];
const withMailer = {
  service: {
    mailer: {
      send: async () => {},
      sendMessage: async (mail: MailMessage) => {
        sent.push(mail);
      },
    },
    mails: { perHour: 3 },
  },
};

export function mailCases(cases: HttpCases): void {
  cases.it("refuses to send a mail without a mailer (501)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    assertStatus(await full.post(`${path}/send`, { to: "ana@example.com" }), 501);
    assertStatus(await full.get(`${path}/mails`), 200);
  });

  const { it } = withOptions(cases, withMailer);

  it("queues a mail with the budget's link, sends it, and lists it", async ({ full, reader, service }) => {
    const path = `${BUDGETS}/${await createBudget(full, { draft: true })}`;
    assert.equal((await full.get(`${path}/mails`)).at("pagination.total"), 0);
    const message = { to: "ana@example.com", message: "As we discussed.", lang: "es" };
    const queued = assertStatus(await full.post(`${path}/send`, message), 201);
    assert.deepEqual([queued.at("data.status"), queued.at("data.to")], ["queued", "ana@example.com"]);
    assert.equal((await full.get(path)).at("data.status"), "PENDING");
    sent.length = 0;
    await service.tick();
    assert.equal(sent.length, 1);
    const listed = await reader.get(`${path}/mails`);
    assert.deepEqual([listed.at("data.0.status"), listed.at("data.0.attempts")], ["sent", 1]);
    assert.equal((await reader.post(`${path}/send`, message)).status, 403);
  });

  it("queues one mail for one Idempotency-Key, and none for another version (412)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const once = { "idempotency-key": "mail-1" };
    const first = await full.post(`${path}/send`, { to: "ana@example.com" }, once);
    const again = await full.post(`${path}/send`, { to: "ana@example.com" }, once);
    assert.deepEqual([first.status, again.body], [201, first.body]);
    assertStatus(await full.post(`${path}/send`, { to: "a@example.com" }, { "if-match": '"v9-00000000"' }), 412);
    assert.equal((await full.get(`${path}/mails`)).at("pagination.total"), 1);
  });

  it("requires one recipient and a PENDING budget to send a mail (NO_RECIPIENT, INVALID_TRANSITION)", async (world) => {
    const { full } = world;
    const path = `${BUDGETS}/${await createBudget(full)}`;
    assertRule(await full.post(`${path}/send`), "NO_RECIPIENT");
    const injected = { to: "ana@example.com\r\nBcc: eve@example.com" };
    assertInvalid(await full.post(`${path}/send`, injected), "to:INVALID_FORMAT");
    assertInvalid(await full.post(`${path}/send`, { message: "x".repeat(5_001) }), "message:MAX_LENGTH");
    await full.put(path, { status: "REJECTED" });
    assertRule(await full.post(`${path}/send`, { to: "ana@example.com" }), "INVALID_TRANSITION");
  });

  it("limits mails for each business, over all its keys (429)", async ({ full, writer, stranger }) => {
    const to = { to: "ana@example.com" };
    const path = `${BUDGETS}/${await createBudget(full)}/send`;
    for (const _ of [1, 2, 3]) assertStatus(await full.post(path, to), 201);
    assert.match(assertStatus(await writer.post(path, to), 429).headers["retry-after"] ?? "", /^[1-9]\d*$/);
    assertStatus(await stranger.post(`${BUDGETS}/${await createBudget(stranger)}/send`, to), 201);
  });

  it("mails an answer to both sides, and lists both mails with the budget", async ({
    full,
    owner,
    anonymous,
    service,
  }) => {
    assertStatus(await owner.put("/api/developer/business", { email: "sales@norte.example" }), 200);
    const id = await createBudget(full);
    assertStatus(await full.post(`${BUDGETS}/${id}/send`, { to: "ana@example.com" }), 201);
    const link = `/p/${(await full.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken")}`;
    const { version } = JSON.parse((await anonymous.get(link)).body).data;
    await service.tick();
    sent.length = 0;
    assertStatus(await anonymous.post(`${link}/accept`, { version, name: "Ana" }), 200);
    await service.tick();
    assert.deepEqual(sent.map(({ kind, to }) => `${kind} ${to}`).sort(), [
      "customer.accepted ana@example.com",
      "seller.accepted sales@norte.example",
    ]);
    const listed = await full.get(`${BUDGETS}/${id}/mails`);
    const kinds = JSON.parse(listed.body).data.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(kinds.sort(), ["budget", "customer.accepted", "seller.accepted"]);
  });

  it("mails the first view once, and nothing where the business has turned it off", async ({
    full,
    owner,
    send,
    service,
  }) => {
    const mails = { seller: { viewed: true } };
    assertStatus(await owner.put("/api/developer/business", { email: "sales@norte.example", mails }), 200);
    const id = await createBudget(full);
    const link = `/v1/p/${(await full.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken")}`;
    const view = () => send({ method: "GET", path: `${link}/seen.svg`, headers: {}, body: null });
    sent.length = 0;
    for (const _ of [1, 2]) assert.equal((await view()).status, 200);
    await service.tick();
    assert.deepEqual(
      sent.map(({ kind, to }) => `${kind} ${to}`),
      ["seller.viewed sales@norte.example"],
    );
    assertStatus(await owner.put("/api/developer/business", { mails: { seller: { viewed: false } } }), 200);
    const other = await createBudget(full);
    const { text } = await full.post(`${BUDGETS}/${other}/public-link`);
    await send({ method: "GET", path: `/v1/p/${text("data.publicToken")}/seen.svg`, headers: {}, body: null });
    await service.tick();
    assert.equal(sent.length, 1);
  });

  it("ends reminders by the link: a page that changes nothing, one click, and the way back", async (world) => {
    const { full, anonymous } = world;
    const id = await createBudget(full);
    const { link, mail } = await mailedLink(world, id, "ana@example.com");
    assert.equal((await anonymous.get(`${link}${mail}`)).at("data.remindersOff"), false);
    const page = await anonymous.get(`${link}${mail}&lang=es`, HTML);
    assert.match(page.body, /<form method="post" action="unsubscribe\?mail=[\w.-]+&amp;lang=es">/);
    assert.equal((await anonymous.get(link)).at("data.remindersOff"), false);
    const clicked = await anonymous.post(`${link}${mail}`, "List-Unsubscribe=One-Click", FORM);
    assert.deepEqual([clicked.at("data.remindersOff"), clicked.at("data.resumable")], [true, true]);
    const ended = await anonymous.post(`${link}${mail}`, "List-Unsubscribe=One-Click", { ...FORM, ...HTML });
    assertStatus(ended, 303);
    assert.ok(ended.headers.location?.endsWith(`unsubscribe${mail}`));
    assert.match((await anonymous.get(`${link}${mail}`, HTML)).body, /action="unsubscribe\?reminders=on&amp;mail=/);
    assert.match((await full.get(`${BUDGETS}/${id}/mails`)).text("remindersOffSince"), /^2/);
    assertStatus(await anonymous.post(`${link}${mail}&reminders=on`, "", { ...FORM, ...HTML }), 303);
    assert.equal((await anonymous.get(link)).at("data.remindersOff"), false);
    assert.equal((await full.get(`${BUDGETS}/${id}/mails`)).at("remindersOffSince"), undefined);
    assertStatus(await anonymous.get(`/p/${"A".repeat(43)}/unsubscribe`), 404);
    assertStatus(await anonymous.post(`/p/${"A".repeat(43)}/unsubscribe`, "x=1", FORM), 404);
  });

  it("resumes reminders only by the mail that ended them, not by the link, nor by a mail to the business itself", async (world) => {
    const { full, owner, anonymous } = world;
    const id = await createBudget(full);
    const { link, mail } = await mailedLink(world, id, "ana@example.com");
    const own = (await mailedLink(world, id, "sales@example.com")).mail;
    const resume = (query: string) => anonymous.post(`${link}${query}reminders=on`);
    assert.equal((await anonymous.post(`${link}${mail}`)).at("data.remindersOff"), true);
    assertStatus(await resume("?"), 403);
    assertStatus(await resume("?mail=v1.invented&"), 403);
    assert.match(assertStatus(await resume(`${own}&`), 409).text("message"), /stay ended/);
    assert.equal((await anonymous.get(`${link}${own}`)).at("data.resumable"), false);
    assert.doesNotMatch((await anonymous.get(link, HTML)).body, /reminders=on/);
    assert.equal((await resume(`${mail}&`)).at("data.remindersOff"), false);
    assert.equal((await anonymous.post(link)).at("data.remindersOff"), true); // an older mail has no token
    const events = await owner.get("/api/developer/events?event=reminders.stopped");
    assert.deepEqual([events.at("data.0.data.by"), events.at("data.1.data.by")], ["link", "mail"]);
  });

  it("resumes reminders that the link alone has ended by a mail to the customer, not by an address set since", async (world) => {
    const { full, owner, anonymous, clock } = world;
    const catalog = await world.withKey({ scopes: ["WRITE_CUSTOMERS"] });
    const customerId = await createIn(catalog, CUSTOMERS, { name: "Ana", email: "Ana@example.com" });
    const id = await createBudget(full, { customerId });
    const { link, mail } = await mailedLink(world, id, "ana@example.com");
    const own = (await mailedLink(world, id, "sales@example.com")).mail;
    const resume = (query: string) => anonymous.post(`${link}${query}&reminders=on`);
    clock.advance(1);
    assert.equal((await anonymous.post(link)).at("data.remindersOff"), true);
    assertStatus(await resume(own), 409);
    assert.equal((await anonymous.get(`${link}${own}`)).at("data.resumable"), false);
    assert.equal((await anonymous.get(`${link}${mail}`)).at("data.resumable"), true);
    const resumed = await resume(mail);
    assert.deepEqual([resumed.at("data.remindersOff"), resumed.at("data.resumable")], [false, false]);
    assert.equal((await resume(mail)).at("data.remindersOff"), false);
    const entries = await owner.get("/api/developer/events?event=reminders.resumed");
    assert.deepEqual([entries.at("pagination.total"), entries.at("data.0.data.by")], [1, "mail"]);
    assert.equal((await anonymous.post(link)).at("data.remindersOff"), true);
    clock.advance(1);
    assertStatus(await catalog.put(`${CUSTOMERS}/${customerId}`, { email: "sales@example.com" }), 200);
    assertStatus(await resume(own), 409);
    assert.match((await full.get(`${BUDGETS}/${id}/mails`)).text("remindersOffSince"), /^2/);
  });

  it("writes nothing when reminders have ended already", async ({ full, owner, anonymous, store }) => {
    const publicToken = (await full.post("/api/budgets/public", aPublicBody())).text("publicToken");
    const link = `/p/${publicToken}/unsubscribe`;
    assert.equal((await anonymous.post(link)).at("data.remindersOff"), true);
    const { commit } = store;
    store.commit = async () => assert.fail("a transaction was opened");
    try {
      assert.equal((await anonymous.post(link)).at("data.remindersOff"), true);
    } finally {
      store.commit = commit;
    }
    assert.equal((await owner.get("/api/developer/events?event=reminders.stopped")).at("pagination.total"), 1);
  });

  it("resumes reminders ten times an hour, so that a link cannot fill the ledger, and always ends them (429)", async (world) => {
    const { full, anonymous } = world;
    const { link, mail } = await mailedLink(world, await createBudget(full), "ana@example.com");
    for (let turn = 1; turn <= 10; turn += 1) {
      assertStatus(await anonymous.post(`${link}${mail}`), 200);
      assertStatus(await anonymous.post(`${link}${mail}&reminders=on`), 200);
    }
    assert.equal((await anonymous.post(`${link}${mail}`)).at("data.remindersOff"), true);
    const refused = assertStatus(await anonymous.post(`${link}${mail}&reminders=on`), 429);
    assert.match(refused.headers["retry-after"] ?? "", /^[1-9]\d*$/);
    assert.equal((await anonymous.get(link)).at("data.remindersOff"), true);
  });

  it("ends reminders by one click in every form that mail programs send", async ({ full, anonymous }) => {
    const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    const clicks: [body: string | undefined, headers: Record<string, string>][] = [
      [multipart, { "content-type": "multipart/form-data; boundary=b" }],
      ["List-Unsubscribe=One-Click", FORM],
      ["List-Unsubscribe=One-Click", { "content-type": "text/plain" }],
      [undefined, {}],
    ];
    for (const [body, headers] of clicks) {
      const id = await createBudget(full);
      const link = `/p/${(await full.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken")}/unsubscribe`;
      assert.equal((await anonymous.post(link, body, headers)).at("data.remindersOff"), true);
    }
  });
}

/** Sends a budget with a reminder, whose link ends reminders: its path, and the query that names its recipient. */
async function mailedLink({ full, service, store, clock }: World, id: string, to: string) {
  assertStatus(await full.post(`${BUDGETS}/${id}/send`, { to }), 201);
  const now = clock.now();
  const checks = await store.claimReminderChecks(now, now + 1, 100);
  const check = checks.find(({ budgetId }) => budgetId === id);
  assert.ok(check);
  const { entries } = await store.listMails(check.businessId, id, 10, 0);
  const first = entries.find((each) => each.kind === "budget" && each.to === to);
  assert.ok(first);
  const reminder = { ...first, id: String(Number(first.id) + 1_000_000), kind: "reminder" as const };
  assert.equal(await store.settleReminderCheck(check, "replace", reminder), true);
  sent.length = 0;
  await service.tick();
  const header = sent.find((each) => each.to === to && each.kind === "reminder")?.headers["List-Unsubscribe"] ?? "";
  const [, link = "", mail = ""] =
    /^<https:\/\/quotes\.example\/v1(\/p\/[\w-]{43}\/unsubscribe)(\?mail=[\w.-]+)>$/.exec(header) ?? [];
  assert.notEqual(mail, "", header);
  return { link, mail };
}
