import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { KITCHEN } from "./kitchen.js";
import { approve, assertInvalid, assertRule, assertStatus, BUDGETS, FORM, HTML, linked } from "./samples.js";

/** The ids of the lines of the kitchen that a customer may set. */
interface Open {
  readonly oak: string;
  readonly granite: string;
  readonly steel: string;
  readonly island: string;
  readonly tiles: string;
}

function openLines(shown: Reply): Open {
  const [oak = "", granite = "", steel = "", island = "", tiles = ""] = [2, 3, 4, 5, 6].map((index) =>
    shown.text(`data.items.${index}.id`),
  );
  return { oak, granite, steel, island, tiles };
}

async function kitchen(full: Client, anonymous: Client) {
  const { id, link } = await linked(full, KITCHEN);
  const shown = assertStatus(await anonymous.get(link), 200);
  return { id, link, shown, lines: openLines(shown), version: Number(shown.at("data.version")) };
}

export function configuredOfferCases(cases: HttpCases): void {
  previewCases(cases);
  acceptanceCases(cases);
  formCases(cases);
  refusalCases(cases);
}

function previewCases({ it }: HttpCases): void {
  it("calculates the offer with what the customer sets, and stores nothing", async ({ full, anonymous }) => {
    const { id, link, shown, lines } = await kitchen(full, anonymous);
    const selection = [
      { itemId: lines.granite, selected: true },
      { itemId: lines.island, selected: true },
      { itemId: lines.tiles, quantity: 42.5 },
    ];
    const preview = assertStatus(await anonymous.post(`${link}/preview`, { selection }), 200);
    preview.assertData({
      total: 9_151,
      tax: 1_588.19,
      minimumPaymentToConfirm: 2_745.3,
      "items.3.selected": true,
      "items.6.unitPrice": 36,
      hash: shown.at("data.hash"),
      version: shown.at("data.version"),
    });
    assert.deepEqual((await anonymous.get(link)).at("data"), shown.at("data"));
    assert.equal((await full.get(`${BUDGETS}/${id}`)).at("data.revision"), 1);
  });

  it("selecting one of a choice of one unselects the other", async ({ full, anonymous }) => {
    const { link, lines } = await kitchen(full, anonymous);
    const both = [lines.oak, lines.granite].map((itemId) => ({ itemId, selected: true }));
    assertRule(await anonymous.post(`${link}/preview`, { selection: both }), "CHOICE_EXCEEDED");
    const first = await anonymous.post(`${link}/preview`, { selection: both.slice(0, 1) });
    first.assertData({ "items.2.selected": true, "items.3.selected": false });
  });
}

function acceptanceCases({ it }: HttpCases): void {
  it("an acceptance writes the selection as one revision, and proves offer, selection and result", async (world) => {
    const { full, owner, anonymous } = world;
    const { id, link, shown, lines, version } = await kitchen(full, anonymous);
    const selection = [
      { itemId: lines.steel, selected: true },
      { itemId: lines.tiles, quantity: 20 },
    ];
    const answer = { version, hash: shown.text("data.hash"), name: "Ana", selection };
    const accepted = assertStatus(await anonymous.post(`${link}/accept`, answer), 200);
    accepted.assertData({ total: 6_171, revision: 2, status: "PENDING", dueToConfirm: 1_851.3 });
    const again = assertStatus(await anonymous.post(`${link}/accept`, answer), 200);
    assert.equal(again.at("data.version"), accepted.at("data.version"));
    const payload = payloadOf(await anonymous.get(`${link}/evidence.json`));
    assert.equal(payload.contentHash, accepted.at("data.hash"));
    assert.equal(payload.offerHash, shown.at("data.hash"));
    assert.deepEqual([payload.content.total, payload.offer.total], [6_171, 5_321]);
    assert.deepEqual(payload.selection, [
      { itemId: lines.oak, selected: false },
      { itemId: lines.granite, selected: false },
      { itemId: lines.steel, selected: true },
      { itemId: lines.island, selected: false },
      { itemId: lines.tiles, quantity: 20 },
    ]);
    const events = await owner.get(`/api/developer/events?subjectId=${id}`);
    assert.deepEqual(
      [events.at("data.0.data.fields"), events.at("data.1.data.fields")],
      [["acceptance"], ["items", "taxes", "tax"]],
    );
    const paid = await full.post(`${BUDGETS}/${id}/payments`, { amount: 1_851.3, reference: "1" });
    assertStatus(paid, 201);
    (await full.get(`${BUDGETS}/${id}`)).assertData({
      status: "APPROVED",
      approvedBy: "customer:Ana",
      balance: 4_319.7,
    });
  });

  it("a choice without a selection hinders an acceptance by anybody (CHOICE_INCOMPLETE)", async (world) => {
    const { full, anonymous } = world;
    const { id, link, lines, version } = await kitchen(full, anonymous);
    const refused = await anonymous.post(`${link}/accept`, { version, name: "Ana" });
    assertRule(refused, "CHOICE_INCOMPLETE", "items");
    assert.deepEqual(refused.at("details.keys"), ["worktop"]);
    assertRule(await full.put(`${BUDGETS}/${id}`, { status: "APPROVED" }), "CHOICE_INCOMPLETE");
    const items = [0, 1, 2, 3, 4, 5, 6, 7];
    const budget = await full.get(`${BUDGETS}/${id}`);
    const chosen = items.map((index) => {
      const line = { id: budget.text(`data.items.${index}.id`) };
      return line.id === lines.oak ? { ...line, selected: true } : line;
    });
    assertStatus(await full.put(`${BUDGETS}/${id}`, { items: chosen }), 200);
    await approve(full, id);
  });

  it("a selection is of the offer that was shown: a changed one is a conflict", async ({ full, anonymous }) => {
    const { id, link, lines, version } = await kitchen(full, anonymous);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { notes: "With delivery" }), 200);
    const selection = [{ itemId: lines.oak, selected: true }];
    assertStatus(await anonymous.post(`${link}/accept`, { version, name: "Ana", selection }), 409);
    const offered = `offered.${lines.island}=1&offered.${lines.oak}=1`;
    const form = `version=${version}&name=Ana&${offered}&selected.${lines.island}=1&choice.worktop=${lines.oak}`;
    const page = assertStatus(await anonymous.post(`${link}/accept`, form, { ...HTML, ...FORM }), 409);
    assert.ok(page.body.includes("8,221.00"), "the page keeps the choices");
  });
}

