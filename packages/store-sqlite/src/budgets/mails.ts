import { type Mail, type MailStore, type ReminderCheck, startsCheck, uncounted } from "@budgetkit/core/store";
import { asInteger, asMail, asReminderCheck, idToFind, idToWrite, orNull } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";
import { auditWriter } from "../events/append-entry.js";

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

const OF_BUDGET = "budgetkit_mails WHERE business_id = ? AND budget_id = ?";
const OPT_OUT = "FROM budgetkit_reminder_opt_outs WHERE business_id = ? AND customer_id = ? AND recipient = ?";

export function sqliteMails(connection: Connection): MailStore {
  return { ...mailQueue(connection), ...reminders(connection) };
}

type ReminderMethods = "claimReminderChecks" | "settleReminderCheck" | "findReminderOptOut";

function mailQueue(connection: Connection): Omit<MailStore, ReminderMethods> {
  const list = pageReader(connection, { columns: "document, due_at, attempts", from: OF_BUDGET }, asMail);
  const isMailDue = connection.exists("SELECT 1 FROM budgetkit_mails WHERE due_at <= ? LIMIT 1");
  const claimMails = connection.rows(CLAIM_MAIL);
  const settle = connection.command(
    `UPDATE budgetkit_mails SET due_at = ?, document = ?
     WHERE business_id = ? AND id = ? AND attempts = ? AND due_at IS NOT NULL`,
  );

  return {
    listMails: (businessId, budgetId, limit, offset) => list([idToFind(businessId), idToFind(budgetId)], limit, offset),

    claimMails: async (now, leaseUntil, limit) => {
      if (!(await connection.read(() => isMailDue(now)))) return [];
      return connection.write(() => claimMails(leaseUntil, now, limit).map(asMail));
    },

    settleMail: async (mail) => {
      const { businessId, id, attempts, dueAt } = mail;
      const document = JSON.stringify(mail);
      return connection.write(() => settle(dueAt, document, idToFind(businessId), idToFind(id), attempts) === 1);
    },
  };
}

function reminders(connection: Connection): Pick<MailStore, ReminderMethods> {
  const insert = connection.command(INSERT_MAIL);
  const isCheckDue = connection.exists("SELECT 1 FROM budgetkit_reminder_checks WHERE due_at <= ? LIMIT 1");
  const claimChecks = connection.rows(CLAIM_CHECK);
  const replaceCheck = connection.command(
    `UPDATE budgetkit_reminder_checks SET due_at = ?, document = ?
     WHERE business_id = ? AND budget_id = ? AND claims = ?`,
  );
  const removeCheck = connection.command(
    "DELETE FROM budgetkit_reminder_checks WHERE business_id = ? AND budget_id = ? AND claims = ?",
  );
  const findOptOut = connection.value(
    `SELECT opted_out_at FROM budgetkit_reminder_opt_outs WHERE business_id = ? AND customer_id = ?
     ORDER BY opted_out_at LIMIT 1`,
  );
  const findOptOutOf = connection.value(`SELECT opted_out_at ${OPT_OUT}`);
  const writeAudit = auditWriter(connection);

  return {
    claimReminderChecks: async (now, leaseUntil, limit) => {
      if (!(await connection.read(() => isCheckDue(now)))) return [];
      return connection.write(() => claimChecks(leaseUntil, now, limit).map(asReminderCheck));
    },

    settleReminderCheck: async (check, outcome, reminder, audit = null) => {
      const key = [idToFind(check.businessId), idToFind(check.budgetId), check.claims] as const;
      const document = JSON.stringify(check);
      const values = reminder === null ? null : mailValues(reminder);
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const held = outcome === "remove" ? removeCheck(...key) : replaceCheck(check.dueAt, document, ...key);
        if (held === 0) return false;
        if (values !== null) insert(...values);
        appendAudit();
        return true;
      });
    },

    findReminderOptOut: (businessId, customerId, recipient) =>
      connection.read(() => {
        const key = [idToFind(businessId), customerId] as const;
        const found = recipient === undefined ? findOptOut(...key) : findOptOutOf(...key, recipient);
        return orNull(found, asInteger);
      }),
  };
}

export function mailWrites(
  connection: Connection,
): Pick<WriteHandlers, "mail" | "reminder-check" | "reminder-opt-out"> {
  const insert = connection.command(INSERT_MAIL);
  const requestCheck = connection.command(REQUEST_CHECK);
  const isOptedOut = connection.exists(`SELECT 1 ${OPT_OUT}`);
  const optIn = connection.command(`DELETE ${OPT_OUT}`);
  const optOut = connection.command(
    `INSERT INTO budgetkit_reminder_opt_outs (business_id, customer_id, recipient, opted_out_at) VALUES (?, ?, ?, ?)`,
  );

  return {
    mail: ({ mail }) => {
      const { businessId, budgetId, createdAt } = mail;
      const values = mailValues(mail);
      const check = newCheck({ businessId, budgetId });
      const apply = () => {
        insert(...values);
        if (startsCheck(mail)) requestCheck(idToFind(businessId), idToFind(budgetId), createdAt, check);
      };
      return () => ({ added: { documentBytes: Buffer.byteLength(values[6]) }, apply });
    },

    "reminder-check": ({ budgetId, since }, businessId) => {
      const check = newCheck({ businessId, budgetId, since });
      return () => uncounted(() => requestCheck(idToFind(businessId), idToFind(budgetId), since, check));
    },

    "reminder-opt-out": ({ customerId, recipient, since }, businessId) => {
      const key = [idToWrite(businessId), customerId, recipient] as const;
      return () => {
        if (isOptedOut(...key) === (since !== null)) return "unchanged";
        return uncounted(() => void (since === null ? optIn(...key) : optOut(...key, since)));
      };
    },
  };
}

/** The document of a check that has found nothing yet. */
function newCheck(of: Pick<ReminderCheck, "businessId" | "budgetId" | "since">): string {
  return JSON.stringify({ ...of, validUntil: null, days: [] });
}

function mailValues(mail: Mail) {
  const { businessId, id, budgetId, createdAt, dueAt, attempts } = mail;
  const ids = [idToFind(businessId), idToWrite(id), idToFind(budgetId)] as const;
  return [...ids, createdAt, dueAt, attempts, JSON.stringify(mail)] as const;
}
