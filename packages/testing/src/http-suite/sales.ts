import assert from "node:assert/strict";
import { DAY_MS, HOUR_MS } from "@budgetkit/core/store";
import { drawInteger, drawOne, seededRandom } from "../seeded-random.js";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { approve, assertStatus, BUDGETS, createBudget, linked } from "./samples.js";
import type { World } from "./world.js";

const SALES = "/api/developer/sales";
const WEEK_MS = 7 * DAY_MS;
const NONE = { count: 0, value: 0 };

/** A budget of one line without tax. */
const of = (unitPrice: number, currency = "USD") => ({
  items: [{ description: "Table", quantity: 1, unitPrice }],
  taxRate: 0,
  currency,
});

export function salesCases({ it }: HttpCases): void {
  it("sales sum sent budgets exactly by week, currency and outcome", async ({ owner, full, clock }) => {
    await createBudget(full, of(5));
    const expiring = await createBudget(full, { ...of(1_000, "JPY"), validUntil: "2026-03-02T12:00:01Z" });
    assert.ok(expiring);
    clock.advance(WEEK_MS);
    for (const price of [0.1, 0.2]) await approve(full, await createBudget(full, of(price)));
    const declined = await createBudget(full, of(3));
    await full.put(`${BUDGETS}/${declined}`, { status: "REJECTED" });
    await createBudget(full, { ...of(9), draft: true });
    await full.delete(`${BUDGETS}/${await createBudget(full, of(11))}`);
    const shown = assertStatus(await owner.get(`${SALES}?weeks=3`), 200);
    const [empty, first, second] = JSON.parse(shown.body).weeks;
    assert.deepEqual(empty, { week: "2026-02-23", byCurrency: {} });
    const lost = { count: 1, value: 1_000 };
    const five = { count: 1, value: 5 };
    assert.deepEqual(first, {
      week: "2026-03-02",
      byCurrency: {
        JPY: { won: NONE, waiting: NONE, lost, sent: lost },
        USD: { won: NONE, waiting: five, lost: NONE, sent: five },
      },
    });
    const won = { count: 2, value: 0.3 };
    const three = { count: 1, value: 3 };
    assert.deepEqual(second, {
      week: "2026-03-09",
      byCurrency: { USD: { won, waiting: NONE, lost: three, sent: { count: 3, value: 3.3 } } },
    });
    shown.assertAt({
      timeZone: "UTC",
      waiting: { USD: five },
      won: { USD: won },
      conversion: { rate: 0.5, answered: 4, won: 2, previousRate: null },
      toCollect: { USD: won },
    });
    const present = await owner.get(`${SALES}?weeks=1`);
    assert.deepEqual(present.at("conversion"), { rate: 0.6667, answered: 3, won: 2, previousRate: 0 });
    assert.deepEqual(present.at("waiting"), { USD: five });
  });

  it("a budget counts in the week in which it was first sent, also after a withdrawal", async (world) => {
    const { full, clock } = world;
    const drafted = `${BUDGETS}/${await createBudget(full, { ...of(1), draft: true })}`;
    const sent = `${BUDGETS}/${await createBudget(full, of(20))}`;
    clock.advance(WEEK_MS);
    assertStatus(await full.post(`${drafted}/submit`), 200);
    assertStatus(await full.post(`${sent}/withdraw`), 200);
    assert.deepEqual(await sentByWeek(world), [0, 1]);
    clock.advance(WEEK_MS);
    for (const path of [drafted, sent]) {
      if (path === drafted) assertStatus(await full.post(`${path}/withdraw`), 200);
      assertStatus(await full.post(`${path}/submit`), 200);
    }
    assert.deepEqual(await sentByWeek(world, 3), [20, 1, 0]);
  });

  it("weeks begin on the Monday of the business's time zone", async (world) => {
    const { full, owner, clock } = world;
    clock.advance(6 * DAY_MS + 13 * HOUR_MS); // Monday 01:00 in UTC, Sunday 22:00 in Buenos Aires
    await createBudget(full, of(7));
    assert.deepEqual(await sentByWeek(world), [0, 7]);
    const settings = { timeZone: "America/Argentina/Buenos_Aires" };
    assertStatus(await owner.put("/api/developer/business", settings), 200);
    clock.advance(3 * HOUR_MS);
    assert.deepEqual(await sentByWeek(world), [7, 0]);
  });

  it("sales count balances to collect, deposits due and budgets that expire within a week", async (world) => {
    const { full, owner, anonymous } = world;
    const paid = await createBudget(full, of(100));
    await approve(full, paid);
    assertStatus(await full.post(`${BUDGETS}/${paid}/payments`, { amount: 99.5, reference: "cash" }), 201);
    await createBudget(full, { ...of(1), validUntil: "2026-03-09T12:00:00Z" });
    await createBudget(full, { ...of(1), validUntil: "2026-03-09T12:00:00.001Z" });
    const { link } = await linked(full, { ...of(10), deposit: { rate: 0.5 } });
    const { version, hash } = JSON.parse((await anonymous.get(link)).body).data;
    assertStatus(await anonymous.post(`${link}/accept`, { version, hash, name: "Ana" }), 200);
    const shown = await owner.get(SALES);
    shown.assertAt({ toCollect: { USD: { count: 1, value: 0.5 } }, depositsDue: 1, expiringSoon: 1 });
    assert.equal(JSON.parse(shown.body).weeks.length, 12);
  });

  for (const seed of [1, 2]) {
    it(`the weeks agree with the list after a random year, seed ${seed}`, async (world) => {
      const sentWeeks = await randomSales(world, seed);
      const expected = new Map<string, number>();
      for (const { id, status, total } of await allBudgets(world)) {
        const week = sentWeeks.get(id);
        const outcome = outcomeOf(status);
        if (week === undefined || outcome === null) continue;
        expected.set(`${week} ${outcome}`, (expected.get(`${week} ${outcome}`) ?? 0) + Math.round(total * 100));
      }
      const { weeks } = (await world.service.usage.sales(world.business, { weeks: 53 }))._unsafeUnwrap();
      const shown = new Map<string, number>();
      for (const { week, byCurrency } of weeks) {
        for (const outcome of OUTCOMES) {
          const value = Math.round((byCurrency.USD?.[outcome].value ?? 0) * 100);
          if (value > 0) shown.set(`${week} ${outcome}`, value);
        }
      }
      assert.deepEqual(shown, new Map([...expected].filter(([, value]) => value > 0)));
    });
  }

  it("sales take 1 to 53 weeks", async ({ owner }) => {
    for (const weeks of [0, 54, "two", 1.5]) {
      const refused = assertStatus(await owner.get(`${SALES}?weeks=${weeks}`), 400);
      assert.equal(refused.at("error.details.0.field"), "weeks");
    }
    for (const weeks of [1, 53]) assert.equal((await weeksOf(owner, weeks)).length, weeks);
  });

  it("refuses sales to keys (401)", async ({ full }) => {
    assertStatus(await full.get(SALES), 401);
  });
}

