import assert from "node:assert/strict";
import type { MailMessage } from "@budgetkit/core";
import { DAY_MS, HOUR_MS } from "@budgetkit/core/store";
import { type HttpCases, withOptions } from "./cases.js";
import type { Reply } from "./client.js";
import { approve, assertInvalid, assertReplay, assertRule, assertStatus, BUDGETS, createBudget } from "./samples.js";
import type { World } from "./world.js";

const REMIND = `${BUDGETS}/remind`;
const EXTEND = `${BUDGETS}/extend`;
const IN_MAY = "2026-05-31T23:59:59.999Z";

const sent: MailMessage[] = [];
const sendMessage = async (mail: MailMessage) => void sent.push(mail);
const mailer = { send: async () => {}, sendMessage };

export function bulkActCases(cases: HttpCases): void {
  reminderCases(cases);
  extensionCases(cases);
  inputCases(cases);
}

/** What happened to each budget, as `done` or the code of the refusal. */
function outcomesOf(reply: Reply): string[] {
  const { results } = JSON.parse(assertStatus(reply, 200).body);
  return results.map((each: { status: string; code?: string }) => each.code ?? each.status);
}

/** A pending budget of a new customer with this email. */
async function budgetFor({ full, service, business }: World, email: string | null, overrides = {}): Promise<string> {
  const customer = await service.customers.create(business, { name: "Ana", email });
  const customerId = customer._unsafeUnwrap().id;
  return createBudget(full, { customerId, validUntil: "2026-04-30", ...overrides });
}

