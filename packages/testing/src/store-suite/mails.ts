import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import {
  insertBudgetCommit,
  queueMailCommit,
  reminderOptOutCommit,
  replaceBudgetCommit,
  withReminderCheck,
} from "@budgetkit/core/store";
import { aBudget, anEvent, anEventQuery, FIXTURE_BUSINESS as BUSINESS, FIXTURE_TIME as NOW } from "../fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, type Suite } from "./suite.js";

const LEASE_END = NOW + 1_000;
const LINKED = aBudget({ version: 2, publicTokenHash: "hash" });

export function mailCases(suite: Suite): void {
  queueCases(suite);
  claimCases(suite);
  reminderCases(suite);
  optOutCases(suite);
}

function queueCases({ describe, it, itDurably }: Suite): void {
  describe("queueing a mail", () => {
    it("queues no mail for a budget at another version, or without a budget (stale)", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ version: 2 })));
      assert.equal(await outcomeOf(store, queueMailCommit(aMail(), aBudget(), 1, { events: [anEvent()] })), "stale");
      assert.equal(await outcomeOf(store, queueMailCommit(aMail(), LINKED, 1, { events: [anEvent()] })), "stale");
      const elsewhere = aMail({ budgetId: "11" });
      assert.equal(await outcomeOf(store, queueMailCommit(elsewhere, aBudget({ id: "11" }), 1)), "stale");
      assert.deepEqual(await store.claimMails(NOW, LEASE_END, 10), []);
      assert.deepEqual(await store.claimReminderChecks(NOW, LEASE_END, 10), []);
      assert.deepEqual(await eventIds(store), []);
    });

    itDurably("a queued mail is there when the store is opened again", async (store, reopen) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await store.commit(queueMailCommit(aMail({ message: "Ñandú 🙂\u2028" }), aBudget(), 1));
      const reopened = await reopen();
      const [claimed] = await reopened.claimMails(NOW, LEASE_END, 10);
      assert.deepEqual(claimed, aMail({ message: "Ñandú 🙂\u2028", attempts: 1, dueAt: LEASE_END }));
    });
  });
}

function claimCases({ describe, it }: Suite): void {
  describe("claiming mails", () => {
    it("claims each due mail for one caller, the longest due first", async (store) => {
      await queue(store, { "60": NOW - 1, "61": NOW - 3, "62": NOW + 1, "63": NOW - 2 });
      const first = await store.claimMails(NOW, LEASE_END, 2);
      assert.deepEqual(first.map(({ id }) => id).sort(), ["61", "63"]);
      const claims = await allAtOnce(4, () => store.claimMails(NOW, LEASE_END, 10));
      assert.deepEqual(
        claims.flat().map(({ id }) => id),
        ["60"],
      );
    });

    it("claims a mail again when its lease has ended, with one more attempt", async (store) => {
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

    it("a failed mail is due at its next attempt", async (store) => {
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
    it("a reminder check is due with the mail, once for each budget", async (store) => {
      await queue(store, { "60": NOW, "61": NOW });
      const [check, ...others] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      assert.deepEqual(others, []);
      assert.deepEqual({ ...check, claims: 0 }, { ...CHECK, claims: 0 });
      assert.deepEqual(await store.claimReminderChecks(NOW, LEASE_END, 10), []);
    });

    it("a reminder check queues the reminder and its next time in one step, by its last claim only", async (store) => {
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

    it("a mail about an act starts no check for reminders, and two of them may be queued by one commit", async (store) => {
      const [first, second] = [aMail({ kind: "customer.accepted" }), aMail({ id: "61", kind: "seller.accepted" })];
      await store.commit(insertBudgetCommit(aBudget()));
      const commit = queueMailCommit(first, aBudget(), 1);
      const writes = [...commit.writes, { kind: "mail", mail: second } as const];
      assert.equal(await outcomeOf(store, { ...commit, writes }), "written");
      assert.equal((await store.claimMails(NOW, LEASE_END, 10)).length, 2);
      assert.deepEqual(await store.claimReminderChecks(NOW, LEASE_END, 10), []);
    });

    it("keeps with a check of which end the business was told", async (store) => {
      await queue(store, { "60": NOW });
      const [check] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      assert.ok(check !== undefined);
      assert.equal(
        await store.settleReminderCheck({ ...check, dueAt: NOW, sellerTold: NOW + 5 }, "replace", null),
        true,
      );
      assert.equal((await store.claimReminderChecks(NOW, LEASE_END, 10))[0]?.sellerTold, NOW + 5);
    });

    it("an offer by its link has a check without a mail, and a second one makes the first due again", async (store) => {
      await store.commit(withReminderCheck(insertBudgetCommit(aBudget()), "10", NOW));
      const [check, ...others] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      assert.deepEqual([check, others], [{ ...CHECK, since: NOW }, []]);
      assert.ok(check !== undefined);
      const again = withReminderCheck(replaceBudgetCommit(aBudget({ version: 2 }), 1), "10", NOW + 7);
      await store.commit(again);
      assert.equal(await store.settleReminderCheck(check, "remove", null), false);
      const [due] = await store.claimReminderChecks(NOW + 7, LEASE_END, 10);
      assert.equal(due?.since, NOW);
    });

    it("removing a reminder check ends it", async (store) => {
      await queue(store, { "60": NOW });
      const [check] = await store.claimReminderChecks(NOW, LEASE_END, 10);
      assert.ok(check !== undefined);
      assert.equal(await store.settleReminderCheck(check, "remove", null), true);
      assert.equal(await store.settleReminderCheck(check, "replace", null), false);
      assert.deepEqual(await store.claimReminderChecks(LEASE_END, LEASE_END + 5, 10), []);
    });

    it("a check that began before a new mail does not end the reminders", async (store) => {
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
    it("an opt-out of reminders belongs to one business, however often it is made", async (store) => {
      for (const at of [NOW, NOW + 1])
        await store.commit(reminderOptOutCommit("1", { customerId: "c-Ñ", recipient: "", since: at }));
      assert.equal(await store.findReminderOptOut("1", "c-Ñ"), NOW);
      assert.equal(await store.findReminderOptOut("2", "c-Ñ"), null);
      assert.equal(await store.findReminderOptOut("1", "c-ñ"), null);
      assert.equal(await store.findReminderOptOut("x", "c\0"), null);
    });

    it("opt-outs by recipient end one by one, and reminders resume when none is left", async (store) => {
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

    it("a customer resumes reminders, and may opt out again", async (store) => {
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
