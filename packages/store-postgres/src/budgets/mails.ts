import type { MailStore } from "@budgetkit/core/store";
import { asInteger, asMail, asReminderCheck, idToFind } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";
import { auditWriter } from "../events/append-entries.js";
import { mailInserter } from "./mail-writes.js";

const CLAIM_MAILS = `UPDATE @mails AS mails SET due_at = $2, attempts = mails.attempts + 1
  FROM (
    SELECT business_id, id FROM @mails WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ) AS due
  WHERE mails.business_id = due.business_id AND mails.id = due.id
  RETURNING mails.document, mails.due_at, mails.attempts`;

const CLAIM_CHECKS = `UPDATE @reminder_checks AS checks SET due_at = $2, claims = checks.claims + 1
  FROM (
    SELECT business_id, budget_id FROM @reminder_checks WHERE due_at <= $1
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ) AS due
  WHERE checks.business_id = due.business_id AND checks.budget_id = due.budget_id
  RETURNING checks.document, checks.due_at, checks.claims`;

const OF_BUDGET = "FROM @mails WHERE business_id = $1 AND budget_id = $2";

export function postgresMails(connection: Connection): MailStore {
  const claimMails = connection.changes(CLAIM_MAILS);
  const settleMail = connection.changes(
    `UPDATE @mails SET due_at = $4, document = $5
     WHERE business_id = $1 AND id = $2 AND attempts = $3 AND due_at IS NOT NULL RETURNING id`,
  );
  const claimChecks = connection.changes(CLAIM_CHECKS);
  const findOptOut = connection.value(
    `SELECT opted_out_at FROM @reminder_opt_outs WHERE business_id = $1 AND customer_id = $2
     ORDER BY opted_out_at LIMIT 1`,
  );
  const findOptOutOf = connection.value(
    "SELECT opted_out_at FROM @reminder_opt_outs WHERE business_id = $1 AND customer_id = $2 AND recipient = $3",
  );

  return {
    listMails: async (businessId, budgetId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n ${OF_BUDGET}`,
        page: `SELECT document, due_at, attempts, created_at, id ${OF_BUDGET} ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: ["document", "due_at", "attempts"],
        values: [idToFind(businessId), idToFind(budgetId)],
        limit,
        offset,
      });
      return { entries: rows.map(asMail), total, nextCursor: null };
    },

    claimMails: async (now, leaseUntil, limit) => (await claimMails(now, leaseUntil, limit)).map(asMail),

    settleMail: async (mail) => {
      const { businessId, id, attempts, dueAt } = mail;
      const settled = await settleMail(idToFind(businessId), idToFind(id), attempts, dueAt, JSON.stringify(mail));
      return settled.length > 0;
    },

    claimReminderChecks: async (now, leaseUntil, limit) =>
      (await claimChecks(now, leaseUntil, limit)).map(asReminderCheck),

    settleReminderCheck: checkSettler(connection),

    findReminderOptOut: async (businessId, customerId, recipient) => {
      const key = [idToFind(businessId), textToFind(customerId)] as const;
      const found = await (recipient === undefined ? findOptOut(...key) : findOptOutOf(...key, textToFind(recipient)));
      return found === undefined ? null : asInteger(found);
    },
  };
}

function checkSettler({ statements, write }: Connection): MailStore["settleReminderCheck"] {
  const OF_CLAIM = "business_id = $1 AND budget_id = $2 AND claims = $3";
  const isHeld = statements.exists(`SELECT FROM @reminder_checks WHERE ${OF_CLAIM} FOR UPDATE`);
  const replaceCheck = statements.write(`UPDATE @reminder_checks SET due_at = $4, document = $5 WHERE ${OF_CLAIM}`);
  const removeCheck = statements.write(`DELETE FROM @reminder_checks WHERE ${OF_CLAIM}`);
  const prepareMail = mailInserter(statements);
  const prepareAudit = auditWriter(statements);

  return async (check, outcome, reminder, audit = null) => {
    const key = [idToFind(check.budgetId), check.claims] as const;
    const document = JSON.stringify(check);
    const mail = reminder === null ? null : prepareMail(reminder);
    const inspectAudit = prepareAudit(audit);
    return write(idToFind(check.businessId), "all", async (open) => {
      if (!(await isHeld(open, ...key))) return false;
      const appendAudit = await inspectAudit(open);
      if (outcome === "remove") removeCheck(open, ...key);
      else replaceCheck(open, ...key, check.dueAt, document);
      mail?.insert(open);
      appendAudit();
      return true;
    });
  };
}
