import { type Mail, type ReminderCheck, startsCheck, uncounted } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** A check that is running is fenced, so that it sees the new mail when it runs again. */
const REQUEST_CHECK = `INSERT INTO @reminder_checks AS stored (business_id, budget_id, due_at, claims, document)
  VALUES ($1, $2, $3, 0, $4)
  ON CONFLICT (business_id, budget_id) DO UPDATE SET due_at = excluded.due_at, claims = stored.claims + 1`;

const OPT_OUT = "FROM @reminder_opt_outs WHERE business_id = $1 AND customer_id = $2 AND recipient = $3";

export function mailWrites(
  statements: Statements,
): Pick<WriteHandlers, "mail" | "reminder-check" | "reminder-opt-out"> {
  const prepareMail = mailInserter(statements);
  const requestCheck = statements.write(REQUEST_CHECK);
  const isOptedOut = statements.exists(`SELECT ${OPT_OUT}`);
  const optIn = statements.write(`DELETE ${OPT_OUT}`);
  const optOut = statements.insert("@reminder_opt_outs", {
    customer_id: "text",
    recipient: "text",
    opted_out_at: "bigint",
  });

  return {
    mail: ({ mail }) => {
      const { businessId, budgetId, createdAt } = mail;
      const { bytes, insert } = prepareMail(mail);
      const check = newCheck({ businessId, budgetId });
      return async (open) => ({
        added: { documentBytes: bytes },
        apply: () => {
          insert(open);
          if (startsCheck(mail)) requestCheck(open, idToFind(budgetId), createdAt, check);
        },
      });
    },

    "reminder-check": ({ budgetId, since }, businessId) => {
      const check = newCheck({ businessId, budgetId, since });
      return async (open) => uncounted(() => requestCheck(open, idToFind(budgetId), since, check));
    },

    "reminder-opt-out": ({ customerId, recipient, since }, businessId) => {
      idToWrite(businessId);
      return async (open) => {
        if ((await isOptedOut(open, customerId, recipient)) === (since !== null)) return "unchanged";
        return uncounted(() => {
          if (since === null) optIn(open, customerId, recipient);
          else optOut(open, customerId, recipient, since);
        });
      };
    },
  };
}

/** The document of a check that has found nothing yet. */
function newCheck(of: Pick<ReminderCheck, "businessId" | "budgetId" | "since">): string {
  return JSON.stringify({ ...of, validUntil: null, days: [] });
}

/** Encodes a mail outside of the transaction that inserts it. */
export function mailInserter(
  statements: Statements,
): (mail: Mail) => { readonly bytes: number; insert(transaction: Transaction): void } {
  const insert = statements.insert("@mails", {
    id: "bigint",
    budget_id: "bigint",
    created_at: "bigint",
    due_at: "bigint",
    attempts: "integer",
    document: "text",
  });
  return (mail) => {
    const { id, budgetId, createdAt, dueAt, attempts } = mail;
    const document = JSON.stringify(mail);
    const row = [idToWrite(id), idToFind(budgetId), createdAt, dueAt, attempts, document] as const;
    return { bytes: Buffer.byteLength(document), insert: (transaction) => insert(transaction, ...row) };
  };
}
