import assert from "node:assert/strict";
import type { Store, TransactionStore } from "@budgetkit/core/store";
import {
  insertBudgetCommit,
  insertBusinessCommit,
  queueMailCommit,
  recordCommit,
  recordPaymentCommit,
  reminderOptOutCommit,
  replaceBudgetCommit,
} from "@budgetkit/core/store";
import { aCatalogQuery, aCustomer, aPackage, aProduct } from "../catalog-fixtures.js";
import {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aClaim,
  anAuditEntry,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { aPayment } from "../payment-fixtures.js";
import { COMPLETED } from "./claim-samples.js";
import { allAtOnce, type HostTransaction, type HostUnderTest, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const BUSINESS = "1";

export function hostTransactionCases(suite: Suite): void {
  refusalCases(suite);
  if (!suite.hostTransactions) return;
  endCases(suite);
  visibilityCases(suite);
  conflictCases(suite);
  faultCases(suite);
}

function refusalCases({ describe, it, itWithHost }: Suite): void {
  describe("a store within a transaction of the host", () => {
    for (const [name, connection] of Object.entries({ "an object": {}, "a function": () => {} })) {
      it(`refuses ${name} that is no connection`, async (store) => {
        assert.throws(() => store.withConnection(connection), TypeError);
      });
    }

    itWithHost("refuses a connection whose transaction has ended", async (store, host) => {
      for (const end of ["commit", "rollback"] as const) {
        const transaction = await host.begin();
        const within = store.withConnection(transaction.connection);
        await transaction[end]();
        await assert.rejects(async () => outcomeOf(within, insertBudgetCommit(aBudget())), TypeError);
        await assert.rejects(async () => within.findBudget(BUSINESS, "10"), TypeError);
        await assert.rejects(
          async () => store.withConnection(transaction.connection).findBudget(BUSINESS, "10"),
          TypeError,
        );
      }
      assert.equal(await store.findBudget(BUSINESS, "10"), null);
    });

    itWithHost("rejects a connection once the store was closed", async (store, host) => {
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      const closing = store.close(); // which may wait until the host lets go of its connection
      await assert.rejects(async () => within.findBudget(BUSINESS, "10"));
      await assert.rejects(async () => outcomeOf(within, insertBudgetCommit(aBudget())));
      await transaction.rollback();
      await closing;
    });
  });
}

/** One call of each kind that writes, and the row of the host beside it. */
async function writeEverything(store: Store, transaction: HostTransaction): Promise<void> {
  const within = store.withConnection(transaction.connection);
  await transaction.write("order 1");
  assert.equal(
    await outcomeOf(
      within,
      insertBudgetCommit(aBudget({ total: 100 }), {
        events: [anEvent({ id: "90" })],
        completes: anIdempotencyRecord(),
      }),
    ),
    "written",
  );
  const revised = aBudget({ version: 2, revision: 2, total: 70, status: "APPROVED" });
  assert.equal(
    await outcomeOf(within, replaceBudgetCommit(revised, 1, { events: [anEvent({ id: "91" })] })),
    "written",
  );
  const paid = { ...revised, version: 3, paid: 20 };
  assert.equal(
    await outcomeOf(within, recordPaymentCommit(aPayment(), paid, 2, { events: [anEvent({ id: "92" })] })),
    "written",
  );
  assert.equal(
    await outcomeOf(within, recordCommit("customer", aCustomer(), "absent", { events: [anEvent({ id: "93" })] })),
    "written",
  );
  assert.equal(await outcomeOf(within, recordCommit("product", aProduct({ sku: "OAK-1" }), "absent")), "written");
  assert.equal(
    await outcomeOf(within, recordCommit("package", aPackage(), "absent", { audit: [anAuditEntry({ id: "94" })] })),
    "written",
  );
  const mailed = queueMailCommit(aMail(), paid, 3, { audit: [anAuditEntry({ id: "95" })] });
  assert.equal(await outcomeOf(within, mailed), "written");
  await within.commit(
    reminderOptOutCommit(BUSINESS, { customerId: "ana", recipient: "", since: NOW }, [anAuditEntry({ id: "96" })]),
  );
}

/** What another connection sees of all that. */
async function seen(store: Store, host: HostUnderTest) {
  const events = await store.listEvents(BUSINESS, anEventQuery());
  const sums = await store.sumBudgets(BUSINESS, 0);
  return {
    rows: await host.rows(),
    budget: (await store.findBudget(BUSINESS, "10"))?.version ?? null,
    counted: (await store.listBudgets(BUSINESS, aBudgetQuery())).total,
    approved: (await store.listBudgets(BUSINESS, aBudgetQuery({ status: "APPROVED" }))).total,
    sums: sums.map(({ status, budgets, total }) => `${status} ${budgets} ${total}`),
    revisions: (await store.listRevisions(BUSINESS, "10", 10, 0)).total,
    payments: await store.countPayments(BUSINESS, "10"),
    customers: (await store.listRecords("customer", BUSINESS, aCatalogQuery())).total,
    products: (await store.findRecords("product", BUSINESS, ["700"])).length,
    packages: (await store.findRecords("package", BUSINESS, ["800"])).length,
    mails: (await store.listMails(BUSINESS, "10", 10, 0)).total,
    optedOut: (await store.findReminderOptOut(BUSINESS, "ana")) !== null,
    events: events.entries.map(({ id }) => id),
    undispatched: (await store.findUndispatchedEvents(10)).map(({ id }) => id),
  };
}

const NOTHING = {
  rows: [],
  budget: null,
  counted: 0,
  approved: 0,
  sums: [],
  revisions: 0,
  payments: 0,
  customers: 0,
  products: 0,
  packages: 0,
  mails: 0,
  optedOut: false,
  events: [],
  undispatched: [],
};

const EVERYTHING = {
  rows: ["order 1"],
  budget: 3,
  counted: 1,
  approved: 1,
  sums: ["APPROVED 1 70"],
  revisions: 2,
  payments: 1,
  customers: 1,
  products: 1,
  packages: 1,
  mails: 1,
  optedOut: true,
  events: ["96", "95", "94", "93", "92", "91", "90"],
  undispatched: ["90", "91", "92", "93"],
};

function endCases({ describe, itWithHost }: Suite): void {
  describe("what was written within a transaction of the host", () => {
    itWithHost("a transaction of the host commits the service's rows with its own", async (store, host) => {
      await store.claimKey(aClaim(), NOW);
      await subscribe(store, BUSINESS);
      const transaction = await host.begin();
      await writeEverything(store, transaction);
      await transaction.commit();
      assert.deepEqual(await seen(store, host), EVERYTHING);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    itWithHost("a transaction of the host rolls the service's rows back with its own", async (store, host) => {
      await store.claimKey(aClaim(), NOW);
      await subscribe(store, BUSINESS);
      const transaction = await host.begin();
      await writeEverything(store, transaction);
      await transaction.rollback();
      assert.deepEqual(await seen(store, host), NOTHING);
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "in-flight" });
    });

    itWithHost("events of a host's transaction take their place when it commits", async (store, host) => {
      await subscribe(store, BUSINESS);
      await store.commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "before" })] }));
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      await within.commit(
        insertBudgetCommit(aBudget(), { events: [anEvent({ id: "first" }), anEvent({ id: "second" })] }),
      );
      await within.commit(replaceBudgetCommit(aBudget({ version: 2 }), 1, { events: [anEvent({ id: "third" })] }));
      await transaction.commit();
      await store.commit(insertBudgetCommit(aBudget({ id: "12" }), { events: [anEvent({ id: "after" })] }));
      const ids = (await store.findUndispatchedEvents(10)).map(({ id }) => id);
      assert.deepEqual(ids, ["before", "first", "second", "third", "after"]);
    });
  });
}

