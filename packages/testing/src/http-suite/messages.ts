import assert from "node:assert/strict";
import { HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import {
  assertInvalid,
  assertReplay,
  assertRule,
  assertStatus,
  BUDGETS,
  createBudget,
  FORM,
  HTML,
  linked,
} from "./samples.js";

const UNKNOWN_LINK = `/p/${"A".repeat(43)}`;

export function messageCases(cases: HttpCases): void {
  threadCases(cases);
  formCases(cases);
  inputCases(cases);
  repeatedCases(cases);
  accessCases(cases);
  boundCases(cases);
}

function threadCases({ it }: HttpCases): void {
  it("messages of both sides and requests for changes are one thread, newest first", async (world) => {
    const { full, anonymous, clock } = world;
    const { id, link } = await linked(full);
    const sentAt = new Date(clock.now()).toISOString();
    const asked = assertStatus(await anonymous.post(`${link}/messages`, { name: "Ana", message: "In oak?" }), 201);
    const question = { kind: "message", from: "customer", name: "Ana", message: "In oak?", sentAt };
    asked.assertData(question);
    clock.advance(MINUTE_MS);
    await anonymous.post(`${link}/request-change`, { version: 2, name: "Ana", message: "Pine, please" });
    clock.advance(MINUTE_MS);
    const path = `${BUDGETS}/${id}/messages`;
    const answered = assertStatus(await full.post(path, { message: "Pine it is" }), 201);
    answered.assertData({ budgetId: id, from: "business", name: "Carpintería Norte", sentBy: `key:${full.id}` });
    const listed = assertStatus(await full.get(path), 200);
    listed.assertData({ "0.message": "Pine it is", "1.kind": "changeRequest", "1.message": "Pine, please" });
    listed.assertAt({ "data.2.sentBy": "customer:Ana", "pagination.total": 3 });
    const pages = [1, 2, 3].map((page) => full.get(`${path}?limit=1&page=${page}`));
    const paged = (await Promise.all(pages)).map((page) => page.at("data.0.message"));
    assert.deepEqual(paged, ["Pine it is", "Pine, please", "In oak?"]);
    const shown = assertStatus(await anonymous.get(`${link}/messages`), 200);
    assert.deepEqual(shown.at("data.2"), { id: asked.at("data.id"), ...question });
    shown.assertData({ "0.from": "business", "0.name": "Carpintería Norte", "0.sentBy": undefined });
    assert.ok(!shown.body.includes(`key:${full.id}`));
    const view = (await anonymous.get(link)).at("data.messages");
    assert.deepEqual(view, [shown.at("data.2"), shown.at("data.1"), shown.at("data.0")]);
  });

  it("a message changes no version and no hash, so that the offer that was shown can be accepted", async (world) => {
    const { full, owner, anonymous } = world;
    const { id, link } = await linked(full);
    const before = await anonymous.get(link);
    assert.equal(before.at("data.messages"), undefined);
    await anonymous.post(`${link}/messages`, { name: "Ana", message: "When?" });
    await full.post(`${BUDGETS}/${id}/messages`, { message: "In May" });
    const after = await anonymous.get(link);
    for (const field of ["version", "revision", "hash", "status"]) {
      assert.equal(after.at(`data.${field}`), before.at(`data.${field}`), field);
    }
    const answer = { version: before.at("data.version"), hash: before.at("data.hash"), name: "Ana" };
    const accepted = assertStatus(await anonymous.post(`${link}/accept`, answer), 200);
    accepted.assertData({ status: "APPROVED", "messages.1.message": "In May" });
    const events = await owner.get(`/api/developer/events?event=budget.message_sent&subjectId=${id}`);
    events.assertAt({ "pagination.total": 2, "data.0.data.message.message": "In May" });
    events.assertAt({ "data.1.data.message.from": "customer", "data.1.data.version": before.at("data.version") });
  });

  it("an accepted, a declined and an expired budget take messages, a deleted one and an ended link none", async (world) => {
    const { full, anonymous, clock } = world;
    const accepted = await linked(full);
    await anonymous.post(`${accepted.link}/accept`, { version: 2 });
    const declined = await linked(full);
    await anonymous.post(`${declined.link}/decline`, { version: 2 });
    const validUntil = new Date(clock.now() + HOUR_MS).toISOString();
    const expired = await linked(full, { validUntil });
    clock.advance(HOUR_MS);
    for (const { id, link } of [accepted, declined, expired]) {
      assertStatus(await anonymous.post(`${link}/messages`, { name: "Ana", message: "And now?" }), 201);
      assertStatus(await full.post(`${BUDGETS}/${id}/messages`, { message: "Call me" }), 201);
    }
    await full.delete(`${BUDGETS}/${accepted.id}`);
    await full.delete(`${BUDGETS}/${declined.id}/public-link`);
    for (const link of [accepted.link, declined.link, UNKNOWN_LINK]) {
      assertStatus(await anonymous.get(`${link}/messages`), 404);
      assertStatus(await anonymous.post(`${link}/messages`, { name: "Ana", message: "Hello" }), 404);
    }
    assertStatus(await full.get(`${BUDGETS}/${accepted.id}/messages`), 404);
    assertStatus(await full.post(`${BUDGETS}/${accepted.id}/messages`, { message: "Hello" }), 404);
  });
}

function formCases({ it }: HttpCases): void {
  it("the form of the page sends a message and leads back to the page", async ({ full, anonymous }) => {
    const { link } = await linked(full);
    const form = "name=Ana&message=Is+the+%3Cb%3Etable%3C%2Fb%3E+of+oak%3F";
    const sent = assertStatus(await anonymous.post(`${link}/messages?lang=es`, form, { ...FORM, ...HTML }), 303);
    assert.ok(sent.headers.location?.endsWith(`${link.slice(2)}?lang=es#ask`));
    assert.equal((await anonymous.get(link)).at("data.messages.0.message"), "Is the <b>table</b> of oak?");
  });

  it("a form without a message or a name comes back with its field marked", async ({ full, anonymous }) => {
    const { link } = await linked(full);
    for (const form of ["name=Ana&message=", "name=&message=Hello", "name=Ana&message=+++"]) {
      const refused = assertStatus(await anonymous.post(`${link}/messages`, form, { ...FORM, ...HTML }), 400);
      const field = form.startsWith("name=&") ? "name" : "message";
      assert.ok(refused.body.includes(`id="messages-${field}-error" role="alert"`), form);
    }
    assert.equal((await anonymous.get(link)).at("data.messages"), undefined);
  });
}

function inputCases({ it }: HttpCases): void {
  it("a message has 1 to 2,000 characters, and a customer's a name", async ({ full, anonymous }) => {
    const { id, link } = await linked(full);
    const ask = (body: unknown) => anonymous.post(`${link}/messages`, body);
    assertInvalid(await ask({ message: "Hello" }), "name:REQUIRED");
    assertInvalid(await ask({ name: "Ana" }), "message:REQUIRED");
    assertInvalid(await ask({ name: " ", message: "x".repeat(2_001) }), "name:MIN_LENGTH", "message:MAX_LENGTH");
    const tell = (message: unknown) => full.post(`${BUDGETS}/${id}/messages`, { message });
    assertInvalid(await tell(" \n "), "message:MIN_LENGTH");
    assertInvalid(await tell("x".repeat(2_001)), "message:MAX_LENGTH");
    assertInvalid(await tell(7), "message:INVALID_TYPE");
    assertStatus(await tell("x".repeat(2_000)), 201);
  });

  it("keeps hostile texts as they are, and refuses what no store keeps", async ({ full, anonymous }) => {
    const { id, link } = await linked(full);
    const text = `</script><script>alert(1)</script>"'\u2028\u202e\t${"\u001b"}[31m\r\n{{7*7}}`;
    const sent = await anonymous.post(`${link}/messages`, { name: text, message: text });
    assert.equal(assertStatus(sent, 201).at("data.message"), text);
    assert.match(sent.headers["content-type"] ?? "", /^application\/json/);
    assert.equal(sent.headers["x-content-type-options"], "nosniff");
    assert.equal((await full.get(`${BUDGETS}/${id}/messages`)).at("data.0.name"), text);
    const page = assertStatus(await anonymous.get(link, HTML), 200);
    assert.ok(!page.body.includes("<script>alert"));
    for (const bad of ["a\u0000b", "a\ud800b"]) {
      assertInvalid(await anonymous.post(`${link}/messages`, { name: "Ana", message: bad }), "message:INVALID_FORMAT");
    }
  });

  it("replays a message of the business by its Idempotency-Key", async ({ full }) => {
    const id = await createBudget(full);
    const send = () => full.post(`${BUDGETS}/${id}/messages`, { message: "Once" }, { "idempotency-key": "m-1" });
    const first = assertStatus(await send(), 201);
    assertReplay(first, await send());
    assert.equal((await full.get(`${BUDGETS}/${id}/messages`)).at("pagination.total"), 1);
  });
}

function repeatedCases({ it }: HttpCases): void {
  it("the same message within a minute is answered by the first one, without a second event", async (world) => {
    const { full, owner, anonymous, clock } = world;
    const { id, link } = await linked(full);
    const ask = (message = "In oak?", name = "Ana") => anonymous.post(`${link}/messages`, { name, message });
    const twice = await Promise.all([ask(), ask()]);
    const [first] = twice.map((sent) => assertStatus(sent, 201).at("data.id"));
    for (const sent of [...twice, await ask()]) assert.equal(sent.at("data.id"), first);
    const events = `/api/developer/events?event=budget.message_sent&subjectId=${id}`;
    assert.equal((await owner.get(events)).at("pagination.total"), 1);
    const path = `${BUDGETS}/${id}/messages`;
    const answers = [1, 2].map(() => full.post(path, { message: "In oak?" }));
    const [one, other] = (await Promise.all(answers)).map((sent) => assertStatus(sent, 201).at("data.id"));
    assert.deepEqual([one === other, one === first], [true, false]);
    for (const sent of [await ask("In oak"), await ask("In oak?", "Bea")]) assertStatus(sent, 201);
    clock.advance(MINUTE_MS);
    assert.notEqual((await ask()).at("data.id"), first);
    assert.equal((await full.get(path)).at("pagination.total"), 5);
  });

  it("keeps every one of ten different messages that are sent at once", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/messages`;
    const sent = Array.from({ length: 10 }, (_, index) => full.post(path, { message: `message ${index}` }));
    for (const each of await Promise.all(sent)) assertStatus(each, 201);
    assert.equal((await full.get(path)).at("pagination.total"), 10);
  });
}

function accessCases({ it }: HttpCases): void {
  it("messages need the scopes of budgets, and belong to one business", async (world) => {
    const { full, reader, writer, stranger, member } = world;
    const id = await createBudget(full);
    const path = `${BUDGETS}/${id}/messages`;
    assertStatus(await reader.post(path, { message: "Hello" }), 403);
    assertStatus(await writer.get(path), 403);
    assertStatus(await writer.post(path, { message: "Hello" }), 201);
    assertStatus(await reader.get(path), 200);
    assert.match((await member.post(path, { message: "Hello" })).text("data.sentBy"), /^user:/);
    assertStatus(await stranger.get(path), 404);
    assertStatus(await stranger.post(path, { message: "Hello" }), 404);
  });
}

function boundCases({ it }: HttpCases): void {
  it("refuses a customer's messages beyond 30 an hour on one link", async ({ full, anonymous, clock }) => {
    const [one, other] = [await linked(full), await linked(full)];
    const ask = (link: string) => anonymous.post(`${link}/messages`, { name: "Ana", message: "Hello" });
    for (let sent = 0; sent < 30; sent += 1) assertStatus(await ask(one.link), 201);
    const refused = assertStatus(await ask(one.link), 429);
    assert.equal(refused.headers["retry-after"], "3600");
    assertStatus(await ask(other.link), 201);
    assertStatus(await full.post(`${BUDGETS}/${one.id}/messages`, { message: "Enough" }), 201);
    clock.advance(HOUR_MS);
    assertStatus(await ask(one.link), 201);
  });

  it("a budget takes 500 messages, of which the customer writes 400 at most (TOO_MANY_MESSAGES)", async (world) => {
    const { service, business, full, anonymous } = world;
    const { id, link } = await linked(full);
    const send = async (message: string) => (await service.budgets.sendMessage(business, id, { message })).isOk();
    for (let sent = 0; sent < 400; sent += 1) assert.ok(await send(`message ${sent}`));
    const refused = await anonymous.post(`${link}/messages`, { name: "Ana", message: "One more" });
    assertRule(refused, "TOO_MANY_MESSAGES");
    const shown = (await anonymous.get(link)).at("data.messages");
    assert.ok(Array.isArray(shown));
    assert.deepEqual([shown.length, shown[0].message, shown[49].message], [50, "message 350", "message 399"]);
    for (let sent = 400; sent < 500; sent += 1) assert.ok(await send(`message ${sent}`));
    assertRule(await full.post(`${BUDGETS}/${id}/messages`, { message: "One more" }), "TOO_MANY_MESSAGES");
  });
}
