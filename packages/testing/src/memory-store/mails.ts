import {
  type Change,
  type Instant,
  type Mail,
  type MailStore,
  type Refusal,
  type ReminderCheck,
  startsCheck,
  uncounted,
} from "@budgetkit/core/store";
import { appendAuditEntry } from "./events.js";
import { bytesOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import type { WriteOf } from "./write-of.js";

export function memoryMails(open: OpenTables): MailStore {
  return {
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

    findReminderOptOut: async (businessId, customerId, recipient) => {
      const optOuts = open().reminderOptOuts.find(businessId, customerId) ?? new Map<string, Instant>();
      if (recipient !== undefined) return optOuts.get(recipient) ?? null;
      return optOuts.size === 0 ? null : Math.min(...optOuts.values());
    },
  };
}

export function mailChange(tables: Tables, mail: Mail): Change {
  const { businessId, id } = mail;
  tables.mails.assertFree(businessId, id);
  return {
    added: { documentBytes: bytesOf(mail) },
    apply: () => {
      tables.mails.add(businessId, id, mail);
      if (startsCheck(mail)) requestCheck(tables, mail);
    },
  };
}

export function checkChange(tables: Tables, businessId: string, write: WriteOf<"reminder-check">): Change {
  const { budgetId, since } = write;
  return uncounted(() => requestCheck(tables, { businessId, budgetId, createdAt: since }, { since }));
}

export function optOutChange(
  { reminderOptOuts }: Tables,
  businessId: string,
  { customerId, recipient, since }: WriteOf<"reminder-opt-out">,
): Change | Refusal {
  const optOuts = new Map(reminderOptOuts.find(businessId, customerId) ?? []);
  if (optOuts.has(recipient) === (since !== null)) return "unchanged";
  if (since === null) optOuts.delete(recipient);
  else optOuts.set(recipient, since);
  return uncounted(() => reminderOptOuts.save(businessId, customerId, optOuts));
}

/** A check that is running is fenced, so that it sees the new mail when it runs again. */
function requestCheck(
  { reminderChecks }: Tables,
  { businessId, budgetId, createdAt: dueAt }: Pick<Mail, "businessId" | "budgetId" | "createdAt">,
  kept: Pick<ReminderCheck, "since"> = {},
): void {
  const stored = reminderChecks.find(businessId, budgetId);
  const check: ReminderCheck =
    stored === null
      ? { businessId, budgetId, dueAt, claims: 0, validUntil: null, days: [], ...kept }
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
