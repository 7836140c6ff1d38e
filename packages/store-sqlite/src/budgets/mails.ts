import {
  type AuditEntry,
  asInteger,
  asMail,
  asReminderCheck,
  idToFind,
  idToWrite,
  type Mail,
  type MailStore,
  type StorageQuota,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { auditWriter, outboxWriter } from "../events/events.js";
import { claimCompleter } from "../events/idempotency.js";
import { quotaChecker, storageCounter } from "../limits/storage-use.js";
import { budgetReplacer } from "./budgets.js";
import type { BudgetsAndNames } from "./cached-budgets.js";

const INSERT_MAIL = `INSERT INTO budgetkit_mails (business_id, id, budget_id, created_at, due_at, attempts, document)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** A check that is running is fenced, so that it sees the new mail when it runs again. */
const REQUEST_CHECK = `INSERT INTO budgetkit_reminder_checks (business_id, budget_id, due_at, claims, document)
  VALUES (?, ?, ?, 0, ?)
  ON CONFLICT (business_id, budget_id) DO UPDATE SET due_at = excluded.due_at, claims = claims + 1`;

const CLAIM_MAIL = `UPDATE budgetkit_mails SET due_at = ?, attempts = attempts + 1 WHERE rowid IN (
    SELECT rowid FROM budgetkit_mails WHERE due_at <= ? ORDER BY due_at LIMIT ?
  ) RETURNING document, due_at, attempts`;

const CLAIM_CHECK = `UPDATE budgetkit_reminder_checks SET due_at = ?, claims = claims + 1
  WHERE (business_id, budget_id) IN (
    SELECT business_id, budget_id FROM budgetkit_reminder_checks WHERE due_at <= ? ORDER BY due_at LIMIT ?
  ) RETURNING document, due_at, claims`;

export function sqliteMails(connection: Connection, cached: BudgetsAndNames): MailStore {
  return { ...mailQueue(connection, cached), ...reminders(connection) };
}

type ReminderMethods = "claimReminderChecks" | "settleReminderCheck" | "setReminderOptOut" | "findReminderOptOut";

function mailQueue(connection: Connection, cached: BudgetsAndNames): Omit<MailStore, ReminderMethods> {
  const insert = connection.command(INSERT_MAIL);
  const requestCheck = connection.command(REQUEST_CHECK);
  const total = connection.value("SELECT count(*) FROM budgetkit_mails WHERE business_id = ? AND budget_id = ?");
  const list = connection.rows(
    `SELECT document, due_at, attempts FROM budgetkit_mails WHERE business_id = ? AND budget_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const isMailDue = connection.value("SELECT 1 FROM budgetkit_mails WHERE due_at <= ? LIMIT 1");
  const claimMails = connection.rows(CLAIM_MAIL);
  const settle = connection.value(
    `UPDATE budgetkit_mails SET due_at = ?, document = ?
     WHERE business_id = ? AND id = ? AND attempts = ? AND due_at IS NOT NULL RETURNING 1`,
  );
  const prepareBudget = budgetWriter(connection, cached);
  const writeAudit = auditWriter(connection);

  return {
    queueMail: async (mail, budget, expectedVersion, events, record, quota, audit = null) => {
      const values = mailValues(mail);
      const [business, , budgetId] = values;
      const check = JSON.stringify({
        businessId: mail.businessId,
        budgetId: mail.budgetId,
        validUntil: null,
        days: [],
      });
      const bytes = { ofMail: Buffer.byteLength(JSON.stringify(mail)), ofEntry: bytesOf(audit) };
      const writeBudget = prepareBudget(bytes, budget, expectedVersion, events, record, quota);
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const outcome = writeBudget();
        if (outcome !== "written") return outcome;
        insert(...values);
        requestCheck(business, budgetId, mail.createdAt, check);
        appendAudit();
        return outcome;
      });
    },

    listMails: (businessId, budgetId, limit, offset) =>
      connection.snapshot(() => {
        const budget = [idToFind(businessId), idToFind(budgetId)] as const;
        const entries = list(...budget, limit, offset).map(asMail);
        return { entries, total: asInteger(total(...budget)), nextCursor: null };
      }),

    claimMails: async (now, leaseUntil, limit) => {
      if ((await connection.read(() => isMailDue(now))) === undefined) return [];
      return connection.write(() => claimMails(leaseUntil, now, limit).map(asMail));
    },

    settleMail: async (mail) => {
      const { businessId, id, attempts, dueAt } = mail;
      const document = JSON.stringify(mail);
      return connection.write(
        () => settle(dueAt, document, idToFind(businessId), idToFind(id), attempts) !== undefined,
      );
    },
  };
}

