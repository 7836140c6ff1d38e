import { idToWrite } from "@budgetkit/store-kit";
import { MAIL_COMMITS } from "../budgets/mail-functions.js";
import { mailRow } from "../budgets/mails.js";
import type { Connection } from "../engine/connection.js";
import { auditRows } from "../events/events.js";
import { idempotencyRow } from "../events/idempotency.js";
import { replacementArgument } from "./budget-calls.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";
import { bytesOf, documentsOf, plannedIn, takeEvents } from "./event-calls.js";

export function mailCalls(connection: Connection) {
  const call = connection.commits(MAIL_COMMITS);

  return {
    /** A mail together with its changed budget. */
    mailOfChanged(parts: CommitParts, write: WriteOf<"budget">, { mail }: WriteOf<"mail">): SendCommit {
      const queued = queuedOf(parts, mail);
      const others = [queued.mail.document, ...documentsOf(queued.audit)];
      const argument = { ...replacementArgument(connection, parts, write, null, others), ...queued };
      return () => call("queue_mail", queued.mail.business_id, argument, plannedIn(parts));
    },

    /** A mail of a budget that stays as it is. */
    mail(parts: CommitParts, { mail }: WriteOf<"mail">): SendCommit {
      const queued = queuedOf(parts, mail);
      const version = parts.takeCondition("budget-version");
      if (version?.budgetId !== mail.budgetId) return parts.refuse("a mail requires the version of its budget");
      const events = takeEvents(parts, connection);
      const argument = {
        events,
        completes: idempotencyRow(parts.take("completes")),
        bytes: bytesOf(queued.mail.document, ...documentsOf(queued.audit), ...documentsOf(events)),
        quota: parts.take("quota"),
        expectedVersion: version.is,
        ...queued,
      };
      return () => call("queue_mail", queued.mail.business_id, argument, plannedIn(parts));
    },

    optOut(parts: CommitParts, { customerId, recipient, since }: WriteOf<"reminder-opt-out">): SendCommit {
      const business = idToWrite(parts.businessId);
      const optOut = { business_id: business, customer_id: customerId, recipient, opted_out_at: since };
      const audit = auditRows(parts.take("audit"));
      return () => call("opt_out_of_reminders", business, { ...optOut, audit });
    },
  };
}

function queuedOf(parts: CommitParts, mail: WriteOf<"mail">["mail"]) {
  const { businessId, budgetId } = mail;
  return {
    mail: mailRow(mail),
    audit: auditRows(parts.take("audit")),
    check: JSON.stringify({ businessId, budgetId, validUntil: null, days: [] }),
  };
}
