import {
  type BudgetQuery,
  insertBudgetCommit,
  recordPaymentCommit,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import {
  aBudget,
  aBudgetQuery,
  aClaim,
  anEvent,
  anEventQuery,
  aPayment,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

/** Two businesses with 10,000 budgets each, of which 500 have 40 former revisions and 40 payments each. */
const FILL = `
  INSERT INTO @budgets (business_id, id, version, revision, status, customer_id, currency, total, total_minor,
    created_at, valid_until, public_token_hash, search_text, document)
  SELECT 1 + n % 2, n, 1, 100, CASE n % 3 WHEN 0 THEN 'PENDING' WHEN 1 THEN 'EXPIRED' ELSE 'APPROVED' END, 'c' || n % 500, 'USD', n, n, n,
    1000 + n, 'token-' || n, '', json_build_object('id', n::text, 'total', n, 'currency', 'USD', 'createdAt', n, 'status', 'PENDING')
  FROM generate_series(1, 20000) AS n;
  INSERT INTO @directory SELECT 'link', public_token_hash, business_id, id FROM @budgets;
  INSERT INTO @budget_revisions SELECT 1, 2 * (1 + n % 500), 1 + n / 500, '{"items": [], "notes": ""}'
    FROM generate_series(0, 19999) AS n;
  INSERT INTO @payments SELECT 1, 2 * (1 + n % 500), 'reference ' || n, 100000 + n, 5, 'USD', n, n, 'key:20'
    FROM generate_series(0, 19999) AS n;
  INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document, revision)
    SELECT 1 + n % 2, n, n::text, 'budget.created', n, 2 * (1 + n % 500), '{}', 1 FROM generate_series(1, 20000) AS n;
  INSERT INTO @event_counters SELECT business_id, max(sequence) FROM @events GROUP BY business_id;
  INSERT INTO @claims SELECT 1 + n % 20, 'key ' || n, 'claim', 'print', ${NOW} + n, ${NOW} + n, 'response'
    FROM generate_series(1, 20000) AS n;
`;

/** Without claims: the plan that prunes them was made on an empty table, which was not analyzed since. */
const COUNTED = ["budgets", "directory", "budget_revisions", "budget_sums", "payments", "events"];

type Ask = (store: Store, turn: number) => Promise<unknown>;

/** Sixteen budgets of the business are overdue by then. */
const FEW_OVERDUE = 1_100;

const listed =
  (query: Partial<BudgetQuery>): Ask =>
  (store) =>
    store.listBudgets("1", aBudgetQuery({ limit: 10, now: FEW_OVERDUE, ...query }));

const MIDDLE = { createdAt: 5_000, id: "5000" };
const BY_CREATION = { kind: "after", key: { value: 5_000, ...MIDDLE } } as const;
const BY_TOTAL = { kind: "after", key: { value: 5_000, ...MIDDLE } } as const;

/** A budget that is new each turn, and the one before that is changed, with an event each. */
const newBudget = (turn: number) => aBudget({ id: `${30_000 + turn}` });
const changed = (turn: number) => aBudget({ id: "776", version: turn + 2, revision: 101 + turn });

/** The indexes of a commit, which also compares the totals of the business where the process knows them. */
function mayExpectTotals(indexes: string): string {
  const names = [...indexes.split(" and "), ...TOTALS].sort();
  return `${indexes} or ${names.join(" and ")}`;
}

const TOTALS = ["delivery_use_pkey", "endpoints_pkey", "event_counters_pkey", "keys_with_webhook", "storage_use_pkey"];

/** What is asked, and the indexes that lead to its rows. */
const ASKED: Readonly<Record<string, readonly [ask: Ask, indexes: string]>> = {
  "all budgets": [listed({}), "budgets_by_creation"],
  "budgets behind a cursor": [listed({ position: BY_CREATION }), "budgets_by_creation"],
  "budgets of one status": [listed({ status: "APPROVED" }), "budgets_by_status"],
  "PENDING budgets": [listed({ status: "PENDING" }), "budgets_by_status and budgets_overdue_of_business"],
  // Either index leads to the overdue rows: the business has half of them.
  "EXPIRED budgets": [
    listed({ status: "EXPIRED" }),
    "budgets_by_status and budgets_overdue and budgets_overdue_of_business",
  ],
  "EXPIRED budgets by total": [
    listed({ status: "EXPIRED", sort: "total" }),
    "budgets_by_total and budgets_overdue and budgets_overdue_of_business",
  ],
  "budgets of one customer": [listed({ customerId: "c7" }), "budgets_by_customer"],
  "budgets by total": [listed({ sort: "total" }), "budgets_by_total"],
  "budgets by total, behind a cursor": [listed({ sort: "total", position: BY_TOTAL }), "budgets_by_total"],
  "budgets by status": [
    listed({ sort: "status" }),
    "budgets_by_status and budgets_overdue or budgets_by_status and budgets_overdue_of_business",
  ],
  "a budget": [(store) => store.findBudget("1", "776"), "budgets_pkey"],
  "a budget with its names, read again": [
    async (store, turn) => {
      if (turn === 0) await store.commit(insertBudgetCommit(aBudget({ id: "40000" })));
      await store.findNamedBudget("1", "40000");
    },
    "budgets_pkey and catalog_marks_pkey",
  ],
  "a budget by its public link": [
    (store) => store.findBudgetByPublicToken("token-777"),
    "budgets_pkey and directory_pkey",
  ],
  "overdue budgets": [(store) => store.findAllOverdueBudgets(1, 10), "budgets_overdue"],
  "a new budget": [
    (store, turn) => store.commit(insertBudgetCommit(newBudget(turn), { events: [anEvent()] })),
    "delivery_use_pkey and endpoints_pkey and event_counters_pkey and keys_with_webhook and storage_use_pkey",
  ],
  "a change of a budget": [
    (store, turn) => store.commit(replaceBudgetCommit(changed(turn), turn + 1, { events: [anEvent()] })),
    "budgets_pkey and delivery_use_pkey and endpoints_pkey and event_counters_pkey and keys_with_webhook and storage_use_pkey",
  ],
  "a revision": [(store) => store.findRevision("1", "20", 7), "budget_revisions_pkey and budgets_pkey"],
  "revisions, newest first": [
    (store) => store.listRevisions("1", "20", 10, 0),
    "budget_revisions_pkey and budgets_pkey",
  ],
  "a payment": [(store) => store.findPayment("1", "20", "reference 9"), "payments_pkey"],
  "the number of payments": [(store) => store.countPayments("1", "20"), "payments_pkey or payments_by_creation"],
  "payments, newest first": [(store) => store.listPayments("1", "20", 10, 0), "payments_by_creation"],
  "a new payment": [
    (store, turn) => {
      const payment = aPayment({ id: `${200_000 + turn}`, budgetId: "778", reference: `new ${turn}` });
      return store.commit(recordPaymentCommit(payment, aBudget({ id: "778", version: turn + 2 }), turn + 1));
    },
    "budgets_pkey and delivery_use_pkey and endpoints_pkey and event_counters_pkey and keys_with_webhook and payments_pkey and storage_use_pkey",
  ],
  // They are counted along either index, which both begin with the business.
  "events, newest first": [
    (store) => store.listEvents("1", anEventQuery({ limit: 10 })),
    "events_pkey or events_of_subject and events_pkey",
  ],
  "events of a subject": [
    (store) => store.listEvents("1", anEventQuery({ subjectId: "20", limit: 10 })),
    "events_of_subject",
  ],
  "events that are asked about": [
    (store) => store.placesOfEvents(["20", "22"].map((subjectId) => anEvent({ subjectId }))),
    "events_of_subject",
  ],
  "an idempotency key": [(store) => store.claimKey(aClaim({ key: "key 40" }), NOW), mayExpectTotals("claims_pkey")],
  "a key that is given back": [(store) => store.releaseClaim("1", "key 60", "claim"), mayExpectTotals("claims_pkey")],
  "what a key has left": [(store) => store.findCompletedClaim("1", "key 80", NOW), "claims_pkey"],
  "keys to forget": [(store, turn) => store.pruneClaims(NOW + 10 * (turn + 1), 5), "claims_by_expiry and claims_pkey"],
};

const LARGE = /Seq Scan on (?:\w+\.)?(?:budgets|budget_revisions|payments|events|claims)\b/;

describe("how PostgreSQL goes about budgets, their payments, events and idempotency keys", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  beforeAll(async () => {
    await (await schema.freshStore()).close();
    await schema.vacuum("claims");
    explained = explainedStore(schema);
    await explained.plansOf((store) => store.pruneClaims(NOW, 5));
    await schema.query(FILL);
    await schema.vacuum(...COUNTED);
  });

  afterAll(() => explained.close());

  for (const [name, [ask, indexes]] of Object.entries(ASKED)) {
    it(`PostgreSQL plans ${name} along ${indexes}`, async () => {
      const plans = (await explained.plansOf(ask)).join("\n");
      expect(plans).not.toMatch(LARGE);
      expect(indexes.split(" or ")).toContain(indexesIn(plans));
    });
  }
});

function indexesIn(plans: string): string {
  const used = [...plans.matchAll(/(?:Scan(?: Backward)? using|Bitmap Index Scan on) (\w+)/g)].map(
    ([, name]) => name ?? "",
  );
  return [...new Set(used)]
    .filter((name) => !/^(?:batches|budget_sums)_/.test(name))
    .sort()
    .join(" and ");
}
