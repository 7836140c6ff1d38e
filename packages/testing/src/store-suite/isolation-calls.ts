import {
  DAY_MS,
  endSessionCommit,
  insertAttachmentCommit,
  queueMailCommit,
  recordCommit,
  recordPaymentCommit,
  refreshSessionCommit,
  removeAttachmentCommit,
  removeEndpointCommit,
  removeIntegrationCommit,
  removeUserCommit,
  replaceAttachmentCommit,
  replaceBudgetCommit,
  replaceEndpointCommit,
  replaceHashCommit,
  replaceIntegrationCommit,
  replaceKeyCommit,
  replaceUserCommit,
  type Store,
  setTierCommit,
  touchKeyCommit,
  type UsageSlice,
} from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aCatalogQuery, aCustomer, aPackage, aProduct } from "../catalog-fixtures.js";
import {
  aBudget,
  aBudgetQuery,
  anApiKey,
  anAuditEntry,
  anEventQuery,
  aSession,
  aUser,
  FIXTURE_TIME,
} from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { isWritten, outcomeOf } from "../outcome.js";
import { aPayment } from "../payment-fixtures.js";
import { aDeliveryQuery, anAttempt, anEndpoint, aReplay } from "../webhook-fixtures.js";
import { aSettlement } from "./webhook-samples.js";

/** A call that names a row by business and id, and what it answers when there is no such row. */
export interface Call {
  readonly name: string;
  readonly answer: unknown;
  ask(store: Store, businessId: string, id: string): Promise<unknown>;
}

/** Every row of usage that the fixtures make. */
export const DAY: UsageSlice = { grain: "minute", from: FIXTURE_TIME - DAY_MS, until: FIXTURE_TIME + DAY_MS };

const NO_SUMS = { moments: [], routes: [] };
const EMPTY_PAGE = { entries: [], total: 0, nextCursor: null };

