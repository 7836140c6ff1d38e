import {
  addedBy,
  addUse,
  assertOneBusiness,
  budgetToNumber,
  type Change,
  type CommitStore,
  type Committed,
  type Condition,
  exceedsQuota,
  inspectAll,
  type Refusal,
  type StoreCommit,
  type Write,
  withNumber,
} from "@budgetkit/core/store";
import { businessChange, sessionChange, sessionEnd, sessionRefresh, tierChange } from "./access.js";
import { attachmentChange, attachmentRemoval, hasAttachmentsBelow } from "./attachments.js";
import { budgetChange, isAtVersion } from "./budgets.js";
import { customerChange, isEmailFree, packageChange, productChange } from "./catalog.js";
import { appendAuditEntry, appendEvents } from "./events.js";
import { completeClaim, holdsClaim } from "./idempotency.js";
import { integrationChange, integrationRemoval } from "./integrations.js";
import { hasKeysBelow, hasWebhookKeysBelow, keyChange, keyUse } from "./keys.js";
import { isViewedSince, linkViewChange } from "./link-views.js";
import { checkChange, mailChange, optOutChange } from "./mails.js";
import { hasMessagesBelow, messageChange } from "./messages.js";
import { isNumberTaken, keepNumber, nextNumber } from "./numbers.js";
import { paymentChange } from "./payments.js";
import { bytesOf, countUse, useOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import { hashChange, isLastOwner, sessionsEnd, userChange, userRemoval } from "./users.js";
import { assertPlannedFree, deliveryChange } from "./webhook-dispatch.js";
import { endpointChange, endpointRemoval } from "./webhooks.js";

/** Inspects everything, and then writes: a commit that is refused or throws has written nothing. */
export function memoryCommits(open: OpenTables): CommitStore<Write, Condition> {
  return {
    commit: async (commit) => {
      assertOneBusiness(commit);
      const tables = open();
      const changes = inspect(tables, commit);
      if ("by" in changes) return { kind: "refused", by: changes.by };
      const { numbering } = commit;
      if (numbering?.kind !== "draw") return write(tables, commit, changes, null);
      const kept = nextNumber(tables, commit.businessId, numbering);
      const numbered = { ...withNumber(commit, numbering.blank, kept.number), numbering: kept };
      const changesOfNumbered = inspect(tables, { ...numbered, quota: null }); // the quota was checked with the blank
      if ("by" in changesOfNumbered) throw new TypeError("a number refuses no commit");
      return write(tables, numbered, changesOfNumbered, kept.number);
    },
  };
}

function inspect(tables: Tables, commit: StoreCommit): readonly Change[] | { by: Refusal } {
  const { businessId, quota, numbering, completes } = commit;
  const changes = inspectAll(commit.writes.map((each) => () => changeOf(tables, businessId, each)));
  if ("by" in changes) return changes;
  for (const condition of commit.conditions) {
    const refusal = refusalOf(tables, businessId, condition);
    if (refusal !== null) return { by: refusal };
  }
  const entries = { documentBytes: bytesOf(...commit.events, ...commit.audit) };
  const added = addUse(addedBy(changes), entries);
  if (quota !== null && exceedsQuota(useOf(tables, businessId), added, quota)) return { by: "quota-exceeded" };
  if (numbering?.kind === "keep" && isNumberTaken(tables, businessId, numbering)) {
    return { by: { taken: "number", value: numbering.number } };
  }
  return completes === null || holdsClaim(tables, completes) ? changes : { by: "claim-lost" };
}

function write(tables: Tables, commit: StoreCommit, changes: readonly Change[], number: string | null): Committed {
  const { businessId, numbering, events, audit, completes, deliveries } = commit;
  assertPlannedFree(tables, commit);
  for (const change of changes) change.apply();
  if (numbering?.kind === "keep") keepNumber(tables, budgetToNumber(commit.writes), numbering);
  countUse(tables, businessId, addedBy(changes));
  const { made, mayWait } = appendEvents(tables, events, deliveries);
  for (const entry of audit) appendAuditEntry(tables, entry);
  if (completes !== null) completeClaim(tables, completes);
  return { kind: "written", number, made: made?.map(({ id, body }) => ({ id, body })) ?? null, mayWait };
}

function changeOf(tables: Tables, businessId: string, write: Write): Change | Refusal {
  switch (write.kind) {
    case "budget":
      return budgetChange(tables, write);
    case "payment":
      return paymentChange(tables, write.payment);
    case "mail":
      return mailChange(tables, write.mail);
    case "reminder-check":
      return checkChange(tables, businessId, write);
    case "message":
      return messageChange(tables, write.message);
    case "link-view":
      return linkViewChange(tables, write);
    case "reminder-opt-out":
      return optOutChange(tables, businessId, write);
    case "attachment":
      return attachmentChange(tables, write);
    case "attachment-removal":
      return attachmentRemoval(tables, businessId, write);
    case "customer":
      return customerChange(tables, write);
    case "product":
      return productChange(tables, write);
    case "package":
      return packageChange(tables, write);
    case "business":
      return businessChange(tables, write);
    case "tier":
      return tierChange(tables, businessId, write.tier);
    case "user":
      return userChange(tables, write);
    case "user-removal":
      return userRemoval(tables, businessId, write);
    case "password-hash":
      return hashChange(tables, businessId, write);
    case "session":
      return sessionChange(tables, write);
    case "session-refresh":
      return sessionRefresh(tables, write);
    case "session-end":
      return sessionEnd(tables, businessId, write);
    case "sessions-end":
      return sessionsEnd(tables, businessId, write);
    case "key":
      return keyChange(tables, write);
    case "key-use":
      return keyUse(tables, businessId, write);
    case "integration":
      return integrationChange(tables, write);
    case "integration-removal":
      return integrationRemoval(tables, businessId, write.id);
    case "endpoint":
      return endpointChange(tables, write);
    case "endpoint-removal":
      return endpointRemoval(tables, businessId, write.id);
    case "delivery":
      return deliveryChange(tables, write);
  }
}

/** Null = the condition holds. */
function refusalOf(tables: Tables, businessId: string, condition: Condition): Refusal | null {
  switch (condition.kind) {
    case "budget-version":
      return isAtVersion(tables, businessId, condition) ? null : "stale";
    case "messages-below":
      return hasMessagesBelow(tables, businessId, condition) ? null : "message-limit";
    case "customer-email-free":
      return isEmailFree(tables, businessId, condition) ? null : { taken: "email", value: condition.emailKey };
    case "not-viewed-since":
      return isViewedSince(tables, businessId, condition) ? "repeated" : null;
    case "attachments-below":
      return hasAttachmentsBelow(tables, businessId, condition) ? null : "attachment-limit";
    case "keys-below":
      return hasKeysBelow(tables, businessId, condition) ? null : "key-limit";
    case "webhook-keys-below":
      return hasWebhookKeysBelow(tables, businessId, condition) ? null : "webhook-limit";
    case "not-last-owner":
      return isLastOwner(tables, businessId, condition.userId) ? "last-owner" : null;
    case "integrations-below":
      return tables.integrations.of(businessId).length < condition.limit ? null : "integration-limit";
    case "endpoints-below":
      return tables.endpoints.of(businessId).length < condition.limit ? null : "webhook-limit";
  }
}
