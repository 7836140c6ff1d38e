import { businessWrites } from "../access/business-writes.js";
import { keyConditions, keyWrites } from "../access/key-writes.js";
import { sessionWrites } from "../access/session-writes.js";
import { userConditions, userWrites } from "../access/user-writes.js";
import { attachmentConditions, attachmentWrites } from "../attachments/attachment-writes.js";
import { budgetConditions, budgetWrites } from "../budgets/budget-writes.js";
import { linkViewConditions, linkViewWrites } from "../budgets/link-view-writes.js";
import { mailWrites } from "../budgets/mail-writes.js";
import { messageConditions, messageWrites } from "../budgets/message-writes.js";
import { paymentWrites } from "../budgets/payment-writes.js";
import { catalogConditions, catalogWrites } from "../catalog/catalog-writes.js";
import type { StoreClock } from "../commit/connection.js";
import { type ConditionHandlers, prepareCondition, prepareWrite, type WriteHandlers } from "../commit/handlers.js";
import type { Statements } from "../engine/statements.js";
import { entryAppender } from "../events/append-entries.js";
import { heldClaims } from "../events/held-claims.js";
import { integrationConditions, integrationWrites } from "../integrations/integration-writes.js";
import { deliveryAdder } from "../webhooks/add-deliveries.js";
import { webhookConditions, webhookWrites } from "../webhooks/endpoint-writes.js";
import { outboxWriter } from "../webhooks/outbox.js";
import type { CommitParts } from "./prepared-commit.js";

/** What each kind of write and condition does. */
export function commitParts(statements: Statements, clock: StoreClock): CommitParts {
  const deliveries = deliveryAdder(statements, clock);
  const writes: WriteHandlers = {
    ...budgetWrites(statements, clock),
    ...paymentWrites(statements),
    ...mailWrites(statements),
    ...messageWrites(statements),
    ...linkViewWrites(statements),
    ...attachmentWrites(statements),
    ...catalogWrites(statements),
    ...businessWrites(statements),
    ...userWrites(statements),
    ...sessionWrites(statements),
    ...keyWrites(statements),
    ...integrationWrites(statements),
    ...webhookWrites(statements, deliveries),
  };
  const conditions: ConditionHandlers = {
    ...budgetConditions(statements),
    ...linkViewConditions(statements),
    ...messageConditions(statements),
    ...attachmentConditions(statements),
    ...catalogConditions(statements),
    ...keyConditions(statements),
    ...userConditions(statements),
    ...integrationConditions(statements),
    ...webhookConditions(statements),
  };
  return {
    prepareWrite: (write, businessId) => prepareWrite(writes, write, businessId),
    prepareCondition: (condition, businessId) => prepareCondition(conditions, condition, businessId),
    prepareOutbox: outboxWriter(statements, entryAppender(statements), deliveries),
    claims: heldClaims(statements),
  };
}
