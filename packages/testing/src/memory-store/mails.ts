import { exceedsQuota, type Instant, type Mail, type MailStore, type ReminderCheck } from "@budgetkit/core/store";
import { appendAuditEntry, appendEvents } from "./events.js";
import { completeClaim, receiptHolds } from "./idempotency.js";
import { keepRevision } from "./revisions.js";
import { bytesOf, countUse, useOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";

export function memoryMails(open: OpenTables): MailStore {
  return {
    queueMail: async (mail, budget, expectedVersion, events, receipt, quota, audit = null) => {
      const tables = open();
      const { businessId } = budget;
      const stored = tables.budgets.find(businessId, budget.id);
      if (stored?.version !== expectedVersion) return "stale";
      const isRevision = budget.revision > stored.revision;
      const isChanged = budget.version !== expectedVersion;
      const ofBudget = isChanged ? bytesOf(budget) - (isRevision ? 0 : bytesOf(stored)) : 0;
      const documentBytes = ofBudget + bytesOf(mail);
      const added = { documentBytes: documentBytes + bytesOf(...events, ...(audit === null ? [] : [audit])) };
      if (quota !== undefined && exceedsQuota(useOf(tables, businessId), added, quota)) return "quota-exceeded";
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      if (isRevision) keepRevision(tables, stored);
      if (isChanged) tables.budgets.save(businessId, budget.id, budget);
      tables.mails.add(businessId, mail.id, mail);
      requestCheck(tables, mail);
      countUse(tables, businessId, { documentBytes });
      appendEvents(tables, events);
      appendAuditEntry(tables, audit);
      completeClaim(tables, receipt);
      return "written";
    },

    listMails: async (businessId, budgetId, limit, offset) => {
      const found = open()
        .mails.of(businessId)
        .filter((mail) => mail.budgetId === budgetId)
        .sort((a, b) => b.createdAt - a.createdAt || Number(b.id) - Number(a.id));
      return { entries: found.slice(offset, offset + limit), total: found.length, nextCursor: null };
    },

    claimMails: async (now, leaseUntil, limit) => {
      const { mails } = open();
      const due = dueOf(mails.all(), now, limit).map((mail) => ({
        ...mail,
        dueAt: leaseUntil,
        attempts: mail.attempts + 1,
      }));
      for (const mail of due) mails.save(mail.businessId, mail.id, mail);
      return due;
    },

    settleMail: async (mail) => {
      const { mails } = open();
      const stored = mails.find(mail.businessId, mail.id);
      if (stored === null || stored.dueAt === null || stored.attempts !== mail.attempts) return false;
      mails.save(mail.businessId, mail.id, mail);
      return true;
    },

    claimReminderChecks: async (now, leaseUntil, limit) => {
      const { reminderChecks } = open();
      const due = dueOf(reminderChecks.all(), now, limit).map((check) => ({
        ...check,
        dueAt: leaseUntil,
        claims: check.claims + 1,
      }));
      for (const check of due) reminderChecks.save(check.businessId, check.budgetId, check);
      return due;
    },

    settleReminderCheck: async (check, outcome, reminder, audit = null) => {
      const tables = open();
      const { reminderChecks, mails } = tables;
      const { businessId, budgetId } = check;
      if (reminderChecks.find(businessId, budgetId)?.claims !== check.claims) return false;
      if (outcome === "remove") reminderChecks.remove(businessId, budgetId);
      else reminderChecks.save(businessId, budgetId, check);
      if (reminder !== null) mails.add(businessId, reminder.id, reminder);
      appendAuditEntry(tables, audit);
      return true;
    },

    setReminderOptOut: async (businessId, customerId, recipient, since, audit = null) => {
      const tables = open();
      const optOuts = new Map(tables.reminderOptOuts.find(businessId, customerId) ?? []);
      if (optOuts.has(recipient) === (since !== null)) return;
      if (since === null) optOuts.delete(recipient);
      else optOuts.set(recipient, since);
      tables.reminderOptOuts.save(businessId, customerId, optOuts);
      appendAuditEntry(tables, audit);
    },

    findReminderOptOut: async (businessId, customerId, recipient) => {
      const optOuts = open().reminderOptOuts.find(businessId, customerId) ?? new Map<string, Instant>();
      if (recipient !== undefined) return optOuts.get(recipient) ?? null;
      return optOuts.size === 0 ? null : Math.min(...optOuts.values());
    },
  };
}

/** A check that is running is fenced, so that it sees the new mail when it runs again. */
function requestCheck({ reminderChecks }: Tables, { businessId, budgetId, createdAt: dueAt }: Mail): void {
  const stored = reminderChecks.find(businessId, budgetId);
  const check: ReminderCheck =
    stored === null
      ? { businessId, budgetId, dueAt, claims: 0, validUntil: null, days: [] }
      : { ...stored, dueAt, claims: stored.claims + 1 };
  reminderChecks.save(businessId, budgetId, check);
}

function dueOf<Row extends { readonly dueAt: number | null }>(rows: readonly Row[], now: number, limit: number): Row[] {
  const timeOf = ({ dueAt }: Row): number => dueAt ?? Number.POSITIVE_INFINITY;
  return rows
    .filter((row) => timeOf(row) <= now)
    .sort((a, b) => timeOf(a) - timeOf(b))
    .slice(0, limit);
}
