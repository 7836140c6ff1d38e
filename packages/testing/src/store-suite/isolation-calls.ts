import { DAY_MS, type Store, type UsageSlice } from "@budgetkit/core/store";
import { aCatalogQuery } from "../catalog-fixtures.js";
import { aBudgetQuery, anEventQuery, FIXTURE_TIME } from "../fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { aPayment } from "../payment-fixtures.js";
import { aDeliveryQuery, anAttempt, aReplay } from "../webhook-fixtures.js";
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

type Ask = Call["ask"];

function answered(answer: unknown, asks: Readonly<Record<string, Ask>>): readonly Call[] {
  return Object.entries(asks).map(([name, ask]) => ({ name, answer, ask }));
}

export const CALLS_BY_ID: readonly Call[] = [
  ...answered(null, {
    findBudget: (store, business, id) => store.findBudget(business, id),
    findNamedBudget: (store, business, id) => store.findNamedBudget(business, id),
    findRevision: (store, business, id) => store.findRevision(business, id, 1),
    findPayment: (store, business, id) => store.findPayment(business, id, aPayment().reference),
    findReminderOptOut: (store, business, id) => store.findReminderOptOut(business, id),
    findUser: (store, business, id) => store.findUser(business, id),
    findSession: (store, business, id) => store.findSession(business, id),
    findKey: (store, business, id) => store.findKey(business, id),
    findCustomer: (store, business, id) => store.findRecord("customer", business, id),
    findEndpoint: (store, business, id) => store.findEndpoint(business, id),
    findReplay: (store, business, id) => store.findReplay(business, id),
    findIntegration: (store, business, id) => store.findIntegration(business, id),
    findDelivery: (store, business, id) => store.findDelivery(business, id),
    findAttachment: async (store, business, id) =>
      (await store.findAttachment(business, id, "80")) ?? store.findAttachment(business, "10", id),
  }),
  ...answered(EMPTY_PAGE, {
    listRevisions: (store, business, id) => store.listRevisions(business, id, 10, 0),
    listViewings: (store, business, id) => store.listViewings(business, id, 10, 0),
    listMessages: (store, business, id) => store.listMessages(business, id, 10, 0),
    listPayments: (store, business, id) => store.listPayments(business, id, 10, 0),
    listMails: (store, business, id) => store.listMails(business, id, 10, 0),
    listAttachments: (store, business, id) => store.listAttachments(business, id, 10, 0),
    "listDeliveries of a subscriber": (store, business, id) =>
      store.listDeliveries(business, aDeliveryQuery({ subscriber: { kind: "endpoint", id } })),
  }),
  ...answered(new Map(), {
    countLiveSessions: (store, business, id) => store.countLiveSessions(business, [id], FIXTURE_TIME),
  }),
  ...answered(0, {
    countPayments: (store, business, id) => store.countPayments(business, id),
    countUnfinished: (store, business, id) => store.countUnfinished(business, { kind: "endpoint", id }, 10),
    cancelDeliveries: (store, business, id) =>
      store.cancelDeliveries(business, { kind: "endpoint", id }, FIXTURE_TIME, 100),
  }),
  ...answered(false, {
    settleMail: (store, business, id) =>
      store.settleMail(aMail({ businessId: business, budgetId: id, id: `5${id}`, dueAt: null })),
    settleReminderCheck: (store, business, id) => {
      const check = { businessId: business, budgetId: id, dueAt: 1, claims: 0, validUntil: null, days: [] };
      return store.settleReminderCheck(check, "remove", null);
    },
    redeliver: (store, business, id) => store.redeliver(business, id, FIXTURE_TIME, FIXTURE_TIME),
  }),
  ...answered([], {
    listLinkViews: (store, business, id) => store.listLinkViews(business, id),
    findCustomers: (store, business, id) => store.findCustomers(business, [id]),
    findPackages: (store, business, id) => store.findRecords("package", business, [id]),
    findProductSummaries: (store, business, id) =>
      store.findProductSummaries(business, [{ productId: id, variantId: null }]),
    findProducts: (store, business, id) => store.findRecords("product", business, [id]),
    redeliverUndelivered: (store, business, id) =>
      store.redeliverUndelivered(business, {
        subscriber: { kind: "endpoint", id },
        after: { createdAt: 0, id: "0" },
        now: FIXTURE_TIME,
        deadlineAt: FIXTURE_TIME,
        limit: 10,
      }),
    listAttempts: (store, business, id) => store.listAttempts(business, id),
  }),
  ...answered(new Map(), {
    sumViews: (store, business, id) => store.sumViews(business, [id]),
  }),
  ...answered("stale", {
    writeReplay: (store, business, endpointId) =>
      store.writeReplay(aReplay({ businessId: business, endpointId, version: 2 }), 1, []),
  }),
  ...answered("lease-lost", {
    settle: (store, business, id) => {
      const attempt = anAttempt({ businessId: business, deliveryId: id });
      return store.settle(aSettlement({ businessId: business, deliveryId: id, attempt }));
    },
  }),
  ...answered(NO_SUMS, {
    sumUsage: (store, business, id) => store.sumUsage(business, id, [DAY]),
  }),
];

