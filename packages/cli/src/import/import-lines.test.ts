import { createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { insertBusinessCommit } from "@budgetkit/core/store";
import { aBusiness, FIXTURE_TIME, memoryStore } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { importLines } from "./import-lines.js";

const at = (day: number) => new Date(FIXTURE_TIME + day * 86_400_000).toISOString();

function budget(id: string, notes: string, more: { readonly number?: string } = {}) {
  const item = { description: "Oak table", quantity: 1, unitPrice: 100, total: 100 };
  const figures = { subtotal: 100, discount: 0, tax: 0, total: 100, taxRate: 0 };
  const times = { validUntil: null, createdAt: at(0), updatedAt: at(0), approvedAt: null };
  return {
    id,
    customerId: "ana",
    status: "PENDING",
    currency: "USD",
    items: [item],
    notes,
    metadata: {},
    ...figures,
    ...times,
    ...more,
  };
}

function payment(budgetId: string) {
  return { budgetId, reference: "TR-1", amount: 50, paidAt: at(1), createdAt: at(1) };
}

const NO_DETAILS = {
  email: null,
  phone: null,
  dni: null,
  cuit: null,
  taxCondition: null,
  address: null,
  externalId: null,
  metadata: {},
};
const EXPORTED = { type: "export", data: { format: 1, businessId: "77" } };

function linesOf(...budgets: readonly ReturnType<typeof budget>[]) {
  return linesWith(budgets, []);
}

function linesWith(budgets: readonly ReturnType<typeof budget>[], messages: readonly object[]) {
  const lines = [
    EXPORTED,
    { type: "customer", data: { ...NO_DETAILS, id: "ana", name: "Ana", createdAt: at(0) } },
    ...budgets.map((data) => ({ type: "budget", data })),
    ...budgets.map(({ id }) => ({ type: "payment", data: payment(id) })),
    ...messages.map((data) => ({ type: "message", data })),
  ];
  return (async function* () {
    for (const line of lines) yield JSON.stringify(line);
  })();
}

/** The store, and the names of the methods that were called. */
function watched(store: Store): { store: Store; called: Set<string> } {
  const called = new Set<string>();
  const proxy = new Proxy(store, {
    get: (target, name) => {
      called.add(String(name));
      return Reflect.get(target, name);
    },
  });
  return { store: proxy, called };
}

it("only reads in a dry run of an import, into an empty business and into one with data", async () => {
  const { store, called } = watched(memoryStore());
  await store.commit(insertBusinessCommit(aBusiness()));
  const service = createBudgetService({ store, secret: "s".repeat(32) });
  const target = { service, store, actor: { kind: "system", businessId: "1" } as const };
  const bring = (lines: AsyncIterable<string>, isDryRun: boolean) => {
    const complaints: string[] = [];
    return importLines(
      target,
      lines,
      (number, why) => complaints.push(`${number} ${why}`),
      () => {},
      isDryRun,
    ).then(({ created, skipped, conflicts, refused }) => ({ created, skipped, conflicts, refused, complaints }));
  };
  expect(await bring(linesOf(budget("1", "Oak")), false)).toMatchObject({ created: 3, complaints: [] });

  called.clear();
  const tried = await bring(linesOf(budget("1", "Oak"), budget("1", "Ash"), budget("2", "Elm")), true);
  expect(tried).toMatchObject({ created: 2, skipped: 4, conflicts: 1, refused: 0 });
  const numbered = (id: string, number: string) => budget(id, "Elm", { number });
  expect(await bring(linesOf(numbered("3", "Q-1")), false)).toMatchObject({ refused: 0, complaints: [] });
  called.clear();
  const taken = await bring(linesOf(numbered("4", "Q-1"), numbered("5", "Q-11"), numbered("6", "Q-11")), true);
  expect(taken.complaints.filter((each) => each.includes("has this number"))).toEqual([
    expect.stringMatching(/^3 another budget/),
    expect.stringMatching(/^5 /),
  ]);
  expect([...called].filter((name) => !/^(?:find|list|count|sum)/.test(name))).toEqual([]);
});

it("brings the messages of an export once, with their texts, times and the names of customers", async () => {
  const store = memoryStore();
  await store.commit(insertBusinessCommit(aBusiness()));
  const service = createBudgetService({ store, secret: "s".repeat(32) });
  const actor = { kind: "system", businessId: "1" } as const;
  const messages = [
    { budgetId: "1", kind: "message", from: "customer", sentBy: "customer:Ana", message: "In oak?", sentAt: at(1) },
    { budgetId: "1", kind: "message", from: "business", sentBy: "user:7", message: "Yes", sentAt: at(2) },
    { budgetId: "1", kind: "changeRequest", from: "customer", sentBy: "customer:Ana", message: "Pine", sentAt: at(3) },
    { budgetId: "9", kind: "message", from: "customer", sentBy: "customer:Ana", message: "Lost", sentAt: at(3) },
  ];
  const bring = (isDryRun: boolean) => {
    const lines = linesWith([budget("1", "Oak")], messages);
    return importLines(
      { service, store, actor },
      lines,
      () => {},
      () => {},
      isDryRun,
    );
  };
  expect(await bring(true)).toMatchObject({ created: 6, refused: 1 });
  expect(await bring(false)).toMatchObject({ created: 6, refused: 1 });
  for (const isDryRun of [true, false]) {
    expect(await bring(isDryRun)).toMatchObject({ created: 0, skipped: 6, refused: 1 });
  }
  const [{ id } = { id: "" }] = (await service.budgets.list(actor))._unsafeUnwrap().data;
  const { data } = (await service.budgets.listMessages(actor, id))._unsafeUnwrap();
  expect(data.map(({ message, sentBy, sentAt }) => [message, sentBy, sentAt])).toEqual([
    ["Pine", "customer:Ana", at(3)],
    ["Yes", "system", at(2)],
    ["In oak?", "customer:Ana", at(1)],
  ]);
  const events = (await service.events.list(actor, { event: "budget.message_sent" }))._unsafeUnwrap();
  expect(events.pagination.total).toBe(0);
});
