import {
  insertBudgetCommit,
  insertForCustomerCommit,
  insertUserCommit,
  queueMailCommit,
  recordCommit,
  recordPaymentCommit,
  replaceBudgetCommit,
  type StoreCommit,
  testDeliveryCommit,
  touchKeyCommit,
} from "@budgetkit/core/store";
import {
  aBudget,
  aCustomer,
  aDelivery,
  aMail,
  anAuditEntry,
  anEvent,
  anIdempotencyRecord,
  aPayment,
  aProduct,
  aUser,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { claimName, footprintOf } from "./footprint.js";

function areDisjoint(one: StoreCommit, other: StoreCommit): boolean {
  const [ofOne, ofOther] = [footprintOf(one), footprintOf(other)];
  if (ofOne === "all" || ofOther === "all") return false;
  return [...ofOne].every((name) => !ofOther.has(name));
}

const budget = (id: string, beside = {}) => insertBudgetCommit(aBudget({ id }), beside);
const keeping = (number: string) => ({ numbering: { kind: "keep", number, place: null } as const });
const customer = (id: string, cuit: string | null, email: string | null = null) =>
  recordCommit("customer", aCustomer({ id, cuit, email }), "absent");
const both = (id: string, email: string) =>
  insertForCustomerCommit({ customer: aCustomer({ id, cuit: null, email }), sharesEmail: false }, aBudget({ id }));
const product = (id: string, sku: string) => recordCommit("product", aProduct({ id, sku, variants: [] }), "absent");

describe("the footprint of a commit", () => {
  it.each<readonly [name: string, one: StoreCommit, other: StoreCommit]>([
    ["new budgets", budget("10"), budget("11")],
    [
      "budgets whose events are of other subjects",
      budget("10", { events: [anEvent({ subjectId: "10" })] }),
      budget("11", { events: [anEvent({ subjectId: "11" })] }),
    ],
    ["budgets that keep other numbers", budget("10", keeping("Q-1")), budget("11", keeping("Q-2"))],
    [
      "a payment and a change of another budget",
      recordPaymentCommit(aPayment({ budgetId: "10" }), aBudget({ id: "10", version: 2 }), 1),
      replaceBudgetCommit(aBudget({ id: "11", version: 2 }), 1),
    ],
    ["customers with other CUITs", customer("500", "20-11111111-2"), customer("501", "20-12345678-6")],
    ["budgets with new customers", both("10", "a@example.org"), both("11", "b@example.org")],
    ["customers without a CUIT", customer("500", null), customer("501", null)],
    ["products with other SKUs", product("700", "A"), product("701", "B")],
    ["uses of other keys", touchKeyCommit("1", "20", NOW), touchKeyCommit("1", "21", NOW)],
    ["deliveries", testDeliveryCommit(aDelivery({ id: "70" })), testDeliveryCommit(aDelivery({ id: "71" }))],
  ])("%s share no record, so that they may read at the same time", (_, one, other) => {
    expect(areDisjoint(one, other)).toBe(true);
  });

  it.each<readonly [name: string, one: StoreCommit, other: StoreCommit]>([
    ["changes of one budget", budget("10"), replaceBudgetCommit(aBudget({ id: "10", version: 2 }), 1)],
    [
      "a payment and a change of its budget",
      recordPaymentCommit(aPayment({ budgetId: "10" }), aBudget({ id: "10", version: 2 }), 1),
      replaceBudgetCommit(aBudget({ id: "10", version: 2 }), 1),
    ],
    [
      "a mail and a change of its budget",
      queueMailCommit(aMail({ budgetId: "10" }), aBudget({ id: "10" }), 1),
      replaceBudgetCommit(aBudget({ id: "10", version: 2 }), 1),
    ],
    [
      "budgets whose events are of one subject",
      budget("10", { events: [anEvent({ subjectId: "9" })] }),
      budget("11", { events: [anEvent({ subjectId: "9" })] }),
    ],
    ["budgets that keep one number", budget("10", keeping("Q-1")), budget("11", keeping("Q-1"))],
    ["budgets with a customer of one email", both("10", "a@example.org"), both("11", "A@example.org")],
    [
      "a budget with a new customer and one who gets its email",
      both("10", "a@example.org"),
      customer("500", null, "A@example.org"),
    ],
    ["customers with one CUIT", customer("500", "20-11111111-2"), customer("501", "20-11111111-2")],
    ["products with one SKU", product("700", "A"), product("701", "A")],
    [
      "completions of one idempotency key",
      budget("10", { completes: anIdempotencyRecord() }),
      budget("11", { completes: anIdempotencyRecord() }),
    ],
    [
      "users, whose limits count all of the business",
      insertUserCommit(aUser({ id: "30" })),
      insertUserCommit(aUser({ id: "31" })),
    ],
  ])("%s share a record, so that the later one reads what the earlier has written", (_, one, other) => {
    expect(areDisjoint(one, other)).toBe(false);
  });

  it("a completed claim has the name under which it is taken and released", () => {
    const record = anIdempotencyRecord();
    expect(footprintOf(budget("10", { completes: record }))).toContain(claimName(record.key));
  });

  it("an audit entry shares its subject with events and other audit entries of it", () => {
    const audit = [anAuditEntry({ subjectId: "30" })];
    expect(areDisjoint(budget("10", { audit }), budget("11", { audit }))).toBe(false);
  });
});