export const CALLS_BY_BUSINESS: readonly Call[] = [
  ...CALLS_BY_ID,
  ...answered(EMPTY_PAGE, {
    listBudgets: (store, business) => store.listBudgets(business, aBudgetQuery({ includeDeleted: true })),
    "listBudgets with every filter": (store, business) =>
      store.listBudgets(
        business,
        aBudgetQuery({ status: "PENDING", customerId: "500", search: "oak", minTotal: 0, createdAfter: 0 }),
      ),
    listEvents: (store, business) => store.listEvents(business, anEventQuery()),
    "listEvents of a subject": (store, business) =>
      store.listEvents(business, anEventQuery({ subjectId: "10", type: "budget.created" })),
    listCustomers: (store, business) =>
      store.listRecords("customer", business, aCatalogQuery({ includeDeleted: true })),
    "listCustomers that are searched for": (store, business) =>
      store.listRecords("customer", business, aCatalogQuery({ search: "bruno", sort: "name" })),
    listProducts: (store, business) => store.listRecords("product", business, aCatalogQuery({ includeDeleted: true })),
    listPackages: (store, business) => store.listRecords("package", business, aCatalogQuery({ includeDeleted: true })),
    listUsers: (store, business) => store.listUsers(business, 10, 0),
    listKeys: (store, business) => store.listKeys(business, 10, 0),
    listEndpoints: (store, business) => store.listEndpoints(business, 10, 0),
    listIntegrations: (store, business) => store.listIntegrations(business, 10, 0),
    listDeliveries: (store, business) => store.listDeliveries(business, aDeliveryQuery()),
  }),
  ...answered(
    { start: null, beginning: null, head: { sequence: 0, hash: null }, waiting: null },
    {
      findLedgerBounds: (store, business) => store.findLedgerBounds(business),
    },
  ),
  ...answered(false, {
    signBeginning: (store, business) => store.signBeginning(business, 1, "signed", null),
  }),
  ...answered(0, {
    pruneLedger: (store, business) => store.pruneLedger(business, { sequence: 9, hash: null, checkpoint: "" }, 8),
  }),
  ...answered([], {
    readLedger: (store, business) => store.readLedger(business, { after: 0, limit: 9 }),
    sumBudgets: (store, business) => store.sumBudgets(business, FIXTURE_TIME),
    sumSales: (store, business) =>
      store.sumSales(business, [FIXTURE_TIME - DAY_MS, FIXTURE_TIME + DAY_MS], FIXTURE_TIME),
  }),
  ...answered(
    { balances: [], depositsDue: 0, expiring: 0 },
    {
      sumOpen: (store, business) => store.sumOpen(business, FIXTURE_TIME, FIXTURE_TIME + DAY_MS),
    },
  ),
  ...answered(
    { endpoints: [], keys: [] },
    {
      findSubscribers: (store, business) => store.findSubscribers(business),
    },
  ),
  ...answered(NO_SUMS, {
    "sumUsage of a business": (store, business) => store.sumUsage(business, null, [DAY]),
  }),
  ...answered(
    { byStatus: { ACTIVE: 0, SUSPENDED: 0, REVOKED: 0 }, expiring: 0 },
    {
      countKeys: (store, business) => store.countKeys(business, 0, FIXTURE_TIME + DAY_MS),
    },
  ),
  ...answered(
    { pending: 0, retrying: 0, delivered: 0, failed: 0, cancelled: 0 },
    {
      countDeliveries: (store, business) => store.countDeliveries(business, 0),
    },
  ),
  ...answered(null, {
    findCustomerByEmail: (store, business) => store.findCustomerByEmail(business, "bruno@example.com"),
    findBusiness: (store, business) => store.findBusiness(business),
  }),
];