async function weeksOf(owner: Client, weeks: number): Promise<readonly unknown[]> {
  return JSON.parse(assertStatus(await owner.get(`${SALES}?weeks=${weeks}`), 200).body).weeks;
}

/** In process: logins end meanwhile. */
async function sentByWeek({ service, business }: World, weeks = 2): Promise<readonly number[]> {
  const shown = (await service.usage.sales(business, { weeks }))._unsafeUnwrap();
  return shown.weeks.map(({ byCurrency }) => byCurrency.USD?.sent.value ?? 0);
}

function outcomeOf(status: string): string | null {
  if (["APPROVED", "COMPLETED", "ARCHIVED"].includes(status)) return "won";
  if (["REJECTED", "EXPIRED"].includes(status)) return "lost";
  return status === "PENDING" ? "waiting" : null;
}

/** Creates, sends, answers and deletes budgets over weeks. Resolves with the Monday on which each was first sent. */
async function randomSales({ full, clock }: World, seed: number): Promise<ReadonlyMap<string, string>> {
  const random = seededRandom(seed);
  const sentWeeks = new Map<string, string>();
  const drafts: string[] = [];
  const monday = () => {
    const now = new Date(clock.now());
    const days = (now.getUTCDay() + 6) % 7;
    return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
  };
  for (let step = 0; step < 60; step += 1) {
    clock.advance(drawInteger(random, 4 * DAY_MS));
    const draft = drawInteger(random, 3) === 0;
    const validUntil = new Date(clock.now() + drawInteger(random, 40 * DAY_MS) + 1).toISOString();
    const price = drawInteger(random, 1_000_000) / 100;
    const id = await createBudget(full, {
      ...of(price),
      draft,
      ...(drawInteger(random, 2) === 0 ? { validUntil } : {}),
    });
    if (draft) drafts.push(id);
    else sentWeeks.set(id, monday());
    const [late] = drafts;
    if (late !== undefined && drawInteger(random, 3) === 0) {
      drafts.shift();
      if ((await full.post(`${BUDGETS}/${late}/submit`)).status === 200) sentWeeks.set(late, monday());
    }
    if (sentWeeks.size === 0) continue;
    const answered = drawOne(random, [...sentWeeks.keys()]);
    const status = drawOne(random, ["APPROVED", "REJECTED", "PENDING"]);
    await full.put(`${BUDGETS}/${answered}`, { status }); // may be refused
    if (drawInteger(random, 10) === 0) await full.delete(`${BUDGETS}/${answered}`);
  }
  return sentWeeks;
}

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly total: number;
}

async function allBudgets({ full }: World): Promise<readonly Listed[]> {
  return JSON.parse(assertStatus(await full.get(`${BUDGETS}?limit=100`), 200).body).data;
}

const OUTCOMES = ["won", "waiting", "lost"] as const;
