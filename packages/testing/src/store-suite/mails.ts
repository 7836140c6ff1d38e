import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import { insertBudgetCommit, queueMailCommit, reminderOptOutCommit } from "@budgetkit/core/store";
import {
  aBudget,
  aClaim,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  FIXTURE_BUSINESS as BUSINESS,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { COMPLETED } from "./claim-samples.js";
import { allAtOnce, type Suite } from "./suite.js";

const LEASE_END = NOW + 1_000;
const LINKED = aBudget({ version: 2, publicTokenHash: "hash" });

export function mailCases(suite: Suite): void {
  queueCases(suite);
  claimCases(suite);
  reminderCases(suite);
  optOutCases(suite);
}

function queueCases({ describe, it, itDurably, itWithHost }: Suite): void {
  describe("queueing a mail", () => {
    it("replaces the budget, and writes the mail and the events in one step", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      assert.equal(
        await outcomeOf(store, queueMailCommit(aMail(), LINKED, 1, { events: [anEvent({ id: "90" })] })),
        "written",
      );
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), LINKED);
      assert.deepEqual((await store.listMails(BUSINESS, "10", 10, 0)).entries, [aMail()]);
      assert.deepEqual(await eventIds(store), ["90"]);
    });

    it("leaves a budget that is sent as it is at its version", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      assert.equal(await outcomeOf(store, queueMailCommit(aMail(), aBudget(), 1)), "written");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget());
      assert.equal((await store.listMails(BUSINESS, "10", 10, 0)).total, 1);
    });

    it("writes nothing for a budget at another version, or without a budget", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ version: 2 })));
      assert.equal(await outcomeOf(store, queueMailCommit(aMail(), aBudget(), 1, { events: [anEvent()] })), "stale");
      assert.equal(await outcomeOf(store, queueMailCommit(aMail(), LINKED, 1, { events: [anEvent()] })), "stale");
      const elsewhere = aMail({ budgetId: "11" });
      assert.equal(await outcomeOf(store, queueMailCommit(elsewhere, aBudget({ id: "11" }), 1)), "stale");
      assert.deepEqual(await store.claimMails(NOW, LEASE_END, 10), []);
      assert.deepEqual(await store.claimReminderChecks(NOW, LEASE_END, 10), []);
      assert.deepEqual(await eventIds(store), []);
    });

    for (const [name, budget] of [
      ["a changed budget", LINKED],
      ["an unchanged budget", aBudget()],
    ] as const) {
      it(`completes the claim of its receipt once: ${name}`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget()));
        await store.claimKey(aClaim(), NOW);
        assert.equal(
          await outcomeOf(store, queueMailCommit(aMail(), budget, 1, { completes: anIdempotencyRecord() })),
          "written",
        );
        assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
        const again = { ...budget, version: budget.version };
        const other = aMail({ id: "61" });
        assert.equal(
          await outcomeOf(store, queueMailCommit(other, again, budget.version, { completes: anIdempotencyRecord() })),
          "claim-lost",
        );
        assert.equal((await store.listMails(BUSINESS, "10", 10, 0)).total, 1);
      });

      it(`counts the bytes of the mail, and refuses those beyond the quota: ${name}`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget()));
        const bytes = bytesOf(budget) + bytesOf(aMail()) + bytesOf(anEvent());
        const tooLittle = { budgets: null, bytes: bytes - 1 };
        const refused = await outcomeOf(
          store,
          queueMailCommit(aMail(), budget, 1, { events: [anEvent()], quota: tooLittle }),
        );
        assert.equal(refused, "quota-exceeded");
        assert.equal((await store.listMails(BUSINESS, "10", 10, 0)).total, 0);
        const quota = { budgets: null, bytes };
        assert.equal(
          await outcomeOf(store, queueMailCommit(aMail(), budget, 1, { events: [anEvent()], quota })),
          "written",
        );
        assert.equal((await store.measureStorage(BUSINESS)).documentBytes, bytes);
      });
    }

    it("lists the mails of one budget, newest first", async (store) => {
      for (const id of ["10", "11"]) await store.commit(insertBudgetCommit(aBudget({ id })));
      for (const [id, createdAt] of [
        ["60", NOW],
        ["61", NOW + 2],
        ["100", NOW],
      ] as const) {
        await store.commit(queueMailCommit(aMail({ id, createdAt }), aBudget(), 1));
      }
      await store.commit(queueMailCommit(aMail({ id: "70", budgetId: "11" }), aBudget({ id: "11" }), 1));
      const { entries, total } = await store.listMails(BUSINESS, "10", 2, 1);
      assert.deepEqual([entries.map(({ id }) => id), total], [["100", "60"], 3]);
    });

    itDurably("is kept when the store is opened again", async (store, reopen) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await store.commit(queueMailCommit(aMail({ message: "Ñandú 🙂\u2028" }), aBudget(), 1));
      const reopened = await reopen();
      const [claimed] = await reopened.claimMails(NOW, LEASE_END, 10);
      assert.deepEqual(claimed, aMail({ message: "Ñandú 🙂\u2028", attempts: 1, dueAt: LEASE_END }));
    });

    itWithHost("takes part in the transaction of a host", async (store, host) => {
      await store.commit(insertBudgetCommit(aBudget()));
      for (const end of ["rollback", "commit"] as const) {
        const transaction = await host.begin();
        const within = store.withConnection(transaction.connection);
        assert.equal(await outcomeOf(within, queueMailCommit(aMail(), LINKED, 1)), "written");
        assert.equal((await within.listMails(BUSINESS, "10", 10, 0)).total, 1);
        await transaction[end]();
        assert.equal((await store.listMails(BUSINESS, "10", 10, 0)).total, end === "commit" ? 1 : 0);
      }
    });
  });
}

