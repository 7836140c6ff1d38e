import { aBudget, anEvent, drawInteger, rounds, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { BUDGET_STATUSES } from "../../budgets/budget.js";
import { insertBudgetCommit } from "../../budgets/budget-commits.js";
import { commitOf } from "../../commit/commit.js";
import { EVENT_TYPES } from "../../events/event.js";
import { EVENT_WILDCARDS } from "../../events/event-pattern.js";
import { parseInput } from "../../kernel/validation.js";
import { webhookWorld } from "../../testing/webhook-world.js";
import { createEndpointSchema } from "./endpoint-view.js";
import { createEndpoint, updateEndpoint } from "./manage-endpoints.js";
import { type FilterTestView, testFilter, testFilterSchema } from "./test-filter.js";

const URL = "https://hooks.example/budgets";

async function filterWorld() {
  const world = await webhookWorld();
  const { context, owner } = world;
  return {
    ...world,
    create: (settings: object) =>
      createEndpoint(context, owner, parseInput(createEndpointSchema, { url: URL, ...settings })._unsafeUnwrap()),
    test: (input: object, actor = owner) =>
      testFilter(context, actor, parseInput(testFilterSchema, input)._unsafeUnwrap()),
    /** The conditions that each event does not meet, the oldest event first. */
    unmet: async (input: object) => {
      const view = await testFilter(context, owner, parseInput(testFilterSchema, input)._unsafeUnwrap());
      return conditionsOf(view._unsafeUnwrap());
    },
  };
}

function conditionsOf({ events }: FilterTestView): string[][] {
  return events.map(({ reasons }) => reasons.map(({ condition }) => condition)).reverse();
}

const approved = { id: "1", status: "APPROVED", currency: "USD", customerId: "ana", total: 100 };

describe("the conditions of a filter", () => {
  it("must all be met", async () => {
    const { commit, unmet } = await filterWorld();
    await commit(
      { data: approved },
      { data: { ...approved, status: "DRAFT" } },
      { data: { ...approved, total: 99.99 } },
    );
    const filter = { status: ["APPROVED", "REJECTED"], minimumTotal: { amount: 100, currency: "USD" } };
    expect(await unmet({ filter })).toEqual([[], ["status"], ["minimumTotal"]]);
    expect(await unmet({ filter: { customerId: ["ben"], currency: ["EUR"] } })).toEqual(
      Array(3).fill(["currency", "customerId"]),
    );
  });

  it("compare no amounts of different currencies", async () => {
    const { commit, unmet } = await filterWorld();
    await commit({ data: { ...approved, currency: "ARS", total: 1_000_000 } });
    const minimumTotal = { amount: 10, currency: "USD" };
    expect(await unmet({ filter: { minimumTotal } })).toEqual([["minimumTotal"]]);
    expect(await unmet({ filter: { minimumTotal: { ...minimumTotal, currency: "ARS" } } })).toEqual([[]]);
  });

  it("are not met by data without the field", async () => {
    const { commit, unmet } = await filterWorld();
    await commit({ type: "customer.deleted", data: { id: "ana", deletedAt: "2026-03-02T12:00:00.000Z" } });
    expect(await unmet({ filter: { customerId: ["ana"] } })).toEqual([["customerId"]]);
  });
});

describe("a filter that is saved", () => {
  it.each([
    [{ events: ["customer.*"], filter: { status: ["DRAFT"] } }],
    [{ events: ["budget.approved", "product.created"], filter: { status: ["REJECTED"] } }],
    [{ events: ["*.deleted"], filter: { status: ["APPROVED"] } }],
    [{ events: ["product.*"], filter: { customerId: ["ana"] } }],
    [{ filter: { currency: ["EUR"], minimumTotal: { amount: 1, currency: "USD" } } }],
    [{ filter: { minimumTotal: { amount: 1e15, currency: "USD" } } }],
  ])("is refused when no event can meet it: %j", async (settings) => {
    const { create, test, store } = await filterWorld();
    const refusal = { kind: "rule", rule: "FILTER_NEVER_MATCHES" };
    expect((await create(settings))._unsafeUnwrapErr()).toMatchObject(refusal);
    expect((await test(settings))._unsafeUnwrapErr()).toMatchObject(refusal);
    expect((await store.findSubscribers("1")).endpoints).toEqual([]);
  });

  it.each([
    [{ events: ["*.updated"], filter: { currency: ["EUR"] } }],
    [{ events: ["customer.created", "budget.approved"], filter: { status: ["APPROVED"] } }],
    [{ events: null, filter: { status: ["DELETED"], customerId: ["ana"] } }],
  ])("is accepted when some event can meet it: %j", async (settings) => {
    const { create } = await filterWorld();
    expect((await create(settings))._unsafeUnwrap()).toMatchObject(settings);
  });

  it.each([
    [{ filter: {} }, "filter"],
    [{ filter: { state: ["DRAFT"], currency: ["USD"] } }, "filter"],
    [{ filter: { status: ["OPEN"] } }, "filter.status[0]"],
    [{ filter: { status: ["DRAFT", "DRAFT"] } }, "filter.status"],
    [{ filter: { currency: [] } }, "filter.currency"],
    [{ filter: { currency: ["usd"] } }, "filter.currency[0]"],
    [{ filter: { minimumTotal: { amount: 5 } } }, "filter.minimumTotal.currency"],
    [{ filter: { minimumTotal: { amount: -1, currency: "USD" } } }, "filter.minimumTotal.amount"],
    [{ events: ["budgets.*"] }, "events[0]"],
    [{ events: ["*"] }, "events[0]"],
  ])("is refused as input: %j", (settings, field) => {
    const refused = parseInput(createEndpointSchema, { url: URL, ...settings })._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "invalid", errors: [{ field }] });
  });

  it("is checked against the events that an update leaves, and is cleared by null", async () => {
    const { context, owner, create } = await filterWorld();
    const { id } = (await create({ events: ["budget.*"], filter: { status: ["DRAFT"] } }))._unsafeUnwrap();
    const refused = await updateEndpoint(context, owner, id, { events: ["customer.*"] });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "FILTER_NEVER_MATCHES" });
    const cleared = await updateEndpoint(context, owner, id, { events: ["customer.*"], filter: null });
    expect(cleared._unsafeUnwrap()).toMatchObject({ events: ["customer.*"] });
    expect(cleared._unsafeUnwrap()).not.toHaveProperty("filter");
  });
});