function reminders(connection: Connection): Pick<MailStore, ReminderMethods> {
  const insert = connection.command(INSERT_MAIL);
  const isCheckDue = connection.value("SELECT 1 FROM budgetkit_reminder_checks WHERE due_at <= ? LIMIT 1");
  const claimChecks = connection.rows(CLAIM_CHECK);
  const replaceCheck = connection.value(
    `UPDATE budgetkit_reminder_checks SET due_at = ?, document = ?
     WHERE business_id = ? AND budget_id = ? AND claims = ? RETURNING 1`,
  );
  const removeCheck = connection.value(
    "DELETE FROM budgetkit_reminder_checks WHERE business_id = ? AND budget_id = ? AND claims = ? RETURNING 1",
  );
  const optOut = connection.command(
    `INSERT INTO budgetkit_reminder_opt_outs (business_id, customer_id, recipient, opted_out_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id, customer_id, recipient) DO NOTHING`,
  );
  const optIn = connection.command(
    "DELETE FROM budgetkit_reminder_opt_outs WHERE business_id = ? AND customer_id = ? AND recipient = ?",
  );
  const findOptOut = connection.value(
    `SELECT opted_out_at FROM budgetkit_reminder_opt_outs WHERE business_id = ? AND customer_id = ?
     ORDER BY opted_out_at LIMIT 1`,
  );
  const findOptOutOf = connection.value(
    "SELECT opted_out_at FROM budgetkit_reminder_opt_outs WHERE business_id = ? AND customer_id = ? AND recipient = ?",
  );
  const writeAudit = auditWriter(connection);

  return {
    claimReminderChecks: async (now, leaseUntil, limit) => {
      if ((await connection.read(() => isCheckDue(now))) === undefined) return [];
      return connection.write(() => claimChecks(leaseUntil, now, limit).map(asReminderCheck));
    },

    settleReminderCheck: async (check, outcome, reminder, audit = null) => {
      const key = [idToFind(check.businessId), idToFind(check.budgetId), check.claims] as const;
      const document = JSON.stringify(check);
      const values = reminder === null ? null : mailValues(reminder);
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const held = outcome === "remove" ? removeCheck(...key) : replaceCheck(check.dueAt, document, ...key);
        if (held === undefined) return false;
        if (values !== null) insert(...values);
        appendAudit();
        return true;
      });
    },

    setReminderOptOut: async (businessId, customerId, recipient, since, audit = null) => {
      const key = [idToWrite(businessId), customerId, recipient] as const;
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const changed = since === null ? optIn(...key) : optOut(...key, since);
        if (changed === 1) appendAudit();
      });
    },

    findReminderOptOut: (businessId, customerId, recipient) =>
      connection.read(() => {
        const key = [idToFind(businessId), customerId] as const;
        const found = recipient === undefined ? findOptOut(...key) : findOptOutOf(...key, recipient);
        return found === undefined ? null : asInteger(found);
      }),
  };
}

type Change = Parameters<MailStore["queueMail"]> extends [Mail, ...infer Rest] ? Rest : never;

interface AddedBytes {
  readonly ofMail: number;
  readonly ofEntry: number; // counted with the entry
}

function bytesOf(entry: AuditEntry | null): number {
  return entry === null ? 0 : Buffer.byteLength(JSON.stringify(entry));
}

/** Replaces the budget, or requires that it is stored at its version; counts the bytes of the mail either way. */
function budgetWriter(connection: Connection, cached: BudgetsAndNames) {
  const prepareReplacement = budgetReplacer(connection, cached);
  const prepareEvents = outboxWriter(connection);
  const completeClaim = claimCompleter(connection);
  const exceeds = quotaChecker(connection);
  const count = storageCounter(connection);
  const versionOf = connection.value("SELECT version FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  return ({ ofMail, ofEntry }: AddedBytes, ...[budget, expectedVersion, events, record, quota]: Change) => {
    const business = idToFind(budget.businessId);
    if (budget.version !== expectedVersion) {
      const replace = prepareReplacement(budget, expectedVersion, events, record, without(quota, ofMail + ofEntry));
      return () => {
        const outcome = replace();
        if (outcome === "written") count(business, { documentBytes: ofMail });
        return outcome;
      };
    }
    const id = idToFind(budget.id);
    const appendEvents = prepareEvents(events);
    return () => {
      if (versionOf(business, id) !== expectedVersion) return "stale";
      if (exceeds(business, { documentBytes: ofMail + ofEntry + appendEvents.bytes }, quota)) return "quota-exceeded";
      if (!completeClaim(record)) return "claim-lost";
      appendEvents({ business, documentBytes: ofMail });
      return "written";
    };
  };
}

/** The quota that is left for the rest of a commit. */
function without(quota: StorageQuota | undefined, bytes: number): StorageQuota | undefined {
  return quota === undefined || quota.bytes === null ? quota : { ...quota, bytes: quota.bytes - bytes };
}

function mailValues(mail: Mail) {
  const { businessId, id, budgetId, createdAt, dueAt, attempts } = mail;
  const ids = [idToFind(businessId), idToWrite(id), idToFind(budgetId)] as const;
  return [...ids, createdAt, dueAt, attempts, JSON.stringify(mail)] as const;
}