function claimCases({ describe, it }: Suite): void {
  describe("claiming mails", () => {
    it("gives each due mail to one caller, the longest due first", async (store) => {
      await queue(store, { "60": NOW - 1, "61": NOW - 3, "62": NOW + 1, "63": NOW - 2 });
      const first = await store.claimMails(NOW, LEASE_END, 2);
      assert.deepEqual(first.map(({ id }) => id).sort(), ["61", "63"]);
      const claims = await allAtOnce(4, () => store.claimMails(NOW, LEASE_END, 10));
      assert.deepEqual(
        claims.flat().map(({ id }) => id),
        ["60"],
      );
    });

    it("gives a mail again when its lease has ended, with one more attempt", async (store) => {
      await queue(store, { "60": NOW });
      assert.deepEqual(await store.claimMails(NOW, LEASE_END, 10), [aMail({ attempts: 1, dueAt: LEASE_END })]);
      assert.deepEqual(await store.claimMails(LEASE_END - 1, LEASE_END, 10), []);
      const [again] = await store.claimMails(LEASE_END, LEASE_END + 5, 10);
      assert.deepEqual(again, aMail({ attempts: 2, dueAt: LEASE_END + 5 }));
    });

    it("settles a mail by its last claim only, and a finished mail never again", async (store) => {
      await queue(store, { "60": NOW });
      const [first] = await store.claimMails(NOW, LEASE_END, 10);
      const [second] = await store.claimMails(LEASE_END, LEASE_END + 5, 10);
      assert.ok(first !== undefined && second !== undefined);
      assert.equal(await store.settleMail({ ...first, status: "failed", dueAt: null }), false);
      const sent = { ...second, status: "sent", dueAt: null, sentAt: NOW + 7 } as const;
      assert.equal(await store.settleMail(sent), true);
      assert.equal(await store.settleMail({ ...sent, status: "failed" }), false);
      assert.deepEqual((await store.listMails(BUSINESS, "10", 10, 0)).entries, [sent]);
      assert.deepEqual(await store.claimMails(LEASE_END + 9, LEASE_END + 10, 10), []);
    });

    it("makes a failed mail due at its next attempt", async (store) => {
      await queue(store, { "60": NOW });
      const [claimed] = await store.claimMails(NOW, LEASE_END, 10);
      assert.ok(claimed !== undefined);
      assert.equal(await store.settleMail({ ...claimed, dueAt: NOW + 60, error: "busy" }), true);
      assert.deepEqual(await store.claimMails(NOW + 59, LEASE_END, 10), []);
      const [next] = await store.claimMails(NOW + 60, LEASE_END, 10);
      assert.deepEqual([next?.attempts, next?.error], [2, "busy"]);
    });
  });
}