function visibilityCases({ describe, itWithHost }: Suite): void {
  describe("while a transaction of the host is open", () => {
    itWithHost("other connections do not see the writes of an open transaction of the host", async (store, host) => {
      await store.claimKey(aClaim(), NOW);
      await subscribe(store, BUSINESS);
      const transaction = await host.begin();
      await writeEverything(store, transaction);
      assert.deepEqual(await seen(store, host), NOTHING);
      await transaction.rollback();
    });

    itWithHost("a transaction of the host sees its own writes and what was there before", async (store, host) => {
      await store.commit(insertBusinessCommit(aBusiness()));
      await store.commit(
        insertBudgetCommit(aBudget({ id: "11", publicTokenHash: "hash" }), { events: [anEvent({ id: "before" })] }),
      );
      await store.claimKey(aClaim(), NOW);
      await subscribe(store, BUSINESS);
      const transaction = await host.begin();
      await writeEverything(store, transaction);
      const within = store.withConnection(transaction.connection);
      assert.deepEqual(await within.findBusiness(BUSINESS), aBusiness());
      assert.equal((await within.findBudget(BUSINESS, "10"))?.version, 3);
      assert.equal((await within.findBudgetByPublicToken("hash"))?.id, "11");
      assert.equal((await within.listBudgets(BUSINESS, aBudgetQuery())).total, 2);
      assert.equal((await within.findRevision(BUSINESS, "10", 1))?.total, 100);
      assert.equal((await within.listPayments(BUSINESS, "10", 10, 0)).total, 1);
      assert.deepEqual(await within.findRecord("customer", BUSINESS, "500"), aCustomer());
      assert.equal((await within.listRecords("product", BUSINESS, aCatalogQuery())).total, 1);
      assert.equal((await within.listEvents(BUSINESS, anEventQuery())).total, 8);
      await transaction.rollback();
    });

    itWithHost("events that a host's transaction rolls back leave no gap in the sequence", async (store, host) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "10" }), { events: [anEvent({ id: "90" })] }));
      for (const end of ["rollback", "commit"] as const) {
        const transaction = await host.begin();
        const within = store.withConnection(transaction.connection);
        await within.commit(
          insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "91" }), anEvent({ id: "92" })] }),
        );
        await transaction[end]();
      }
      await store.commit(insertBudgetCommit(aBudget({ id: "12" }), { events: [anEvent({ id: "93" })] }));
      const { entries } = await store.listEvents(BUSINESS, anEventQuery());
      assert.deepEqual(
        entries.map(({ id, sequence }) => [id, sequence]),
        [
          ["93", 4],
          ["92", 3],
          ["91", 2],
          ["90", 1],
        ],
      );
    });

    itWithHost("reserves ids for a transaction of the host alone", async (store, host) => {
      const starts = [await store.reserveIds(BUSINESS, 5)];
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      starts.push(await within.reserveIds(BUSINESS, 5), await within.reserveIds(BUSINESS, 5));
      await transaction.commit();
      starts.push(await store.reserveIds(BUSINESS, 5));
      const ids = starts.flatMap((start) => Array.from({ length: 5 }, (_, index) => start + index));
      assert.equal(new Set(ids).size, 20);
    });

    itWithHost("calls that overlap on a host's connection are whole, one after the other", async (store, host) => {
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) => {
          const id = String(100 + (index % 8)); // the last four take an id that is there
          return outcomeOf(
            within,
            insertBudgetCommit(aBudget({ id }), { events: [anEvent({ id: `event-${index}` })] }),
          );
        }),
      );
      await transaction.commit();
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        [...Array.from({ length: 8 }, () => "fulfilled"), ...Array.from({ length: 4 }, () => "rejected")],
      );
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 8);
      assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 8);
    });

    itWithHost("serves other writers, at the latest when the host's transaction ends", async (store, host) => {
      const transaction = await host.begin();
      await transaction.write("order 1");
      await store
        .withConnection(transaction.connection)
        .commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "within" })] }));
      const others = allAtOnce(20, (index) =>
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: String(100 + index) }), { events: [anEvent({ id: String(index) })] }),
        ),
      );
      for (let turn = 0; turn < 5; turn += 1) await store.findBudget(BUSINESS, "11");
      await transaction.commit();
      assert.deepEqual(new Set(await others), new Set(["written"]));
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 21);
      assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 21);
    });
  });
}