describe("the test of a filter", () => {
  it("says of each of the last events whether it matches, and why not", async () => {
    const { commit, test } = await filterWorld();
    await commit({ id: "91", subjectId: "7", data: approved });
    await commit({ id: "92", type: "budget.viewed", data: { ...approved, status: "PENDING", total: 5 } });
    const minimumTotal = { amount: 10, currency: "USD" };
    const input = { events: ["*.created"], filter: { status: ["APPROVED"], minimumTotal } };
    const view = (await test(input))._unsafeUnwrap();
    expect(view).toMatchObject({ tested: 2, matched: 1, events: [{ id: "92", matches: false }, { id: "91" }] });
    expect(view.events[0]?.reasons).toEqual([
      { condition: "events", message: "budget.viewed is not among the events." },
      { condition: "status", message: "The status is PENDING." },
      { condition: "minimumTotal", message: "The total is 5 USD." },
    ]);
    expect(view.events[1]).toMatchObject({ sequence: 1, event: "budget.created", subjectId: "7", matches: true });
    expect(view.events[1]?.reasons).toEqual([]);
    expect((await test({ ...input, limit: 1 }))._unsafeUnwrap()).toMatchObject({ tested: 1, matched: 0 });
  });

  it("uses what the endpoint has where the request leaves it out", async () => {
    const { commit, create, unmet } = await filterWorld();
    await commit({ data: approved });
    const { id } = (await create({ events: ["budget.viewed"], filter: { status: ["DRAFT"] } }))._unsafeUnwrap();
    expect(await unmet({ webhookId: id })).toEqual([["events", "status"]]);
    expect(await unmet({ webhookId: id, events: null })).toEqual([["status"]]);
    expect(await unmet({ webhookId: id, filter: null })).toEqual([["events"]]);
    expect(await unmet({ webhookId: id, events: ["budget.*"], filter: { currency: ["USD"] } })).toEqual([[]]);
  });

  it("looks behind audit entries, which no endpoint receives", async () => {
    const { commit, store, test } = await filterWorld();
    await commit({ id: "91", data: approved });
    for (let count = 0; count < 120; count += 1) {
      const entry = { ...anEvent({ id: `a${count}` }), type: "user.login_failed" } as const;
      await store.commit(commitOf("1", [], { audit: [entry] }));
    }
    expect((await test({}))._unsafeUnwrap()).toMatchObject({ tested: 1, matched: 1, events: [{ id: "91" }] });
  });

  it("is for administrators, and of a webhook of their own business", async () => {
    const { test, member, key } = await filterWorld();
    expect((await test({}, member))._unsafeUnwrapErr().kind).toBe("forbidden");
    const { actor } = await key();
    expect((await testFilter((await filterWorld()).context, actor, { limit: 1 }))._unsafeUnwrapErr().kind).toBe(
      "forbidden",
    );
    expect((await test({ webhookId: "404" }))._unsafeUnwrapErr().kind).toBe("not-found");
  });
});