function reminderCases({ describe, it }: Suite): void {
  describe("checks for reminders", () => {
    it("are due with the mail, once for each budget", async (store) => {
      await queue(store, { "60": NOW, "61": NOW });
      const [check, ...others] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      assert.deepEqual(others, []);
      assert.deepEqual({ ...check, claims: 0 }, { ...CHECK, claims: 0 });
      assert.deepEqual(await store.claimReminderChecks(NOW, LEASE_END, 10), []);
    });

    it("queue a reminder and their next time in one step, by their last claim only", async (store) => {
      await queue(store, { "60": NOW });
      const [first] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      const [second] = await store.claimReminderChecks(LEASE_END, LEASE_END + 5, 10);
      assert.ok(first !== undefined && second !== undefined);
      const reminder = aMail({ id: "61", kind: "reminder", dueAt: NOW + 1 });
      assert.equal(await store.settleReminderCheck(first, "replace", reminder), false);
      const next = { ...second, dueAt: NOW + 99_000, validUntil: NOW + 5, days: [7, 1] };
      assert.equal(await store.settleReminderCheck(next, "replace", reminder), true);
      assert.deepEqual((await store.listMails(BUSINESS, "10", 10, 0)).total, 2);
      assert.deepEqual(await store.claimReminderChecks(NOW + 98_999, LEASE_END, 10), []);
      const [third] = await store.claimReminderChecks(NOW + 99_000, NOW + 99_500, 10);
      assert.deepEqual(third, { ...next, claims: next.claims + 1, dueAt: NOW + 99_500 });
    });

    it("end when they are removed", async (store) => {
      await queue(store, { "60": NOW });
      const [check] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      assert.ok(check !== undefined);
      assert.equal(await store.settleReminderCheck(check, "remove", null), true);
      assert.equal(await store.settleReminderCheck(check, "replace", null), false);
      assert.deepEqual(await store.claimReminderChecks(LEASE_END, LEASE_END + 5, 10), []);
    });

    it("are not ended by a check that began before a new mail", async (store) => {
      await queue(store, { "60": NOW });
      const [check] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      assert.ok(check !== undefined);
      await store.commit(queueMailCommit(aMail({ id: "61" }), aBudget(), 1));
      assert.equal(await store.settleReminderCheck(check, "remove", null), false);
      assert.equal((await store.claimReminderChecks(NOW, LEASE_END, 10)).length, 1);
    });
  });
}

const CHECK = { businessId: BUSINESS, budgetId: "10", dueAt: LEASE_END, claims: 1, validUntil: null, days: [] };

function optOutCases({ describe, it }: Suite): void {
  describe("customers who want no reminders", () => {
    it("are those of one business, however often they say it", async (store) => {
      for (const at of [NOW, NOW + 1])
        await store.commit(reminderOptOutCommit("1", { customerId: "c-Ñ", recipient: "", since: at }));
      assert.equal(await store.findReminderOptOut("1", "c-Ñ"), NOW);
      assert.equal(await store.findReminderOptOut("2", "c-Ñ"), null);
      assert.equal(await store.findReminderOptOut("1", "c-ñ"), null);
      assert.equal(await store.findReminderOptOut("x", "c\0"), null);
    });

    it("end them by recipient: one gets them again only for itself, and they come when none is left", async (store) => {
      for (const [index, recipient] of ["", "one", "two"].entries()) {
        await store.commit(reminderOptOutCommit("1", { customerId: "a", recipient, since: NOW + index }));
      }
      await store.commit(reminderOptOutCommit("1", { customerId: "a", recipient: "three", since: null }));
      await store.commit(reminderOptOutCommit("1", { customerId: "a", recipient: "", since: null }));
      assert.equal(await store.findReminderOptOut("1", "a"), NOW + 1);
      assert.equal(await store.findReminderOptOut("1", "a", "two"), NOW + 2);
      assert.equal(await store.findReminderOptOut("1", "a", "three"), null);
      assert.equal(await store.findReminderOptOut("2", "a", "two"), null);
      assert.equal(await store.findReminderOptOut("1", "a", "c\0"), null);
      await store.commit(reminderOptOutCommit("1", { customerId: "a", recipient: "two", since: null }));
      assert.equal(await store.findReminderOptOut("1", "a"), NOW + 1);
      await store.commit(reminderOptOutCommit("1", { customerId: "a", recipient: "one", since: null }));
      assert.equal(await store.findReminderOptOut("1", "a"), null);
    });

    it("get them again once they say so, and may end them again", async (store) => {
      for (const customer of ["a", "b"])
        await store.commit(reminderOptOutCommit("1", { customerId: customer, recipient: "", since: NOW }));
      await store.commit(reminderOptOutCommit("2", { customerId: "a", recipient: "", since: NOW }));
      for (let round = 0; round < 2; round += 1)
        await store.commit(reminderOptOutCommit("1", { customerId: "a", recipient: "", since: null }));
      assert.equal(await store.findReminderOptOut("1", "a"), null);
      assert.equal(await store.findReminderOptOut("1", "b"), NOW);
      assert.equal(await store.findReminderOptOut("2", "a"), NOW);
      await store.commit(reminderOptOutCommit("1", { customerId: "a", recipient: "", since: NOW + 5 }));
      assert.equal(await store.findReminderOptOut("1", "a"), NOW + 5);
    });
  });
}

async function queue(store: Store, mails: Readonly<Record<string, number>>): Promise<void> {
  await store.commit(insertBudgetCommit(aBudget()));
  for (const [id, dueAt] of Object.entries(mails)) {
    await store.commit(queueMailCommit(aMail({ id, dueAt }), aBudget(), 1));
  }
}

async function eventIds(store: Store): Promise<readonly string[]> {
  return (await store.listEvents(BUSINESS, anEventQuery())).entries.map(({ id }) => id);
}

function bytesOf(document: object): number {
  return Buffer.byteLength(JSON.stringify(document));
}
