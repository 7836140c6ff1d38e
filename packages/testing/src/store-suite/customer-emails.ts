import assert from "node:assert/strict";
import { insertForCustomerCommit, recordCommit, type Store } from "@budgetkit/core/store";
import { aCustomer } from "../catalog-fixtures.js";
import { aBudget, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

type CustomerState = Parameters<typeof aCustomer>[0];

const EMAIL = "Ana@Example.org";
const KEY = "ana@example.org";

const insert = (store: Store, id: string, state: CustomerState = {}) =>
  outcomeOf(store, recordCommit("customer", aCustomer({ email: EMAIL, cuit: null, ...state, id }), "absent"));

/** A budget with its customer, both with numbers of their own. */
const insertBoth = (store: Store, number: number, state: CustomerState = {}, sharesEmail = false) => {
  const customer = aCustomer({ email: EMAIL, cuit: null, ...state, id: `c-${number}` });
  const budget = aBudget({ id: String(1_000 + number), customerId: customer.id });
  return outcomeOf(store, insertForCustomerCommit({ customer, sharesEmail }, budget));
};

export function customerEmailCases(suite: Suite): void {
  suite.describe("the email of a customer", () => {
    lookUpCases(suite);
    conditionCases(suite);
  });
}

function lookUpCases({ it }: Suite): void {
  it("finds a customer by the email regardless of the case of ASCII letters", async (store) => {
    await insert(store, "a");
    await insert(store, "b", { email: "JÖRG@example.org" });
    assert.equal((await store.findCustomerByEmail("1", KEY))?.id, "a");
    assert.equal((await store.findCustomerByEmail("1", "jÖrg@example.org"))?.id, "b");
    for (const other of ["jörg@example.org", "ana@example.or", "", "ana@example_org", "ana\0@example.org"]) {
      assert.equal(await store.findCustomerByEmail("1", other), null, other);
    }
    assert.equal(await store.findCustomerByEmail("2", KEY), null);
  });

  it("finds the oldest customer with an email, then the lowest id, and no deleted one", async (store) => {
    await insert(store, "d", { createdAt: 20 });
    await insert(store, "b", { createdAt: 10 });
    await insert(store, "c", { createdAt: 10 });
    await insert(store, "a", { createdAt: 5, deletedAt: NOW });
    const whole = aCustomer({ email: EMAIL, cuit: null, id: "b", createdAt: 10 });
    assert.deepEqual(await store.findCustomerByEmail("1", KEY), whole);
  });
}

function conditionCases({ it }: Suite): void {
  it("writes a new budget with its new customer, or neither", async (store) => {
    assert.equal(await insertBoth(store, 1), "written");
    assert.equal((await store.findBudget("1", "1001"))?.customerId, "c-1");
    assert.equal((await store.findRecord("customer", "1", "c-1"))?.email, EMAIL);
    assert.deepEqual(await insertBoth(store, 2), { taken: "email", value: KEY });
    assert.deepEqual(await insertBoth(store, 3, { email: "ANA@EXAMPLE.ORG" }), { taken: "email", value: KEY });
    for (const number of [2, 3]) {
      assert.equal(await store.findBudget("1", String(1_000 + number)), null);
      assert.equal(await store.findRecord("customer", "1", `c-${number}`), null);
    }
    assert.equal(await insertBoth(store, 4, {}, true), "written");
    assert.equal(await insertBoth(store, 5, { email: null }), "written");
  });

  it("a deleted customer and one of another business do not hold their email", async (store) => {
    await insert(store, "a", { deletedAt: NOW });
    await insert(store, "b", { businessId: "2" });
    assert.equal(await insertBoth(store, 1), "written");
  });

  it("one of 20 new budgets at the same time for a new email adds the customer", async (store) => {
    const outcomes = await allAtOnce(20, (number) => insertBoth(store, number));
    assert.equal(countOf(outcomes, "written"), 1);
    assert.equal(countOf(outcomes, { taken: "email", value: KEY }), 19);
    assert.notEqual(await store.findCustomerByEmail("1", KEY), null);
  });

  it("a customer that gets the email at the same time is found or comes later, and no budget is lost", async (store) => {
    await insert(store, "a", { email: "former@example.org" });
    const change = () =>
      outcomeOf(store, recordCommit("customer", aCustomer({ email: EMAIL, cuit: null, id: "a", version: 2 }), 1));
    const [changed, added] = await Promise.all([change(), insertBoth(store, 1)]);
    assert.equal(changed, "written");
    if (added !== "written") assert.deepEqual(added, { taken: "email", value: KEY });
    assert.equal((await store.findRecord("customer", "1", "c-1")) === null, added !== "written");
  });
}