function reminderCases(cases: HttpCases): void {
  cases.it("refuses to remind without a mailer (501)", async ({ full }) => {
    assertStatus(await full.post(REMIND, { budgetIds: [await createBudget(full)] }), 501);
  });

  const { it } = withOptions(cases, { service: { mailer } });

  it("reminds of pending budgets now, and refuses others one by one (NOT_REMINDABLE, NO_RECIPIENT)", async (world) => {
    const { full, stranger, owner } = world;
    const ids = [
      await budgetFor(world, "ana@example.com"),
      await createBudget(stranger),
      await budgetFor(world, null),
      await budgetFor(world, "ben@example.com", { draft: true }),
      await budgetFor(world, "eva@example.com"),
    ];
    await approve(full, ids[4] ?? "");
    sent.length = 0;
    const reminded = await full.post(REMIND, { budgetIds: ids, message: "The oak is reserved until Friday." });
    const expected = ["done", "RESOURCE_NOT_FOUND", "NO_RECIPIENT", "NOT_REMINDABLE", "NOT_REMINDABLE"];
    assert.deepEqual(outcomesOf(reminded), expected);
    const { results } = JSON.parse(reminded.body);
    assert.deepEqual(
      results.map(({ budgetId }: { budgetId: string }) => budgetId),
      ids,
    );
    assert.match(results[3].message, /this one is DRAFT/);
    await world.service.tick();
    assert.deepEqual(
      sent.map(({ kind, to }) => `${kind} ${to}`),
      ["reminder ana@example.com"],
    );
    assert.ok(sent[0]?.text.includes("The oak is reserved until Friday."));
    assert.notEqual(sent[0]?.headers?.["List-Unsubscribe"], undefined);
    const listed = (await full.get(`${BUDGETS}/${ids[0]}/mails`)).at("data.0.createdBy");
    assert.equal(listed, `key:${full.id}`);
    const log = await owner.get("/api/developer/events?event=mail.queued");
    log.assertAt({ "pagination.total": 1, "data.0.actor": `key:${full.id}` });
    assert.equal((await stranger.get(`${BUDGETS}/${ids[1]}/mails`)).at("pagination.total"), 0);
  });

  it("reminds the recipient of the last mail, in its language", async (world) => {
    const { full, service } = world;
    const id = await budgetFor(world, "ana@example.com");
    assertStatus(await full.post(`${BUDGETS}/${id}/send`, { to: "buyer@example.com", lang: "es" }), 201);
    await service.tick();
    sent.length = 0;
    assert.deepEqual(outcomesOf(await full.post(REMIND, { budgetIds: [id] })), ["done"]);
    await service.tick();
    assert.deepEqual([sent[0]?.to, sent[0]?.subject.startsWith("Su presupuesto")], ["buyer@example.com", true]);
  });

  it("a reminder of a budget without an end names no last day", async (world) => {
    const id = await budgetFor(world, "ana@example.com", { validUntil: null });
    sent.length = 0;
    assert.deepEqual(outcomesOf(await world.full.post(REMIND, { budgetIds: [id] })), ["done"]);
    await world.service.tick();
    assert.ok(!sent[0]?.subject.includes("until"), sent[0]?.subject);
  });

  it("refuses a second reminder of a budget within 20 hours (REMINDED_RECENTLY), also of two at once", async (world) => {
    const { full, clock } = world;
    const budgetIds = [await budgetFor(world, "ana@example.com")];
    const remind = async () => outcomesOf(await full.post(REMIND, { budgetIds }))[0];
    const atOnce = await Promise.all([remind(), remind(), remind()]);
    assert.deepEqual(atOnce.sort(), ["REMINDED_RECENTLY", "REMINDED_RECENTLY", "done"]);
    clock.advance(20 * HOUR_MS - 1);
    assert.equal(await remind(), "REMINDED_RECENTLY");
    clock.advance(1);
    assert.equal(await remind(), "done");
  });

  it("respects a customer who has ended the reminders (REMINDERS_OFF)", async (world) => {
    const { full, anonymous } = world;
    const id = await budgetFor(world, "ana@example.com");
    const token = (await full.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken");
    assertStatus(await anonymous.post(`/p/${token}/unsubscribe`), 200);
    assert.deepEqual(outcomesOf(await full.post(REMIND, { budgetIds: [id] })), ["REMINDERS_OFF"]);
  });

  const limited = withOptions(cases, { service: { mailer, mails: { perHour: 2 } } });

  limited.it(
    "counts reminders for the hourly limit of mails, and reminds up to it (RATE_LIMIT_EXCEEDED)",
    async (world) => {
      const budgetIds = [];
      for (const name of ["a", "b", "c"]) budgetIds.push(await budgetFor(world, `${name}@example.com`));
      const reminded = await world.full.post(REMIND, { budgetIds });
      assert.deepEqual(outcomesOf(reminded), ["done", "done", "RATE_LIMIT_EXCEEDED"]);
    },
  );

  it("an Idempotency-Key reminds once, and the replay has the same results", async (world) => {
    const { full } = world;
    const body = { budgetIds: [await budgetFor(world, "ana@example.com"), "unknown"] };
    const once = { "idempotency-key": "remind-1" };
    const first = await full.post(REMIND, body, once);
    assert.deepEqual(outcomesOf(first), ["done", "RESOURCE_NOT_FOUND"]);
    assertReplay(first, await full.post(REMIND, body, once));
    assert.equal((await full.get(`${BUDGETS}/${body.budgetIds[0]}/mails`)).at("pagination.total"), 1);
  });
}

function extensionCases({ it }: HttpCases): void {
  it("extends pending and expired budgets, and refuses others one by one (NOT_EXTENDABLE, VALIDITY_NOT_LATER)", async (world) => {
    const { full, stranger, clock } = world;
    const expired = await createBudget(full, { validUntil: "2026-03-03" });
    clock.advance(3 * DAY_MS);
    const ids = [
      await createBudget(full, { validUntil: "2026-04-01" }),
      expired,
      await createBudget(full, { validUntil: "2026-06-30" }),
      await createBudget(full, { validUntil: null }),
      await createBudget(full, { draft: true }),
      await createBudget(stranger, { validUntil: "2026-04-01" }),
    ];
    const extended = await full.post(EXTEND, { budgetIds: ids, validUntil: "2026-05-31" });
    const notLater = ["VALIDITY_NOT_LATER", "VALIDITY_NOT_LATER"];
    const expected = ["done", "done", ...notLater, "NOT_EXTENDABLE", "RESOURCE_NOT_FOUND"];
    assert.deepEqual(outcomesOf(extended), expected);
    for (const id of ids.slice(0, 2)) {
      (await full.get(`${BUDGETS}/${id}`)).assertData({ status: "PENDING", validUntil: IN_MAY });
      assert.equal((await full.get(`${BUDGETS}/${id}/revisions`)).at("pagination.total"), 2);
    }
    assert.equal((await full.get(`${BUDGETS}/${ids[3]}`)).at("data.validUntil"), null);
    assert.equal((await stranger.get(`${BUDGETS}/${ids[5]}`)).at("data.validUntil"), "2026-04-01T23:59:59.999Z");
    const log = await world.owner.get("/api/developer/events?event=budget.updated");
    log.assertAt({ "pagination.total": 2, "data.0.actor": `key:${full.id}` });
  });

  it("an extension that is sent again changes nothing", async ({ full }) => {
    const body = { budgetIds: [await createBudget(full, { validUntil: "2026-04-01" })], validUntil: "2026-05-31" };
    assert.deepEqual(outcomesOf(await full.post(EXTEND, body)), ["done"]);
    const before = (await full.get(`${BUDGETS}/${body.budgetIds[0]}`)).body;
    assert.deepEqual(outcomesOf(await full.post(EXTEND, body)), ["done"]);
    assert.equal((await full.get(`${BUDGETS}/${body.budgetIds[0]}`)).body, before);
  });

  it("leaves an acceptance that waits for a deposit (ALREADY_ACCEPTED)", async ({ full, anonymous }) => {
    const deposit = { rate: 0.3 };
    const id = await createBudget(full, { validUntil: "2026-04-01", deposit });
    const link = `/p/${(await full.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken")}`;
    const { version } = JSON.parse((await anonymous.get(link)).body).data;
    assertStatus(await anonymous.post(`${link}/accept`, { version, name: "Ana" }), 200);
    const body = { budgetIds: [id], validUntil: "2026-05-31" };
    assert.deepEqual(outcomesOf(await full.post(EXTEND, body)), ["ALREADY_ACCEPTED"]);
    (await full.get(`${BUDGETS}/${id}`)).assertData({ validUntil: "2026-04-01T23:59:59.999Z" });
  });

  it("refuses a validity in the past as a whole (VALIDITY_IN_THE_PAST)", async ({ full }) => {
    const budgetIds = [await createBudget(full, { validUntil: "2026-04-01" })];
    const refused = await full.post(EXTEND, { budgetIds, validUntil: "2026-03-01" });
    assertRule(refused, "VALIDITY_IN_THE_PAST");
    assert.equal(refused.at("details.field"), "validUntil");
  });

  it("a user extends as a key does; without WRITE_BUDGETS it is refused (FORBIDDEN)", async (world) => {
    const { full, member, reader } = world;
    const body = { budgetIds: [await createBudget(full, { validUntil: "2026-04-01" })], validUntil: "2026-05-31" };
    assertStatus(await reader.post(EXTEND, body), 403);
    assert.deepEqual(outcomesOf(await member.post(EXTEND, body)), ["done"]);
  });
}

function inputCases({ it }: HttpCases): void {
  const date = { validUntil: "2026-05-31" };
  const wrong: readonly (readonly [title: string, body: object, error: string])[] = [
    ["no ids", { ...date }, "budgetIds:REQUIRED"],
    ["an empty list of ids", { ...date, budgetIds: [] }, "budgetIds:MIN_LENGTH"],
    ["101 ids", { ...date, budgetIds: Array.from({ length: 101 }, (_, id) => String(id)) }, "budgetIds:MAX_LENGTH"],
    ["an id twice", { ...date, budgetIds: ["1", "2", "1"] }, "budgetIds[2]:INVALID_VALUE"],
    ["an id that is a number", { ...date, budgetIds: [1] }, "budgetIds[0]:INVALID_TYPE"],
    ["no date", { budgetIds: ["1"] }, "validUntil:REQUIRED"],
    ["an end of the validity that is null", { budgetIds: ["1"], validUntil: null }, "validUntil:INVALID_TYPE"],
    ["a date that is none", { budgetIds: ["1"], validUntil: "soon" }, "validUntil:INVALID_FORMAT"],
  ];
  for (const [title, body, error] of wrong) {
    it(`refuses to extend budgets with ${title}`, async ({ full }) => {
      assertInvalid(await full.post(EXTEND, body), error);
    });
  }
}
