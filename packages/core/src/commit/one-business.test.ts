import { aBudget, aBusiness, anAuditEntry, anEvent, aUser } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { insertBusinessCommit, insertUserCommit } from "../access/access-commits.js";
import { insertBudgetCommit } from "../budgets/budget-commits.js";
import { commitOf } from "./commit.js";
import { assertOneBusiness } from "./one-business.js";

const ofOne = insertBudgetCommit(aBudget(), { events: [anEvent()], audit: [anAuditEntry()] });
const record = { businessId: "2", key: "key", claimId: "claim", response: "{}" };

describe("a commit of one business", () => {
  it.each([
    ["a budget", ofOne],
    ["a business", insertBusinessCommit(aBusiness())],
    ["no write", commitOf("1", [], { audit: [anAuditEntry()] })],
  ])("accepts %s of its own", (_, commit) => {
    expect(() => assertOneBusiness(commit)).not.toThrow();
  });

  it.each([
    ["a budget", { ...ofOne, businessId: "2" }],
    ["a business", { ...insertBusinessCommit(aBusiness()), businessId: "2" }],
    ["a user", { ...insertUserCommit(aUser()), businessId: "2" }],
    ["an event", { ...ofOne, events: [anEvent({ businessId: "2" })] }],
    ["an audit entry", { ...ofOne, audit: [anAuditEntry({ businessId: "2" })] }],
    ["an idempotency record", { ...ofOne, completes: record }],
  ])("refuses %s of another business with a TypeError", (_, commit) => {
    expect(() => assertOneBusiness(commit)).toThrow(TypeError);
  });
});