function conflictCases({ describe, itWithHost }: Suite): void {
  describe("a transaction of the host that meets other writers", () => {
    itWithHost("a stale write in a host's transaction changes nothing and does not end it", async (store, host) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await store.commit(replaceBudgetCommit(aBudget({ version: 2, notes: "theirs" }), 1));
      const transaction = await host.begin();
      await transaction.write("order 1");
      const within = store.withConnection(transaction.connection);
      const mine = (version: number) => aBudget({ version, notes: "mine" });
      assert.equal(
        await outcomeOf(within, replaceBudgetCommit(mine(2), 1, { events: [anEvent({ id: "lost" })] })),
        "stale",
      );
      assert.equal((await within.findBudget(BUSINESS, "10"))?.notes, "theirs");
      assert.equal(
        await outcomeOf(within, replaceBudgetCommit(mine(3), 2, { events: [anEvent({ id: "kept" })] })),
        "written",
      );
      await transaction.commit();
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), mine(3));
      assert.deepEqual(
        (await store.listEvents(BUSINESS, anEventQuery())).entries.map(({ id }) => id),
        ["kept"],
      );
      assert.deepEqual(await host.rows(), ["order 1"]);
    });

    itWithHost("a host's transaction makes writes of others stale when it commits", async (store, host) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      assert.equal(await outcomeOf(within, replaceBudgetCommit(aBudget({ version: 2, notes: "mine" }), 1)), "written");
      const theirs = outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2, notes: "theirs" }), 1));
      await transaction.commit();
      assert.equal(await theirs, "stale");
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, "mine");
    });

    itWithHost("a host's transaction that rolls back leaves the budget to others", async (store, host) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      assert.equal(await outcomeOf(within, replaceBudgetCommit(aBudget({ version: 2, notes: "mine" }), 1)), "written");
      const theirs = outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2, notes: "theirs" }), 1));
      await transaction.rollback();
      assert.equal(await theirs, "written");
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, "theirs");
    });

    itWithHost("a host's transaction finds a unique value taken, also by itself", async (store, host) => {
      await store.commit(recordCommit("product", aProduct({ id: "700", sku: "A" }), "absent"));
      const transaction = await host.begin();
      const within = store.withConnection(transaction.connection);
      const taken = (value: string) => ({ taken: "sku", value });
      assert.deepEqual(
        await outcomeOf(within, recordCommit("product", aProduct({ id: "701", sku: "A" }), "absent")),
        taken("A"),
      );
      assert.equal(
        await outcomeOf(within, recordCommit("product", aProduct({ id: "702", sku: "B" }), "absent")),
        "written",
      );
      assert.deepEqual(
        await outcomeOf(within, recordCommit("product", aProduct({ id: "703", sku: "B" }), "absent")),
        taken("B"),
      );
      await transaction.commit();
      assert.equal((await store.listRecords("product", BUSINESS, aCatalogQuery())).total, 2);
    });
  });
}