const random = seededRandom(11);

function draw<T>(values: readonly T[]): T {
  const value = values[drawInteger(random, values.length)];
  if (value === undefined) throw new Error("nothing to draw from");
  return value;
}

function drawSome<T>(values: readonly T[]): T[] {
  return [...new Set([draw(values), draw(values), draw(values)])];
}

const CURRENCIES = ["USD", "EUR", "JPY"];
const CUSTOMERS = ["ana", "ben", "42"];

function drawSettings(): object {
  const filter = {
    ...(draw([true, false]) ? { status: drawSome(BUDGET_STATUSES) } : {}),
    ...(draw([true, false]) ? { currency: drawSome(CURRENCIES) } : {}),
    ...(draw([true, false]) ? { customerId: drawSome(CUSTOMERS) } : {}),
    ...(draw([true, false]) ? { minimumTotal: { amount: draw([0, 50, 99.99]), currency: draw(CURRENCIES) } } : {}),
  };
  return {
    events: draw([null, drawSome(EVENT_TYPES), drawSome(EVENT_WILDCARDS)]),
    filter: Object.keys(filter).length === 0 ? null : filter,
  };
}

function drawData(): Record<string, unknown> {
  const data = {
    id: "1",
    status: draw(BUDGET_STATUSES),
    currency: draw(CURRENCIES),
    customerId: draw(CUSTOMERS),
    total: draw([0, 49.99, 50, 99.99, 100]),
  };
  return draw([data, data, { id: "1", deletedAt: "2026-03-02T12:00:00.000Z" }]);
}

describe("the fan-out and the test of a filter", () => {
  it("agree on every event", async () => {
    let matched = 0;
    for (let round = 0; round < rounds({ small: 25, full: 500 }); round += 1) {
      const world = await filterWorld();
      const endpoints: string[] = [];
      while (endpoints.length < 5) {
        const created = await world.create(drawSettings());
        if (created.isOk()) endpoints.push(created.value.id);
      }
      const events = Array.from({ length: 40 }, (_, index) =>
        anEvent({ id: `e${index}`, type: draw(EVENT_TYPES), data: drawData(), occurredAt: world.clock.now() }),
      );
      await world.store.commit(insertBudgetCommit(aBudget({ id: "900" }), { events }));
      await world.dispatcher.tick();
      const deliveries = await world.deliveries();
      for (const webhookId of endpoints) {
        const view = (await world.test({ webhookId, limit: 100 }))._unsafeUnwrap();
        expect(view.tested).toBe(40);
        const selected = view.events.filter(({ matches }) => matches).map(({ id }) => id);
        const received = deliveries.filter(({ subscriber }) => subscriber.id === webhookId);
        expect(received.map(({ eventId }) => eventId).sort()).toEqual(selected.sort());
        for (const { matches, reasons } of view.events) expect(reasons.length === 0).toBe(matches);
        matched += view.matched;
      }
    }
    expect(matched).toBeGreaterThan(0);
  });
});
