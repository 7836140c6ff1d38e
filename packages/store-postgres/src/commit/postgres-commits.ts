import { assertOneBusiness, type CommitStore, type Condition, type Write } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { accessCalls } from "./access-calls.js";
import { attachmentCalls } from "./attachment-calls.js";
import { budgetCalls } from "./budget-calls.js";
import { catalogCalls } from "./catalog-calls.js";
import { CommitParts, type SendCommit, type WriteOf } from "./commit-parts.js";
import { endpointCalls } from "./endpoint-calls.js";
import { auditCalls } from "./event-calls.js";
import { integrationCalls } from "./integration-calls.js";
import { keyCalls } from "./key-calls.js";
import { mailCalls } from "./mail-calls.js";
import { userCalls } from "./user-calls.js";

/** Writes each commit that the builders of core make by one function of the schema. Others are refused by a TypeError. */
export function postgresCommits(connection: Connection): CommitStore<Write, Condition> {
  const callOf = callFinder(connection);
  return {
    commit: async (commit) => {
      assertOneBusiness(commit);
      const parts = new CommitParts(commit);
      const send = callOf(parts);
      parts.refuseOthers();
      return send();
    },
  };
}

/** The first write of a commit determines its function. */
function callFinder(connection: Connection): (parts: CommitParts) => SendCommit {
  const audit = auditCalls(connection);
  const budgets = budgetCalls(connection);
  const mails = mailCalls(connection);
  const attachments = attachmentCalls(connection);
  const catalog = catalogCalls(connection);
  const access = accessCalls(connection);
  const users = userCalls(connection);
  const keys = keyCalls(connection);
  const integrations = integrationCalls(connection);
  const endpoints = endpointCalls(connection);

  const replacement = (parts: CommitParts, write: WriteOf<"budget">, mail: WriteOf<"mail"> | null) =>
    mail === null ? budgets.replacement(parts, write) : mails.mailOfChanged(parts, write, mail);

  return (parts) => {
    const write = parts.takeLeading();
    if (write === undefined) return audit.entries(parts);
    switch (write.kind) {
      case "budget":
        if (write.expected === "absent") return budgets.insertion(parts, write);
        return replacement(parts, write, parts.takeWrite("mail"));
      case "payment":
        return budgets.payment(parts, write);
      case "mail":
        return mails.mail(parts, write);
      case "link-view":
        return budgets.linkView(parts, write);
      case "reminder-opt-out":
        return mails.optOut(parts, write);
      case "attachment":
        return attachments.attachment(parts, write);
      case "attachment-removal":
        return attachments.removal(parts, write);
      case "customer":
      case "product":
      case "package":
        return catalog.record(parts, write);
      case "business":
        return access.business(parts, write);
      case "tier":
        return access.tier(parts, write);
      case "user":
        return users.user(parts, write);
      case "user-removal":
        return users.removal(parts, write);
      case "password-hash":
        return users.passwordHash(parts, write);
      case "session":
        return access.session(parts, write);
      case "session-refresh":
        return access.refresh(parts, write);
      case "session-end":
        return access.sessionEnd(parts, write);
      case "sessions-end":
        return parts.refuse("sessions of a user end together with a change of the user");
      case "key":
        return keys.key(parts, write);
      case "key-use":
        return keys.use(parts, write);
      case "integration":
        return integrations.integration(parts, write);
      case "integration-removal":
        return integrations.removal(parts, write);
      case "endpoint":
        return endpoints.endpoint(parts, write);
      case "endpoint-removal":
        return endpoints.removal(parts, write);
      case "delivery":
        return endpoints.delivery(parts, write);
    }
  };
}