export const CALLS_BY_ID: readonly Call[] = [
  { name: "findBudget", answer: null, ask: (store, businessId, id) => store.findBudget(businessId, id) },
  { name: "findNamedBudget", answer: null, ask: (store, businessId, id) => store.findNamedBudget(businessId, id) },
  { name: "findRevision", answer: null, ask: (store, businessId, id) => store.findRevision(businessId, id, 1) },
  {
    name: "listRevisions",
    answer: EMPTY_PAGE,
    ask: (store, businessId, id) => store.listRevisions(businessId, id, 10, 0),
  },
  {
    name: "replaceBudget",
    answer: "stale",
    ask: (store, businessId, id) => outcomeOf(store, replaceBudgetCommit(aBudget({ businessId, id, version: 2 }), 1)),
  },
  {
    name: "recordPayment",
    answer: "stale",
    ask: (store, businessId, id) => {
      const payment = aPayment({ businessId, budgetId: id, reference: "another" });
      return outcomeOf(store, recordPaymentCommit(payment, aBudget({ businessId, id, version: 2 }), 1));
    },
  },
  {
    name: "recordPayment of a reference that is taken",
    answer: "stale",
    ask: (store, businessId, id) => {
      const payment = aPayment({ businessId, budgetId: id });
      return outcomeOf(store, recordPaymentCommit(payment, aBudget({ businessId, id, version: 3 }), 2));
    },
  },
  {
    name: "findPayment",
    answer: null,
    ask: (store, businessId, id) => store.findPayment(businessId, id, aPayment().reference),
  },
  { name: "countPayments", answer: 0, ask: (store, businessId, id) => store.countPayments(businessId, id) },
  {
    name: "listPayments",
    answer: EMPTY_PAGE,
    ask: (store, businessId, id) => store.listPayments(businessId, id, 10, 0),
  },
  {
    name: "queueMail of an unchanged budget",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(
        store,
        queueMailCommit(aMail({ businessId, budgetId: id, id: "66" }), aBudget({ businessId, id, version: 2 }), 2),
      ),
  },
  {
    name: "queueMail",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(
        store,
        queueMailCommit(aMail({ businessId, budgetId: id, id: "66" }), aBudget({ businessId, id, version: 3 }), 2),
      ),
  },
  {
    name: "listMails",
    answer: EMPTY_PAGE,
    ask: (store, businessId, id) => store.listMails(businessId, id, 10, 0),
  },
  {
    name: "settleMail",
    answer: false,
    ask: (store, businessId, id) => store.settleMail(aMail({ businessId, budgetId: id, id: `5${id}`, dueAt: null })),
  },
  {
    name: "settleReminderCheck",
    answer: false,
    ask: (store, businessId, id) => {
      const check = { businessId, budgetId: id, dueAt: 1, claims: 0, validUntil: null, days: [] };
      return store.settleReminderCheck(check, "remove", null);
    },
  },
  {
    name: "findReminderOptOut",
    answer: null,
    ask: (store, businessId, id) => store.findReminderOptOut(businessId, id),
  },
  { name: "listLinkViews", answer: [], ask: (store, businessId, id) => store.listLinkViews(businessId, id) },
  { name: "findUser", answer: null, ask: (store, businessId, id) => store.findUser(businessId, id) },
  {
    name: "replacePasswordHash",
    answer: "stale",
    ask: (store, businessId, id) => outcomeOf(store, replaceHashCommit(businessId, id, aUser().passwordHash, "next")),
  },
  {
    name: "replaceUser",
    answer: "stale",
    ask: (store, businessId, id) => outcomeOf(store, replaceUserCommit(aUser({ businessId, id, version: 2 }), 1)),
  },
  {
    name: "removeUser",
    answer: "stale",
    ask: (store, businessId, id) => outcomeOf(store, removeUserCommit(id, 1, anAuditEntry({ businessId }))),
  },
  { name: "findSession", answer: null, ask: (store, businessId, id) => store.findSession(businessId, id) },
  {
    name: "endSession",
    answer: false,
    ask: (store, businessId, id) => isWritten(store, endSessionCommit(businessId, id, FIXTURE_TIME)),
  },
  {
    name: "rotateRefresh",
    answer: "stale",
    ask: (store, businessId, sessionId) =>
      outcomeOf(
        store,
        refreshSessionCommit(
          {
            businessId,
            sessionId,
            expectedHash: aSession().refreshHash,
            newHash: "next",
            newExpiresAt: FIXTURE_TIME + 1,
          },
          FIXTURE_TIME,
        ),
      ),
  },
  { name: "findKey", answer: null, ask: (store, businessId, id) => store.findKey(businessId, id) },
  {
    name: "replaceKey",
    answer: "stale",
    ask: (store, businessId, id) => outcomeOf(store, replaceKeyCommit(anApiKey({ businessId, id, version: 2 }), 1)),
  },
  {
    name: "touchKey",
    answer: "written",
    ask: (store, businessId, id) => outcomeOf(store, touchKeyCommit(businessId, id, FIXTURE_TIME)),
  },
  { name: "findCustomers", answer: [], ask: (store, businessId, id) => store.findCustomers(businessId, [id]) },
  { name: "findCustomer", answer: null, ask: (store, businessId, id) => store.findRecord("customer", businessId, id) },
  {
    name: "replaceCustomer",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(store, recordCommit("customer", aCustomer({ businessId, id, version: 2 }), 1)),
  },
  {
    name: "replaceProduct",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(store, recordCommit("product", aProduct({ businessId, id, version: 2 }), 1)),
  },
  { name: "findPackages", answer: [], ask: (store, businessId, id) => store.findRecords("package", businessId, [id]) },
  {
    name: "replacePackage",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(store, recordCommit("package", aPackage({ businessId, id, version: 2 }), 1)),
  },
  {
    name: "findProductSummaries",
    answer: [],
    ask: (store, businessId, id) => store.findProductSummaries(businessId, [{ productId: id, variantId: null }]),
  },
  { name: "findProducts", answer: [], ask: (store, businessId, id) => store.findRecords("product", businessId, [id]) },
  { name: "findEndpoint", answer: null, ask: (store, businessId, id) => store.findEndpoint(businessId, id) },
  {
    name: "replaceEndpoint",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(store, replaceEndpointCommit(anEndpoint({ businessId, id, version: 2 }), 1)),
  },
  {
    name: "deleteEndpoint",
    answer: false,
    ask: (store, businessId, id) => isWritten(store, removeEndpointCommit(businessId, id)),
  },
  { name: "findReplay", answer: null, ask: (store, businessId, id) => store.findReplay(businessId, id) },
  {
    name: "writeReplay",
    answer: "stale",
    ask: (store, businessId, endpointId) => store.writeReplay(aReplay({ businessId, endpointId, version: 2 }), 1, []),
  },
  {
    name: "countUnfinished",
    answer: 0,
    ask: (store, businessId, id) => store.countUnfinished(businessId, { kind: "endpoint", id }, 10),
  },
  {
    name: "cancelDeliveries",
    answer: 0,
    ask: (store, businessId, id) => store.cancelDeliveries(businessId, { kind: "endpoint", id }, FIXTURE_TIME, 100),
  },
  {
    name: "redeliverUndelivered",
    answer: [],
    ask: (store, businessId, id) =>
      store.redeliverUndelivered(businessId, {
        subscriber: { kind: "endpoint", id },
        after: { createdAt: 0, id: "0" },
        now: FIXTURE_TIME,
        deadlineAt: FIXTURE_TIME,
        limit: 10,
      }),
  },
  { name: "findIntegration", answer: null, ask: (store, businessId, id) => store.findIntegration(businessId, id) },
  {
    name: "replaceIntegration",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(store, replaceIntegrationCommit(anIntegration({ businessId, id, version: 2 }), 1)),
  },
  {
    name: "deleteIntegration",
    answer: false,
    ask: (store, businessId, id) => isWritten(store, removeIntegrationCommit(businessId, id)),
  },
  { name: "findDelivery", answer: null, ask: (store, businessId, id) => store.findDelivery(businessId, id) },
  { name: "listAttempts", answer: [], ask: (store, businessId, id) => store.listAttempts(businessId, id) },
  {
    name: "redeliver",
    answer: false,
    ask: (store, businessId, id) => store.redeliver(businessId, id, FIXTURE_TIME, FIXTURE_TIME),
  },
  {
    name: "settle",
    answer: "lease-lost",
    ask: (store, businessId, id) => {
      const attempt = anAttempt({ businessId, deliveryId: id });
      return store.settle(aSettlement({ businessId, deliveryId: id, attempt }));
    },
  },
  {
    name: "sumUsage",
    answer: NO_SUMS,
    ask: (store, businessId, id) => store.sumUsage(businessId, id, [DAY]),
  },
  {
    name: "insertAttachment",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(store, insertAttachmentCommit(anAttachment({ businessId, budgetId: id, id: "81" }), 1, 100)),
  },
  {
    name: "findAttachment",
    answer: null,
    ask: async (store, businessId, id) =>
      (await store.findAttachment(businessId, id, "80")) ?? store.findAttachment(businessId, "10", id),
  },
  {
    name: "listAttachments",
    answer: EMPTY_PAGE,
    ask: (store, businessId, id) => store.listAttachments(businessId, id, 10, 0),
  },
  {
    name: "replaceAttachment",
    answer: "missing",
    ask: (store, businessId, id) =>
      outcomeOf(store, replaceAttachmentCommit(anAttachment({ businessId, id: `7${id}`, budgetId: id }), 1)),
  },
  {
    name: "removeAttachment",
    answer: "missing",
    ask: async (store, businessId, id) => {
      const ofBudget = await outcomeOf(store, removeAttachmentCommit({ businessId, budgetId: id, id: "80" }, 1));
      return ofBudget === "missing"
        ? outcomeOf(store, removeAttachmentCommit({ businessId, budgetId: "10", id }, 1))
        : ofBudget;
    },
  },
  {
    name: "listDeliveries of a subscriber",
    answer: EMPTY_PAGE,
    ask: (store, businessId, id) =>
      store.listDeliveries(businessId, aDeliveryQuery({ subscriber: { kind: "endpoint", id } })),
  },
];

