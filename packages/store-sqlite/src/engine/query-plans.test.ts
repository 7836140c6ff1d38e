import { type BudgetQuery, insertBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anEvent, anEventQuery, FIXTURE_TIME } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";

/** More matches than are sorted: the store then reads along the order of the list. */
const MANY = 1_100;

const MIDDLE = { createdAt: FIXTURE_TIME + 500, id: "500" };
const BY_CREATION = { kind: "after", key: { value: FIXTURE_TIME + 500, ...MIDDLE } } as const;
const BY_TOTAL = { kind: "after", key: { value: 50, ...MIDDLE } } as const;
const BY_STATUS = { kind: "after", key: { value: "PENDING", ...MIDDLE } } as const;

describe("how SQLite answers", () => {
  let explained: ExplainedStore;
  let store: Store;

  beforeAll(async () => {
    explained = await explainedStore();
    store = explained.store;
    await Promise.all(
      Array.from({ length: MANY }, (_, index) => {
        const id = String(index + 1);
        const budget = aBudget({ id, total: index * 10, createdAt: FIXTURE_TIME + index, validUntil: FIXTURE_TIME });
        return store.commit(insertBudgetCommit(budget, { events: [anEvent({ id, subjectId: id })] }));
      }),
    );
  });

  afterAll(() => explained.close());

  async function listPlans(overrides: Partial<BudgetQuery>): Promise<{ count: string; page: string }> {
    const query = aBudgetQuery({ limit: 10, now: FIXTURE_TIME - 1, ...overrides });
    const [count = "", page = ""] = await explained.plansOf(() => store.listBudgets("1", query));
    return { count, page };
  }

  const pages: Readonly<Record<string, readonly [query: Partial<BudgetQuery>, plan: string]>> = {
    "newest first": [{}, "by_creation (business_id=?)"],
    "oldest first": [{ order: "asc" }, "by_creation (business_id=?)"],
    "far behind": [{ position: { kind: "offset", offset: 900 } }, "by_creation (business_id=?)"],
    "of one status": [{ status: "PENDING" }, "by_status (business_id=? AND status=?)"],
    "of one customer": [{ customerId: "500" }, "by_customer (business_id=? AND customer_id=?)"],
    "by total": [{ sort: "total" }, "by_total (business_id=?)"],
    "by total, of one status": [{ sort: "total", status: "PENDING" }, "by_total (business_id=?)"],
    "by total, within totals": [
      { sort: "total", minTotal: 0, maxTotal: 999 },
      "by_total (business_id=? AND total>? AND total<?)",
    ],
    "within totals": [{ minTotal: 0 }, "by_creation (business_id=?)"],
    "since a moment": [{ createdAfter: 1 }, "by_creation (business_id=? AND created_at>?)"],
    "behind a cursor": [{ position: BY_CREATION }, "by_creation (business_id=? AND (created_at,id)<(?,?))"],
    "of one status, behind a cursor": [
      { position: BY_CREATION, status: "PENDING" },
      "by_status (business_id=? AND status=? AND (created_at,id)<(?,?))",
    ],
    "by total, behind a cursor": [
      { position: BY_TOTAL, sort: "total" },
      "by_total (business_id=? AND (total,created_at,id)<(?,?,?))",
    ],
    "by total, within totals, behind a cursor": [
      { position: BY_TOTAL, sort: "total", order: "asc", minTotal: 0, maxTotal: 999 },
      "by_total (business_id=? AND (total,created_at,id)>(?,?,?) AND total<?)",
    ],
    "by status, of one status, behind a cursor": [
      { position: BY_STATUS, sort: "status", status: "PENDING" },
      "by_status (business_id=? AND status=? AND (created_at,id)<(?,?))",
    ],
  };

  for (const [name, [query, plan]] of Object.entries(pages)) {
    it(`SQLite lists budgets ${name} along one index, sorting nothing`, async () => {
      const { page } = await listPlans(query);
      expect(page).toBe(`SEARCH budgetkit_budgets USING INDEX budgetkit_budgets_${plan}`);
    });
  }

  /** Lists that merge the overdue budgets, which they show as EXPIRED, with the others. */
  const merged: Readonly<Record<string, readonly [query: Partial<BudgetQuery>, plan: string]>> = {
    "by status": [{ sort: "status" }, "by_status (business_id=?)"],
    "by status, behind a cursor": [
      { position: BY_STATUS, sort: "status" },
      "by_status (business_id=? AND (status,created_at,id)<(?,?,?))",
    ],
    "of EXPIRED ones": [{ status: "EXPIRED" }, "by_status (business_id=? AND status=?)"],
    "of EXPIRED ones, by total": [{ status: "EXPIRED", sort: "total" }, "by_total (business_id=?)"],
    "of EXPIRED ones, behind a cursor": [
      { position: BY_CREATION, status: "EXPIRED" },
      "by_status (business_id=? AND status=? AND (created_at,id)<(?,?))",
    ],
  };

  for (const [name, [query, plan]] of Object.entries(merged)) {
    it(`SQLite lists budgets ${name} along one index, sorting overdue ones alone`, async () => {
      const { page } = await listPlans({ now: FIXTURE_TIME, ...query });
      const overdue = "SEARCH budgetkit_budgets USING COVERING INDEX budgetkit_budgets_overdue_of_business";
      expect(page).toBe(
        `MERGE (UNION ALL); LEFT; SEARCH budgetkit_budgets USING INDEX budgetkit_budgets_${plan}; ` +
          "RIGHT; SEARCH budgetkit_budgets USING INDEX sqlite_autoindex_budgetkit_budgets_1 (business_id=? AND id=?); " +
          `LIST SUBQUERY 2; ${overdue} (business_id=? AND valid_until<?); USE TEMP B-TREE FOR ORDER BY; ` +
          "USE TEMP B-TREE FOR ORDER BY",
      );
    });
  }

  it("SQLite lists few matching budgets through the filter, sorting those", async () => {
    const { page } = await listPlans({ minTotal: 1, maxTotal: 2 });
    expect(page).toContain("by_total (business_id=? AND total>? AND total<?)");
  });

  it("SQLite searches a longer text by its rare trigrams, read by their numbers", async () => {
    const query = aBudgetQuery({ limit: 10, now: FIXTURE_TIME - 1, search: "zebra crossing" });
    const plans = await explained.plansOf(() => store.listBudgets("1", query));
    const samples = plans.filter((plan) =>
      /^SEARCH numbers USING INTEGER PRIMARY KEY \(rowid>\?\); SEARCH record USING INDEX \S+ \(business_id=\? AND id=\?\)$/.test(
        plan,
      ),
    );
    expect(samples.length).toBeGreaterThan(0);
    expect(plans.join("\n")).not.toMatch(/SCAN (?!budgetkit_search_index|json_each|compared|unindexed|walked)/);
  });

  it("SQLite searches a rare text by trigrams and then by ids", async () => {
    const query = aBudgetQuery({ limit: 10, now: FIXTURE_TIME - 1, search: "zebra" });
    const plans = await explained.plansOf(() => store.listBudgets("1", query));
    const sample = "SEARCH budgetkit_budgets USING INDEX budgetkit_budgets_by_creation (business_id=?)";
    expect(plans).toEqual([
      `CO-ROUTINE walked; ${sample}; SCAN walked`,
      sample,
      expect.stringMatching(
        /^SEARCH slots USING COVERING INDEX .*; SEARCH numbers USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\).*; SEARCH budgetkit_search_full USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)$/,
      ),
      expect.stringMatching(/^SCAN budgetkit_search_index VIRTUAL TABLE INDEX .*M.*; USE TEMP B-TREE FOR DISTINCT$/),
      "CO-ROUTINE unindexed; " +
        "COMPOUND QUERY; LEFT-MOST SUBQUERY; SEARCH budgetkit_search_numbers USING INTEGER PRIMARY KEY " +
        "(rowid>? AND rowid<?); " +
        "UNION ALL; SEARCH budgetkit_search_large USING PRIMARY KEY (searched=? AND business_id=?); " +
        "SCAN unindexed; " +
        "SEARCH record USING INDEX sqlite_autoindex_budgetkit_budgets_1 (business_id=? AND id=?)",
      expect.stringMatching(
        /^SCAN compared VIRTUAL TABLE .*; SEARCH record USING INDEX \S+ \(business_id=\? AND id=\?\)$/,
      ),
      expect.stringContaining(
        "SEARCH budgetkit_budgets USING INDEX sqlite_autoindex_budgetkit_budgets_1 (business_id=? AND id=?)",
      ),
    ]);
  });

  it("SQLite searches a short text along the order of the list", async () => {
    const query = aBudgetQuery({ limit: 10, now: FIXTURE_TIME - 1, search: "zq" });
    const plans = await explained.plansOf(() => store.listBudgets("1", query));
    const first = "SEARCH budgetkit_budgets USING INDEX budgetkit_budgets_by_creation (business_id=?)";
    expect(plans.slice(0, 2)).toEqual([`CO-ROUTINE walked; ${first}; SCAN walked`, first]);
    expect(plans[3]).toBe(
      "SEARCH budgetkit_budgets USING INDEX budgetkit_budgets_by_creation (business_id=? AND (created_at,id)<(?,?))",
    );
  });

  it("SQLite lists PENDING budgets without overdue ones within the index", async () => {
    const { count, page } = await listPlans({ status: "PENDING" });
    expect(count).toContain("COVERING INDEX budgetkit_budgets_overdue_of_business (business_id=? AND valid_until<?)");
    expect(page).toBe("SEARCH budgetkit_budgets USING INDEX budgetkit_budgets_by_status (business_id=? AND status=?)");
  });

  const counts: Readonly<Record<string, readonly [query: Partial<BudgetQuery>, plan: string]>> = {
    "of a customer": [{ customerId: "500" }, "by_customer (business_id=? AND customer_id=?)"],
    "within totals": [{ minTotal: 1, maxTotal: 9 }, "by_total (business_id=? AND total>? AND total<?)"],
    "since a moment": [{ createdAfter: 1 }, "by_creation (business_id=? AND created_at>?)"],
    "of a status since a moment": [
      { status: "APPROVED", createdAfter: 1 },
      "by_status (business_id=? AND status=? AND created_at>?)",
    ],
  };

  for (const [name, [query, plan]] of Object.entries(counts)) {
    it(`SQLite counts budgets ${name} from an index alone`, async () => {
      const { count } = await listPlans(query);
      expect(count).toBe(`SEARCH budgetkit_budgets USING COVERING INDEX budgetkit_budgets_${plan}`);
    });
  }

  for (const [name, query] of Object.entries({ "all budgets": {}, "a status": { status: "PENDING" } } as const)) {
    it(`SQLite counts ${name} from the sums`, async () => {
      const { count } = await listPlans(query);
      expect(count).toContain("SEARCH budgetkit_budget_sums USING PRIMARY KEY (business_id=?");
    });
  }

  const others: Readonly<Record<string, readonly [call: (store: Store) => Promise<unknown>, plan: string]>> = {
    "a budget": [(on) => on.findBudget("1", "10"), "budgets_1 (business_id=? AND id=?)"],
    "a revision of a budget": [
      (on) => on.findRevision("1", "10", 2),
      "budgetkit_budget_revisions_1 (business_id=? AND budget_id=? AND revision=?)",
    ],
    "the revisions of a budget": [
      (on) => on.listRevisions("1", "10", 10, 0),
      "budgetkit_budget_revisions_1 (business_id=? AND budget_id=? AND revision<?)",
    ],
    "overdue budgets of all": [
      (on) => on.findAllOverdueBudgets(FIXTURE_TIME, 10),
      "budgetkit_budgets_overdue (valid_until<?)",
    ],
    "a public link": [
      (on) => on.findBudgetByPublicToken("hash"),
      "budgetkit_budgets_by_public_token (public_token_hash=?)",
    ],
    "a payment by its reference": [
      (on) => on.findPayment("1", "10", "transfer 1"),
      "PRIMARY KEY (business_id=? AND budget_id=? AND reference=?)",
    ],
    "the payments of a budget": [
      (on) => on.listPayments("1", "10", 10, 0),
      "budgetkit_payments_by_creation (business_id=? AND budget_id=?)",
    ],
    "the messages of a budget": [
      (on) => on.listMessages("1", "10", 10, 0),
      "budgetkit_messages_by_creation (business_id=? AND budget_id=?)",
    ],
    "the events of a business": [
      (on) => on.listEvents("1", anEventQuery()),
      "budgetkit_events_of_business (business_id=?)",
    ],
    "the events of a budget": [
      (on) => on.listEvents("1", anEventQuery({ subjectId: "10" })),
      "budgetkit_events_of_subject (business_id=? AND subject_id=?)",
    ],
    "events that are asked about": [
      (on) => on.placesOfEvents([anEvent()]),
      "budgetkit_events_of_subject (business_id=? AND subject_id=?)",
    ],
    "keys, newest first": [(on) => on.listKeys("1", 10, 0), "budgetkit_keys_by_creation (business_id=?)"],
    "integrations, newest first": [
      (on) => on.listIntegrations("1", 10, 0),
      "budgetkit_integrations_by_creation (business_id=?)",
    ],
    "sessions to forget": [(on) => on.pruneSessions(0, 10), "PRIMARY KEY ((business_id,id)>(?,?))"],
    "a key by its former hash": [
      (on) => on.findKeyByHash("hash"),
      "keys USING INDEX budgetkit_keys_by_previous_hash (previous_key_hash=?); SEARCH businesses USING INTEGER PRIMARY KEY (rowid=?)",
    ],
  };

  for (const [name, [call, plan]] of Object.entries(others)) {
    it(`SQLite plans ${name} along an index, sorting nothing`, async () => {
      const plans = await explained.plansOf(() => call(store));
      expect(plans.filter((steps) => steps.endsWith(plan))).not.toEqual([]);
      for (const steps of plans) expect(steps).not.toMatch(/SCAN|TEMP B-TREE/);
    });
  }
});