/** Writes that fail in the middle, after they have changed rows already. */
const FAULTS: Readonly<Record<string, (within: TransactionStore) => Promise<unknown>>> = {
  "an id that is taken": (within) =>
    outcomeOf(
      within,
      insertBudgetCommit(aBudget(), { events: [anEvent({ id: "lost" })], completes: anIdempotencyRecord() }),
    ),
  "a public token that is taken": (within) =>
    outcomeOf(
      within,
      insertBudgetCommit(aBudget({ id: "99", publicTokenHash: "taken" }), {
        events: [anEvent({ id: "lost" })],
        completes: anIdempotencyRecord(),
      }),
    ),
};

function faultCases({ describe, itWithHost }: Suite): void {
  describe("a call that fails within a transaction of the host", () => {
    for (const [name, fail] of Object.entries(FAULTS)) {
      itWithHost(`a call (${name}) that fails in a host's transaction undoes only itself`, async (store, host) => {
        await store.commit(insertBudgetCommit(aBudget({ publicTokenHash: "taken" })));
        await store.claimKey(aClaim(), NOW);
        await subscribe(store, BUSINESS);
        const transaction = await host.begin();
        const within = store.withConnection(transaction.connection);
        await transaction.write("before");
        await within.commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "earlier" })] }));
        await assert.rejects(fail(within));
        assert.equal(
          await outcomeOf(within, insertBudgetCommit(aBudget({ id: "12" }), { events: [anEvent({ id: "later" })] })),
          "written",
        );
        await transaction.write("after");
        await transaction.commit();
        const { entries, total } = await store.listBudgets(BUSINESS, aBudgetQuery({ order: "asc" }));
        assert.deepEqual([total, entries.map(({ id }) => id)], [3, ["10", "11", "12"]]);
        assert.deepEqual(
          (await store.listEvents(BUSINESS, anEventQuery())).entries.map(({ id }) => id),
          ["later", "earlier"],
        );
        assert.deepEqual([...(await host.rows())].sort(), ["after", "before"]);
        assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "in-flight" });
      });
    }
  });
}
