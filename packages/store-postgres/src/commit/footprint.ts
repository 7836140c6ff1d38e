import {
  type Condition,
  type Customer,
  cuitHeldBy,
  customerEmailKeyOf,
  type StoreCommit,
  skusHeldBy,
  subjectKindOf,
  type Write,
} from "@budgetkit/core/store";

/** The records that a piece reads or changes, by their names; `"all"` = anything of the business. */
export type Footprint = ReadonlySet<string> | "all";

/**
 * The footprint of a commit. Pieces with disjoint ones may read at the same time: none reads what another changes, but for
 * the totals of the business, which they share. What is rare, or counts rows, has no name of its own.
 */
export function footprintOf({ writes, conditions, events, audit, completes, numbering }: StoreCommit): Footprint {
  const names = new Set([...events, ...audit].map(({ type, subjectId }) => `${subjectKindOf(type)} ${subjectId}`));
  if (completes !== null) names.add(claimName(completes.key));
  if (numbering?.kind === "keep") names.add(`number ${numbering.number}`);
  for (const part of [...writes.map(namesOfWrite), ...conditions.map(namesOfCondition)]) {
    if (part === "all") return "all";
    for (const name of part) names.add(name);
  }
  return names;
}

export function claimName(key: string): string {
  return `claim ${key}`;
}

function namesOfWrite(write: Write): readonly string[] | "all" {
  switch (write.kind) {
    case "budget":
      return [`budget ${write.budget.id}`];
    case "payment":
      return [`budget ${write.payment.budgetId}`];
    case "mail":
      return [`budget ${write.mail.budgetId}`];
    case "reminder-check":
      return [`budget ${write.budgetId}`];
    case "message":
      return [`budget ${write.message.budgetId}`];
    case "link-view":
      return [`budget ${write.view.budgetId}`];
    case "attachment":
      return [`budget ${write.attachment.budgetId}`];
    case "attachment-removal":
      return [`budget ${write.budgetId}`];
    case "customer":
      return [`customer ${write.record.id}`, ...cuitOf(write.record), ...emailOf(write.record)];
    case "product":
      return [`product ${write.record.id}`, ...skusHeldBy(write.record).map((sku) => `sku ${sku}`)];
    case "package":
      return [`package ${write.record.id}`];
    case "key-use":
      return [`key ${write.keyId}`];
    case "delivery":
      return [`delivery ${write.delivery.id}`];
    case "reminder-opt-out":
    case "business":
    case "tier":
    case "user":
    case "user-removal":
    case "password-hash":
    case "session":
    case "session-refresh":
    case "session-end":
    case "sessions-end":
    case "key":
    case "integration":
    case "integration-removal":
    case "endpoint":
    case "endpoint-removal":
      return "all";
  }
}

function cuitOf(customer: Customer): readonly string[] {
  const cuit = cuitHeldBy(customer);
  return cuit === null ? [] : [`cuit ${cuit}`];
}

function emailOf({ email }: Customer): readonly string[] {
  return email === null ? [] : [emailName(customerEmailKeyOf(email))];
}

function emailName(emailKey: string): string {
  return `email ${emailKey}`;
}

function namesOfCondition(condition: Condition): readonly string[] | "all" {
  switch (condition.kind) {
    case "budget-version":
    case "attachments-below":
    case "messages-below":
    case "not-viewed-since":
      return [`budget ${condition.budgetId}`];
    case "customer-email-free":
      return [emailName(condition.emailKey)];
    case "not-last-owner":
    case "keys-below":
    case "webhook-keys-below":
    case "endpoints-below":
    case "integrations-below":
      return "all";
  }
}