export const CALLS_BY_BUSINESS: readonly Call[] = [
  ...CALLS_BY_ID,
  {
    name: "replaceBudget by another revision",
    answer: "stale",
    ask: (store, businessId, id) =>
      outcomeOf(store, replaceBudgetCommit(aBudget({ businessId, id, version: 3, revision: 2 }), 2)),
  },
  {
    name: "listBudgets",
    answer: EMPTY_PAGE,
    ask: (store, businessId) => store.listBudgets(businessId, aBudgetQuery({ includeDeleted: true })),
  },
  {
    name: "listBudgets with every filter",
    answer: EMPTY_PAGE,
    ask: (store, businessId) =>
      store.listBudgets(
        businessId,
        aBudgetQuery({ status: "PENDING", customerId: "500", search: "oak", minTotal: 0, createdAfter: 0 }),
      ),
  },
  { name: "listEvents", answer: EMPTY_PAGE, ask: (store, businessId) => store.listEvents(businessId, anEventQuery()) },
  {
    name: "findLedgerBounds",
    answer: { start: null, beginning: null, head: { sequence: 0, hash: null }, waiting: null },
    ask: (store, businessId) => store.findLedgerBounds(businessId),
  },
  {
    name: "signBeginning",
    answer: false,
    ask: (store, businessId) => store.signBeginning(businessId, 1, "signed", null),
  },
  {
    name: "pruneLedger",
    answer: 0,
    ask: (store, businessId) => store.pruneLedger(businessId, { sequence: 9, hash: null, checkpoint: "" }, 8),
  },
  { name: "readLedger", answer: [], ask: (store, businessId) => store.readLedger(businessId, { after: 0, limit: 9 }) },
  {
    name: "listEvents of a subject",
    answer: EMPTY_PAGE,
    ask: (store, businessId) => store.listEvents(businessId, anEventQuery({ subjectId: "10", type: "budget.created" })),
  },
  {
    name: "listCustomers",
    answer: EMPTY_PAGE,
    ask: (store, businessId) => store.listRecords("customer", businessId, aCatalogQuery({ includeDeleted: true })),
  },
  {
    name: "listCustomers that are searched for",
    answer: EMPTY_PAGE,
    ask: (store, businessId) =>
      store.listRecords("customer", businessId, aCatalogQuery({ search: "bruno", sort: "name" })),
  },
  {
    name: "listProducts",
    answer: EMPTY_PAGE,
    ask: (store, businessId) => store.listRecords("product", businessId, aCatalogQuery({ includeDeleted: true })),
  },
  {
    name: "listPackages",
    answer: EMPTY_PAGE,
    ask: (store, businessId) => store.listRecords("package", businessId, aCatalogQuery({ includeDeleted: true })),
  },
  { name: "listUsers", answer: EMPTY_PAGE, ask: (store, businessId) => store.listUsers(businessId, 10, 0) },
  { name: "listKeys", answer: EMPTY_PAGE, ask: (store, businessId) => store.listKeys(businessId, 10, 0) },
  { name: "listEndpoints", answer: EMPTY_PAGE, ask: (store, businessId) => store.listEndpoints(businessId, 10, 0) },
  {
    name: "listIntegrations",
    answer: EMPTY_PAGE,
    ask: (store, businessId) => store.listIntegrations(businessId, 10, 0),
  },
  {
    name: "findSubscribers",
    answer: { endpoints: [], keys: [] },
    ask: (store, businessId) => store.findSubscribers(businessId),
  },
  {
    name: "listDeliveries",
    answer: EMPTY_PAGE,
    ask: (store, businessId) => store.listDeliveries(businessId, aDeliveryQuery()),
  },
  {
    name: "sumUsage of a business",
    answer: NO_SUMS,
    ask: (store, businessId) => store.sumUsage(businessId, null, [DAY]),
  },
  { name: "sumBudgets", answer: [], ask: (store, businessId) => store.sumBudgets(businessId, FIXTURE_TIME) },
  {
    name: "countKeys",
    answer: { byStatus: { ACTIVE: 0, SUSPENDED: 0, REVOKED: 0 }, expiring: 0 },
    ask: (store, businessId) => store.countKeys(businessId, 0, FIXTURE_TIME + DAY_MS),
  },
  {
    name: "countDeliveries",
    answer: { pending: 0, retrying: 0, delivered: 0, failed: 0, cancelled: 0 },
    ask: (store, businessId) => store.countDeliveries(businessId, 0),
  },
  { name: "findBusiness", answer: null, ask: (store, businessId) => store.findBusiness(businessId) },
  {
    name: "setBusinessTier",
    answer: false,
    ask: (store, businessId) => isWritten(store, setTierCommit(businessId, "ENTERPRISE")),
  },
];
