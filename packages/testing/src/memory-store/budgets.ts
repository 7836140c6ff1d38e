import {
  asOf,
  type Budget,
  type BudgetStore,
  type CatalogStore,
  type DomainEvent,
  exceedsQuota,
  type IdempotencyRecord,
  type Instant,
  type Numbered,
  type Numbering,
  productNamesOf,
} from "@budgetkit/core/store";
import { pageOfBudgets } from "./budget-list.js";
import { appendEvents } from "./events.js";
import { completeClaim, receiptHolds } from "./idempotency.js";
import { isNumberTaken, keepNumber, writeWithNumber } from "./numbers.js";
import { keepRevision, memoryRevisions } from "./revisions.js";
import { bytesOf, countUse, useOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";

export function memoryBudgets(open: OpenTables, catalog: CatalogStore): BudgetStore {
  return {
    insertBudget: async (given, events, receipt, quota, numbering) => {
      const tables = open();
      const { businessId } = given;
      const added = { budgets: 1, documentBytes: bytesOf(given, ...events) };
      if (quota !== undefined && exceedsQuota(useOf(tables, businessId), added, quota)) return "quota-exceeded";
      if (isNumberTaken(tables, businessId, numbering)) return "number-taken";
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      const insert = ({ budget, ...rest }: Content) => {
        tables.budgets.add(businessId, budget.id, budget);
        countUse(tables, businessId, { budgets: 1, documentBytes: bytesOf(budget) });
        commitWith(tables, rest.events, rest.receipt);
      };
      return writeNumbered(tables, { budget: given, events, receipt }, numbering, insert);
    },

    findBudget: async (businessId, id) => open().budgets.find(businessId, id),

    findNamedBudget: async (businessId, id) => {
      const budget = open().budgets.find(businessId, id);
      if (budget === null) return null;
      const [customer = null] = await catalog.findCustomers(businessId, [budget.customerId]);
      const products = await catalog.findProductSummaries(businessId, productNamesOf(budget.items));
      return { budget, customer, products };
    },

    replaceBudget: async (given, expectedVersion, events, receipt, quota, numbering) => {
      const tables = open();
      const { businessId } = given;
      if (!receiptHolds(tables, receipt)) return "claim-lost";
      const stored = tables.budgets.find(businessId, given.id);
      if (stored?.version !== expectedVersion) return "stale";
      const freed = given.revision > stored.revision ? 0 : bytesOf(stored);
      const documentBytes = bytesOf(given) - freed;
      const added = { documentBytes: documentBytes + bytesOf(...events) };
      if (quota !== undefined && exceedsQuota(useOf(tables, businessId), added, quota)) return "quota-exceeded";
      if (given.revision > stored.revision) keepRevision(tables, stored);
      return writeNumbered(tables, { budget: given, events, receipt }, numbering, ({ budget, ...rest }) => {
        countUse(tables, businessId, { documentBytes: bytesOf(budget) - freed });
        tables.budgets.save(budget.businessId, budget.id, budget);
        commitWith(tables, rest.events, rest.receipt);
      });
    },

    ...memoryRevisions(open),

    listBudgets: async (businessId, query) =>
      pageOfBudgets(
        open()
          .budgets.of(businessId)
          .map((budget) => asOf(budget, query.now)),
        query,
      ),

    findBudgetByPublicToken: async (tokenHash) =>
      open()
        .budgets.all()
        .find((budget) => budget.publicTokenHash === tokenHash) ?? null,

    findAllOverdueBudgets: async (now, limit, without = []) => {
      const others = open()
        .budgets.all()
        .filter(({ businessId }) => !without.includes(businessId));
      return overdueOf(others, now, limit);
    },
  };
}

/** What a commit writes. */
interface Content {
  readonly budget: Budget;
  readonly events: readonly DomainEvent[];
  readonly receipt: IdempotencyRecord | null;
}

/** Writes the content, with the number that the commit draws or keeps. */
function writeNumbered(
  tables: Tables,
  given: Content,
  numbering: Numbering | undefined,
  write: (content: Content) => void,
): "written" | Numbered {
  if (numbering?.kind === "draw") return writeWithNumber(tables, numbering, given, write);
  write(given);
  if (numbering !== undefined) keepNumber(tables, given.budget, numbering);
  return "written";
}

/** The events and idempotency record of the commit. */
function commitWith(tables: Tables, events: readonly DomainEvent[], receipt: IdempotencyRecord | null): void {
  appendEvents(tables, events);
  completeClaim(tables, receipt);
}

function overdueOf(budgets: readonly Budget[], now: Instant, limit: number): Budget[] {
  const endOf = (budget: Budget): Instant => budget.validUntil ?? Number.POSITIVE_INFINITY;
  return budgets
    .filter((budget) => budget.status === "PENDING" && endOf(budget) <= now)
    .sort((a, b) => endOf(a) - endOf(b))
    .slice(0, limit);
}