function formCases({ it }: HttpCases): void {
  it("the form of the page sets lines without scripts, and an unchecked box unselects", async ({ full, anonymous }) => {
    const { link, shown, lines, version } = await kitchen(full, anonymous);
    const offered = [lines.oak, lines.granite, lines.steel, lines.island].map((id) => `offered.${id}=1`).join("&");
    const choices = `${offered}&choice.worktop=${lines.oak}&quantity.${lines.tiles}=42%2C5`;
    const preview = await anonymous.post(`${link}/preview`, choices, { ...FORM });
    preview.assertData({ total: 6_551, "items.5.selected": false });
    const page = assertStatus(await anonymous.post(`${link}/preview`, choices, { ...HTML, ...FORM }), 200);
    assert.ok(page.body.includes("6,551.00"));
    assert.ok(page.body.includes(shown.text("data.hash")), "an acceptance names the offer that was shown");
    const answer = `version=${version}&hash=${shown.text("data.hash")}&name=Ana&${choices}`;
    assertStatus(await anonymous.post(`${link}/accept`, answer, { ...HTML, ...FORM }), 303);
    (await anonymous.get(link)).assertData({ total: 6_551, "items.6.quantity": 42.5 });
  });
}

function refusalCases({ it }: HttpCases): void {
  it("refuses what the offer does not leave open (SELECTION_NOT_OFFERED)", async ({ full, anonymous }) => {
    const { id, link, lines, version } = await kitchen(full, anonymous);
    const cupboards = (await full.get(`${BUDGETS}/${id}`)).text("data.items.0.id");
    const refused: [object, string][] = [
      [{ itemId: cupboards, selected: false }, "selection[0].selected"],
      [{ itemId: cupboards, quantity: 2 }, "selection[0].quantity"],
      [{ itemId: lines.oak, quantity: 2 }, "selection[0].quantity"],
      [{ itemId: lines.tiles, selected: false }, "selection[0].selected"],
      [{ itemId: lines.tiles, quantity: 19.5 }, "selection[0].quantity"],
      [{ itemId: lines.tiles, quantity: 60.5 }, "selection[0].quantity"],
      [{ itemId: lines.tiles, quantity: 20.25 }, "selection[0].quantity"],
      [{ itemId: "1", selected: true }, "selection[0].itemId"],
    ];
    for (const [each, field] of refused) {
      assertRule(await anonymous.post(`${link}/preview`, { selection: [each] }), "SELECTION_NOT_OFFERED", field);
      const answer = { version, name: "Ana", selection: [each] };
      assertRule(await anonymous.post(`${link}/accept`, answer), "SELECTION_NOT_OFFERED", field);
    }
    const twice = [lines.oak, lines.oak].map((itemId) => ({ itemId, selected: true }));
    assertRule(await anonymous.post(`${link}/preview`, { selection: twice }), "SELECTION_NOT_OFFERED");
    const priced = [{ itemId: lines.tiles, unitPrice: 0, quantity: 20 }];
    (await anonymous.post(`${link}/preview`, { selection: priced })).assertData({ "items.6.unitPrice": 40 });
    assertInvalid(await anonymous.post(`${link}/preview`, {}), "selection:REQUIRED");
    assertInvalid(
      await anonymous.post(`${link}/preview`, { selection: [{ itemId: lines.tiles, quantity: -1 }] }),
      "selection[0].quantity:MIN_VALUE",
    );
  });

  it("the page says that an entry is not possible, and keeps the others", async ({ full, anonymous }) => {
    const { link, lines } = await kitchen(full, anonymous);
    const form = `offered.${lines.island}=1&selected.${lines.island}=1&quantity.${lines.tiles}=61`;
    const page = assertStatus(await anonymous.post(`${link}/preview`, form, { ...HTML, ...FORM }), 422);
    assert.ok(page.body.includes("One of your entries is not possible"));
    assert.ok(page.body.includes("7,321.00"), "the island stays selected");
  });

  it("an answered offer is no longer set (INVALID_TRANSITION)", async ({ full, anonymous }) => {
    const { link, lines, version } = await kitchen(full, anonymous);
    assertStatus(await anonymous.post(`${link}/decline`, { version, name: "Ana" }), 200);
    const selection = [{ itemId: lines.oak, selected: true }];
    assertRule(await anonymous.post(`${link}/preview`, { selection }), "INVALID_TRANSITION");
  });
}

function payloadOf(evidence: Reply) {
  return JSON.parse(Buffer.from(evidence.text("payload"), "base64url").toString());
}
