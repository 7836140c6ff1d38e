import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { load } from "./customer-page.js";
import { assertStatus, BUDGETS, createBudget, HTML, linked } from "./samples.js";

const PHONE = { "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1" };
const COMPUTER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
const JSON_ALONE = { accept: "application/json" };

export function linkViewCases({ it }: HttpCases): void {
  it("lists the views of a link with their devices, newest first", async ({ full, reader, send, clock }) => {
    const { id, link } = await linked(full);
    assert.deepEqual((await reader.get(`${BUDGETS}/${id}/views`)).at("data"), []);
    const first = new Date(clock.now()).toISOString();
    await load(send, `${link}/seen.svg`, PHONE);
    clock.advance(MINUTE_MS);
    const second = new Date(clock.now()).toISOString();
    await load(send, `${link}/seen.svg?c=mail`, COMPUTER);
    const listed = assertStatus(await reader.get(`${BUDGETS}/${id}/views?limit=1`), 200);
    assert.deepEqual(listed.at("data"), [{ viewedAt: second, device: "computer" }]);
    listed.assertAt({ "pagination.total": 2, "pagination.hasMore": true });
    const last = await reader.get(`${BUDGETS}/${id}/views?limit=1&page=2`);
    assert.deepEqual(last.at("data"), [{ viewedAt: first, device: "phone" }]);
  });

  it("one kind of device counts once in ten minutes", async ({ full, send, clock }) => {
    const { id, link } = await linked(full);
    const total = async () => (await full.get(`${BUDGETS}/${id}/views`)).at("pagination.total");
    await load(send, `${link}/seen.svg`, PHONE);
    clock.advance(10 * MINUTE_MS - 1);
    await load(send, `${link}/seen.svg`, PHONE);
    assert.equal(await total(), 1);
    clock.advance(1);
    await load(send, `${link}/seen.svg`, PHONE);
    assert.equal(await total(), 2);
  });

  it("reads and lists of budgets show the views to the business, never to the customer", async (world) => {
    const { full, anonymous, send, clock } = world;
    const { id, link } = await linked(full);
    const other = await createBudget(full);
    const before = await full.get(`${BUDGETS}/${id}`);
    assert.equal(before.at("data.views"), undefined);
    await load(send, `${link}/seen.svg`, PHONE);
    const views = { count: 1, lastViewedAt: new Date(clock.now()).toISOString() };
    const after = await full.get(`${BUDGETS}/${id}`);
    assert.deepEqual(after.at("data.views"), views);
    assert.equal(after.at("data.version"), before.at("data.version"));
    assert.notEqual(after.headers.etag, before.headers.etag);
    const { data } = JSON.parse((await full.get(BUDGETS)).body);
    assert.deepEqual(
      data.map((entry: { id: string; views?: unknown }) => [entry.id, entry.views]),
      [
        [other, undefined],
        [id, views],
      ],
    );
    const shown = await anonymous.get(link);
    assert.equal(shown.at("data.views"), undefined);
    assert.doesNotMatch((await anonymous.get(link, HTML)).body, /lastViewedAt/);
  });

  it("counts a program that names JSON, and no scanner that takes anything, nor HEAD", async (world) => {
    const { full, anonymous, owner, send } = world;
    const { id, link } = await linked(full);
    const total = async () => (await full.get(`${BUDGETS}/${id}/views`)).at("pagination.total");
    await anonymous.get(link);
    await anonymous.get(link, { accept: "*/*" });
    await load(send, link, JSON_ALONE, "HEAD");
    await load(send, link, { ...JSON_ALONE, purpose: "prefetch" });
    assert.equal(await total(), 0);
    assertStatus(await anonymous.get(link, JSON_ALONE), 200);
    await eventually(async () => assert.equal(await total(), 1));
    const events = await owner.get(`/api/developer/events?event=budget.viewed&subjectId=${id}`);
    assert.equal(events.at("pagination.total"), 1);
  });

  it("hides the views of a budget from other businesses and from keys without READ_BUDGETS", async (world) => {
    const { full, stranger, withKey } = world;
    const id = await createBudget(full);
    assertStatus(await stranger.get(`${BUDGETS}/${id}/views`), 404);
    const client = await withKey({ scopes: ["READ_CUSTOMERS"] });
    assertStatus(await client.get(`${BUDGETS}/${id}/views`), 403);
    await full.delete(`${BUDGETS}/${id}`);
    assertStatus(await full.get(`${BUDGETS}/${id}/views`), 404);
  });
}

/** Reads of JSON do not wait for the view that they count. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const isDone = await check().then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  await check();
}
