import type { Mail, MailStore } from "@budgetkit/core/store";
import { asInteger, asMail, asReminderCheck, idToFind, idToWrite } from "@budgetkit/store-kit";
import { textToFind } from "../engine/arguments.js";
import { pageAndTotal } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { auditOf } from "../events/events.js";
import { MAIL_COMMITS } from "./mail-functions.js";

const OF_BUDGET = "FROM @mails WHERE business_id = $1 AND budget_id = $2";

export function postgresMails(connection: Connection): MailStore {
  const commit = connection.commits(MAIL_COMMITS);
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

    claimMails: async (now, leaseUntil, limit) =>
      (await connection.callRows("claim_mails", now, leaseUntil, limit)).map(asMail),

    settleMail: async (mail) => {
      const { businessId, id, attempts, dueAt } = mail;
      const key = [idToFind(businessId), idToFind(id), attempts] as const;
      return (await connection.call("settle_mail", ...key, dueAt, JSON.stringify(mail))) === true;
    },

    claimReminderChecks: async (now, leaseUntil, limit) =>
      (await connection.callRows("claim_reminder_checks", now, leaseUntil, limit)).map(asReminderCheck),

    settleReminderCheck: async (check, outcome, reminder, audit = null) => {
      const business = idToFind(check.businessId);
      return commit("settle_reminder_check", business, {
        business_id: business,
        budget_id: idToFind(check.budgetId),
        claims: check.claims,
        due_at: outcome === "remove" ? null : check.dueAt,
        check: JSON.stringify(check),
        reminder: reminder === null ? null : mailRow(reminder),
        audit: auditOf(audit),
      });
    },

    findReminderOptOut: async (businessId, customerId, recipient) => {
      const key = [idToFind(businessId), textToFind(customerId)] as const;
      const found = await (recipient === undefined ? findOptOut(...key) : findOptOutOf(...key, textToFind(recipient)));
      return found === undefined ? null : asInteger(found);
    },
  };
}

/** A mail as the functions take it. */
export function mailRow(mail: Mail) {
  const { businessId, id, budgetId, createdAt, dueAt, attempts } = mail;
  return {
    business_id: idToFind(businessId),
    id: idToWrite(id),
    budget_id: idToFind(budgetId),
    created_at: createdAt,
    due_at: dueAt,
    attempts,
    document: JSON.stringify(mail),
  };
}
