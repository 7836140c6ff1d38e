import * as access from "./access/access-commits.js";
import * as attachments from "./attachments/attachment-commits.js";
import * as budgets from "./budgets/budget-commits.js";
import type { LinkViewStore } from "./budgets/link-view-store.js";
import type { CatalogKind, CatalogRecords, CatalogWrite } from "./catalog/catalog-commits.js";
import type { CatalogQuery, CatalogStore } from "./catalog/catalog-store.js";
import { type Committed, commitOf } from "./commit/commit.js";
import type { AuditEntry, DomainEvent } from "./events/event.js";
import type { IdempotencyRecord } from "./idempotency/idempotency-store.js";
import * as integrations from "./integrations/integration-commits.js";
import type { StoreCommit } from "./store.js";
import * as endpoints from "./webhooks/endpoint-commits.js";

// Removed at the end of the change to commits: the former write methods by `commit`.

// biome-ignore lint/suspicious/noExplicitAny: goes
type Loose = any;

function answer(c: Committed): Loose {
  if (c.kind === "written") return c.number === null ? "written" : { number: c.number };
  const by = c.by;
  if (typeof by === "object" && ["email", "reference"].includes(by.taken)) return "taken";
  if (typeof by === "object" && by.taken === "number") return "number-taken";
  return by;
}

const list = (audit: AuditEntry | null | undefined): AuditEntry[] => (audit ? [audit] : []);
const eventsOf = (events: readonly DomainEvent[]) => events;

export interface FormerParts {
  commit(commit: StoreCommit): Promise<Committed>;
  findRecord: CatalogStore["findRecord"];
  findRecords: CatalogStore["findRecords"];
  listRecords: CatalogStore["listRecords"];
  listLinkViews?: LinkViewStore["listLinkViews"];
}

/** The former write methods, for callers that still use them. */
export type FormerWrites = {
  insertBudget: (...args: Loose[]) => Loose;
  replaceBudget: (...args: Loose[]) => Loose;
  recordPayment: (...args: Loose[]) => Loose;
  queueMail: (...args: Loose[]) => Loose;
  setReminderOptOut: (...args: Loose[]) => Loose;
  countView: (...args: Loose[]) => Loose;
  insertAttachment: (...args: Loose[]) => Loose;
  replaceAttachment: (...args: Loose[]) => Loose;
  removeAttachment: (...args: Loose[]) => Loose;
  insertCustomer: (...args: Loose[]) => Loose;
  replaceCustomer: (...args: Loose[]) => Loose;
  findCustomer: (...args: Loose[]) => Loose;
  listCustomers: (...args: Loose[]) => Loose;
  insertProduct: (...args: Loose[]) => Loose;
  replaceProduct: (...args: Loose[]) => Loose;
  findProduct: (...args: Loose[]) => Loose;
  findProducts: (...args: Loose[]) => Loose;
  listProducts: (...args: Loose[]) => Loose;
  insertPackage: (...args: Loose[]) => Loose;
  replacePackage: (...args: Loose[]) => Loose;
  findPackage: (...args: Loose[]) => Loose;
  findPackages: (...args: Loose[]) => Loose;
  listPackages: (...args: Loose[]) => Loose;
  insertBusiness: (...args: Loose[]) => Loose;
  replaceBusiness: (...args: Loose[]) => Loose;
  setBusinessTier: (...args: Loose[]) => Loose;
  insertUser: (...args: Loose[]) => Loose;
  replacePasswordHash: (...args: Loose[]) => Loose;
  replaceUser: (...args: Loose[]) => Loose;
  removeUser: (...args: Loose[]) => Loose;
  insertSession: (...args: Loose[]) => Loose;
  rotateRefresh: (...args: Loose[]) => Loose;
  endSession: (...args: Loose[]) => Loose;
  insertKey: (...args: Loose[]) => Loose;
  replaceKey: (...args: Loose[]) => Loose;
  touchKey: (...args: Loose[]) => Loose;
  insertIntegration: (...args: Loose[]) => Loose;
  replaceIntegration: (...args: Loose[]) => Loose;
  deleteIntegration: (...args: Loose[]) => Loose;
  insertEndpoint: (...args: Loose[]) => Loose;
  replaceEndpoint: (...args: Loose[]) => Loose;
  deleteEndpoint: (...args: Loose[]) => Loose;
  insertDelivery: (...args: Loose[]) => Loose;
  appendAudit: (...args: Loose[]) => Loose;
};

