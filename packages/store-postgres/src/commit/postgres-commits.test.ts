import {
  commitOf,
  insertAttachmentCommit,
  insertBudgetCommit,
  insertKeyCommit,
  queueMailCommit,
  removeUserCommit,
  replaceBudgetCommit,
  replaceUserCommit,
  type StoreCommit,
} from "@budgetkit/core/store";
import {
  aBudget,
  aCustomer,
  aMail,
  anApiKey,
  anAttachment,
  anAuditEntry,
  anEvent,
  anIdempotencyRecord,
  aPayment,
  aUser,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";

// Every commit of a builder is written by the cases of the store suite.
describe("a commit that no builder makes", () => {
  const pool = new pg.Pool({ host: "/nowhere" }); // nothing is sent
  const store = postgresStore(pool, { listen: false });
  afterAll(() => pool.end());

  const budget = { kind: "budget", budget: aBudget({ version: 2 }), expected: 1 } as const;
  const customer = { kind: "customer", record: aCustomer(), expected: "absent" } as const;
  const end = { kind: "sessions-end", userId: "30", at: NOW, except: null } as const;
  const owner = { kind: "not-last-owner", userId: "31" } as const;

  const refused: Readonly<Record<string, readonly [commit: StoreCommit, message: string]>> = {
    "writes of two domains": [
      commitOf("1", [budget, customer]),
      "commit of budget, new customer: no function takes new customer",
    ],
    "a new budget with a mail": [
      commitOf("1", [
        { ...budget, expected: "absent" },
        { kind: "mail", mail: aMail() },
      ]),
      "commit of new budget, mail: no function takes mail",
    ],
    "a budget with an audit entry": [
      replaceBudgetCommit(aBudget({ version: 2 }), 1, { audit: [anAuditEntry()] }),
      "commit of budget, audit: no function takes audit",
    ],
    "a stored budget with a number that is kept": [
      replaceBudgetCommit(aBudget({ version: 2 }), 1, { numbering: { kind: "keep", number: "Q-1", place: null } }),
      "commit of budget, numbering: only a new budget keeps a given number",
    ],
    "a payment without its budget": [
      commitOf("1", [{ kind: "payment", payment: aPayment() }]),
      "commit of payment: a payment changes its budget",
    ],
    "a mail that requires the version of another budget": [
      {
        ...queueMailCommit(aMail(), aBudget(), 1),
        conditions: [{ kind: "budget-version", budgetId: "11", is: 1 }],
      },
      "commit of mail, budget-version: a mail requires the version of its budget",
    ],
    "a new attachment without a limit": [
      {
        ...insertAttachmentCommit(anAttachment(), 1, 9),
        conditions: [{ kind: "budget-version", budgetId: "10", is: 1 }],
      },
      "commit of new attachment, budget-version: a new attachment requires a limit of those of its budget",
    ],
    "a view without a gap": [
      commitOf("1", [
        { kind: "link-view", view: { businessId: "1", budgetId: "10", channel: "link", at: NOW }, isFirst: true },
      ]),
      "commit of link-view: a view requires that its budget was not viewed just before",
    ],
    "an end of sessions without a change of their user": [
      commitOf("1", [end]),
      "commit of sessions-end: sessions of a user end together with a change of the user",
    ],
    "a user with the sessions of another": [
      { ...replaceUserCommit(aUser({ version: 2 }), 1), writes: [userWrite(), { ...end, userId: "31" }] },
      "commit of user, sessions-end: sessions of another user would end",
    ],
    "the removal of a user unless another is the last owner": [
      { ...removeUserCommit("30", 1, anAuditEntry()), conditions: [owner] },
      "commit of user-removal, sessions-end, not-last-owner, audit: the condition is about another user",
    ],
    "a key unless another has a callback": [
      {
        ...insertKeyCommit(anApiKey()),
        conditions: [{ kind: "webhook-keys-below", limit: 9, unless: "21" }],
      },
      "commit of new key, webhook-keys-below: the condition is about another key",
    ],
    "events without a write": [
      commitOf("1", [], { events: [anEvent()] }),
      "commit of events: no function takes events",
    ],
    "a completed claim where none is taken": [
      commitOf("1", [{ kind: "tier", tier: "PREMIUM" }], { completes: anIdempotencyRecord() }),
      "commit of tier, completes: no function takes completes",
    ],
    "a condition of another domain": [
      { ...insertBudgetCommit(aBudget()), conditions: [owner] },
      "commit of new budget, not-last-owner: no function takes not-last-owner",
    ],
  };

  for (const [name, [commit, message]] of Object.entries(refused)) {
    it(`refuses ${name}, with a TypeError that names the parts of the commit`, async () => {
      await expect(store.commit(commit)).rejects.toThrow(
        new TypeError(`the PostgreSQL store does not write a ${message}`),
      );
    });
  }

  function userWrite() {
    return { kind: "user", user: aUser({ version: 2 }), expected: 1 } as const;
  }
});
