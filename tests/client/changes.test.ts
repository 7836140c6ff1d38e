import { applyChanges, type Budget, type BudgetChange } from "@budgetkit/client/webhooks";
import { type Actor, type BudgetService, createBudgetService, type ServiceEvent } from "@budgetkit/core";
import { manualClock, memoryStore, rounds, seededRandom } from "@budgetkit/testing";
import fc from "fast-check";
import { expect, it } from "vitest";

type Update = Parameters<BudgetService["budgets"]["update"]>[2];
type Act = (service: BudgetService, actor: Actor, id: string, budget: Budget) => Promise<unknown>;

const amount = fc.integer({ min: 0, max: 40 }).map((cents) => cents / 4);
const text = fc.constantFrom("Chair", "Table", "Lamp");
const newItem = fc.record({ description: text, quantity: fc.constantFrom(1, 2.5), unitPrice: amount });
const TIERS: { from: number; unitPrice: number }[] = [{ from: 2, unitPrice: 3.5 }];
const extra = fc.record(
  {
    unit: fc.constantFrom("m", null),
    discountRate: fc.constantFrom(0.1, null),
    productId: fc.constantFrom("p-1", "p-2"),
    optional: fc.constantFrom(true, null),
    selected: fc.constantFrom(true, false, null),
    priceTiers: fc.constantFrom(TIERS, null),
    recurring: fc.constantFrom({ interval: "month" as const, cycles: 3 }, null),
    unitCost: fc.constantFrom(1.25, null),
  },
  { requiredKeys: [] },
);
const VAT = { id: "vat", rate: 0.21, inclusive: true };
const taxation = fc.constantFrom<Pick<Update, "taxRate" | "taxes">>(
  { taxRate: 0 },
  { taxRate: 0.21 },
  { taxes: [VAT] },
  {
    taxes: [
      { ...VAT, inclusive: false },
      { id: "retention", rate: 0.1, kind: "withholding" },
    ],
  },
);
const heading = fc.record({ kind: fc.constant("heading" as const), description: text });
const edit = fc
  .record(
    {
      keep: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }),
      changed: fc.array(extra, { maxLength: 3 }),
      added: fc.array(fc.oneof(newItem, heading), { minLength: 1, maxLength: 2 }),
      notes: fc.constantFrom("", "Hello", null),
      terms: fc.constantFrom("Cash", null),
      metadata: fc.constantFrom({}, { deep: { list: [1, 2] } }),
      taxation,
      deposit: fc.constantFrom({ rate: 0.5 }, null),
      paymentUrl: fc.constantFrom("https://pay.example/1", null),
    },
    { requiredKeys: ["added"] },
  )
  .map(
    ({ keep, changed = [], added, taxation = {}, ...fields }): Act =>
      (service, actor, id, budget) => {
        const ids = [...new Set((keep ?? []).map((index) => budget.items[index]?.id))].filter(
          (each) => each !== undefined,
        );
        const kept = ids.map((each, index) => {
          const { kind } = budget.items.find((item) => item.id === each) ?? {};
          return { id: each, ...(kind === undefined ? changed[index] : {}) };
        });
        return service.budgets.update(actor, id, {
          ...fields,
          ...taxation,
          ...(keep === undefined ? {} : { items: [...kept, ...added] }),
        });
      },
  );
const move = fc.constantFrom<Act>(
  (service, actor, id) => service.budgets.submit(actor, id),
  (service, actor, id) => service.budgets.withdraw(actor, id),
  (service, actor, id) => service.budgets.update(actor, id, { status: "APPROVED", notes: "With an answer" }),
  (service, actor, id) => service.budgets.update(actor, id, { status: "REJECTED" }),
  (service, actor, id) => service.budgets.reopen(actor, id, { reason: "Again", validUntil: "2026-04-01" }),
  (service, actor, id) => service.budgets.complete(actor, id),
  (service, actor, id) => service.budgets.delete(actor, id),
  (service, actor, id) => service.budgets.restore(actor, id),
  (service, actor, id) => service.budgets.createPublicLink(actor, id),
  (service, actor, id) => service.budgets.recordPayment(actor, id, { amount: 0.25, reference: "R-1" }),
);

/** Without what the catalog and the caller decide, and without what events leave out. */
function ownPart({ customer: _customer, availableActions: _actions, cost: _, margin: __, items, ...budget }: Budget) {
  const lines = items.map((item) => {
    if (item.kind !== undefined) return item;
    const { product: _product, package: _package, unitCost: _unitCost, ...line } = item;
    return line;
  });
  return { ...budget, items: lines };
}

it("a copy of a budget follows the budget by the changes in its events", async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.oneof(edit, move), { minLength: 1, maxLength: 12 }), follow), {
    numRuns: rounds({ small: 30, full: 2_000 }),
  });
}, 60_000);

/** Carries the acts out, and compares after each one. */
async function follow(acts: readonly Act[]): Promise<void> {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const secret = "a secret of at least thirty-two characters";
  const service = createBudgetService({ store: memoryStore(), secret, clock, random: seededRandom(1) });
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor: Actor = { kind: "system", businessId: business.id };
  await service.businesses.update(actor, { numberPattern: "B-{0000}", terms: "30 days" });
  const input = {
    customerId: "ana",
    items: [{ description: "Chair", quantity: 1, unitPrice: 9 }],
    taxRate: 0,
    draft: true,
  };
  const created = (await service.budgets.create(actor, input))._unsafeUnwrap();
  let copy = onTheWire<Budget>(created);
  const missed: unknown[] = [];
  service.on("*", (event) => {
    const next = applied(copy, event);
    if (next === null) missed.push(event);
    else copy = next;
  });
  for (const act of acts) {
    clock.advance(1_000);
    await act(service, actor, created.id, copy);
    const found = await service.budgets.get(actor, created.id);
    if (found.isErr()) expect(copy.status).toBe("DELETED");
    else {
      const budget = onTheWire<Budget>(found.value);
      if (budget.version > copy.version) copy = { ...copy, ...unreported(budget) };
      expect(ownPart(copy)).toEqual(ownPart(budget));
    }
  }
  expect(missed).toEqual([]);
  await service.stop();
}

/** A write that changes nothing makes no event. */
function unreported({ version, updatedAt }: Budget) {
  return { version, updatedAt };
}

/** Null = the event does not lead to another copy. */
function applied(copy: Budget, event: ServiceEvent): Budget | null {
  if (!("customerId" in event.data) || !("changes" in event.data)) return null;
  const { version, changes } = event.data;
  const timestamp = new Date(event.occurredAt).toISOString();
  return applyChanges(copy, { version, timestamp, changes: onTheWire<BudgetChange[]>(changes) });
}

function onTheWire<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value));
}