export function formerMethods(store: FormerParts): FormerWrites {
  const run = async (commit: Loose) => answer(await store.commit(commit));
  const isWritten = async (commit: Loose) => (await store.commit(commit)).kind === "written";
  const beside = (events: readonly DomainEvent[], completes: IdempotencyRecord | null, quota?: Loose) => ({
    events: eventsOf(events),
    completes,
    quota: quota ?? null,
  });
  const record =
    <K extends CatalogKind>(kind: K) =>
    (r: CatalogRecords[K], events: readonly DomainEvent[], completes: IdempotencyRecord | null, audit?: Loose) =>
      run(
        commitOf(r.businessId, [{ kind, record: r, expected: "absent" } as Loose as CatalogWrite], {
          events: eventsOf(events),
          completes,
          audit: list(audit),
        }),
      );
  const replacement =
    <K extends CatalogKind>(kind: K) =>
    (r: CatalogRecords[K], expected: number, events: Loose, completes: IdempotencyRecord | null, audit?: Loose) =>
      run(
        commitOf(r.businessId, [{ kind, record: r, expected } as Loose as CatalogWrite], {
          events: eventsOf(events),
          completes,
          audit: list(audit),
        }),
      );
  const find = (kind: CatalogKind) => (b: string, id: string) => store.findRecord(kind, b, id);
  const findMany = (kind: CatalogKind) => (b: string, ids: readonly string[]) => store.findRecords(kind, b, ids);
  const listOf = (kind: CatalogKind) => (b: string, query: CatalogQuery) => store.listRecords(kind, b, query);
  const withBeside = (commit: Loose, completes: IdempotencyRecord | null) => ({ ...commit, completes });

  return {
    insertBudget: (budget: Loose, events: Loose, r: Loose, quota?: Loose, numbering?: Loose) =>
      run(budgets.insertBudgetCommit(budget, { ...beside(events, r, quota), numbering: numbering ?? null })),
    replaceBudget: (budget: Loose, expected: number, events: Loose, r: Loose, quota?: Loose, numbering?: Loose) =>
      run(budgets.replaceBudgetCommit(budget, expected, { ...beside(events, r, quota), numbering: numbering ?? null })),
    recordPayment: (payment: Loose, budget: Loose, expected: number, events: Loose, r: Loose) =>
      run(budgets.recordPaymentCommit(payment, budget, expected, beside(events, r))),
    queueMail: (mail: Loose, budget: Loose, expected: number, events: Loose, r: Loose, quota?: Loose, audit?: Loose) =>
      run(budgets.queueMailCommit(mail, budget, expected, { ...beside(events, r, quota), audit: list(audit) })),
    setReminderOptOut: async (b: string, customerId: string, recipient: string, since: Loose, audit?: Loose) => {
      await store.commit(budgets.reminderOptOutCommit(b, { customerId, recipient, since }, list(audit)));
    },
    countView: async (view: Loose, gapMs: number, events: Loose) => {
      for (;;) {
        const isFirst = ((await store.listLinkViews?.(view.businessId, view.budgetId)) ?? []).length === 0;
        const c = await store.commit(
          budgets.countViewCommit(view, gapMs, isFirst, { events: isFirst ? eventsOf(events) : [] }),
        );
        if (c.kind === "written") return isFirst ? "first" : "counted";
        if (c.by === "repeated") return "repeated";
      }
    },
    insertAttachment: (a: Loose, version: number, max: number, events: Loose, quota?: Loose) =>
      run(attachments.insertAttachmentCommit(a, version, max, beside(events, null, quota))),
    replaceAttachment: (a: Loose, version: number, events: Loose) =>
      run(attachments.replaceAttachmentCommit(a, version, beside(events, null))),
    removeAttachment: async (businessId: string, budgetId: string, id: string, version: number, events: Loose) => {
      const done = await run(
        attachments.removeAttachmentCommit({ businessId, budgetId, id }, version, beside(events, null)),
      );
      return done === "written" ? "removed" : done;
    },
    insertCustomer: record("customer"),
    replaceCustomer: replacement("customer"),
    findCustomer: find("customer"),
    listCustomers: listOf("customer"),
    insertProduct: record("product"),
    replaceProduct: replacement("product"),
    findProduct: find("product"),
    findProducts: findMany("product"),
    listProducts: listOf("product"),
    insertPackage: record("package"),
    replacePackage: replacement("package"),
    findPackage: find("package"),
    findPackages: findMany("package"),
    listPackages: listOf("package"),
    insertBusiness: async (business: Loose, audit?: Loose) => {
      await store.commit(access.insertBusinessCommit(business, audit ?? null));
    },
    replaceBusiness: (business: Loose, expected: number, audit?: Loose) =>
      run(access.replaceBusinessCommit(business, expected, audit ?? null)),
    setBusinessTier: (id: string, tier: Loose, audit?: Loose) =>
      isWritten(access.setTierCommit(id, tier, audit ?? null)),
    insertUser: (user: Loose, audit?: Loose) => run(access.insertUserCommit(user, audit ?? null)),
    replacePasswordHash: (b: string, u: string, expected: string, hash: string) =>
      run(access.replaceHashCommit(b, u, expected, hash)),
    replaceUser: (user: Loose, expected: number, change: Loose) =>
      run(access.replaceUserCommit(user, expected, change.endSessions, change.audit)),
    removeUser: async (_b: string, id: string, expected: number, audit: AuditEntry) => {
      const done = await run({ ...access.removeUserCommit(id, expected, audit), businessId: _b });
      return done === "written" ? "removed" : done;
    },
    insertSession: (s: Loose, hash: string, audit?: Loose) => run(access.openSessionCommit(s, hash, audit ?? null)),
    rotateRefresh: async (rotation: Loose, now: number) =>
      (await isWritten(access.refreshSessionCommit(rotation, now))) ? "rotated" : "refused",
    endSession: (b: string, id: string, now: number, audit?: Loose) =>
      isWritten(access.endSessionCommit(b, id, now, audit ?? null)),
    insertKey: (
      key: Loose,
      r: Loose,
      withWebhook = Number.POSITIVE_INFINITY,
      keys = Number.POSITIVE_INFINITY,
      a?: Loose,
    ) => run(withBeside(access.insertKeyCommit(key, { keys, withWebhook }, a ?? null), r)),
    replaceKey: (key: Loose, expected: number, withWebhook = Number.POSITIVE_INFINITY, audit?: Loose) =>
      run(access.replaceKeyCommit(key, expected, withWebhook, audit ?? null)),
    touchKey: async (b: string, id: string, at: number) => {
      await store.commit(access.touchKeyCommit(b, id, at));
    },
    insertIntegration: (i: Loose, limit = Number.POSITIVE_INFINITY, audit?: Loose) =>
      run(integrations.insertIntegrationCommit(i, limit, list(audit))),
    replaceIntegration: (i: Loose, expected: number, audit?: Loose) =>
      run(integrations.replaceIntegrationCommit(i, expected, list(audit))),
    deleteIntegration: (b: string, id: string, audit?: Loose) =>
      isWritten(integrations.removeIntegrationCommit(b, id, list(audit))),
    insertEndpoint: (e: Loose, limit = Number.POSITIVE_INFINITY, audit?: Loose) =>
      run(endpoints.insertEndpointCommit(e, limit, list(audit))),
    replaceEndpoint: (e: Loose, expected: number, audit?: Loose) =>
      run(endpoints.replaceEndpointCommit(e, expected, list(audit))),
    deleteEndpoint: (b: string, id: string, audit?: Loose) =>
      isWritten(endpoints.removeEndpointCommit(b, id, list(audit))),
    insertDelivery: async (delivery: Loose) => {
      await store.commit(endpoints.testDeliveryCommit(delivery));
    },
    appendAudit: async (entry: AuditEntry) => {
      await store.commit(commitOf(entry.businessId, [], { audit: [entry] }));
    },
  };
}
