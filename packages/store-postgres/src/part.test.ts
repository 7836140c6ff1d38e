import { describe, it } from "vitest";
import { auditCases } from "../../core/src/testing/store-suite/audit-entries.js";
import { budgetCursorCases } from "../../core/src/testing/store-suite/budget-cursors.js";
import { budgetHistoryCases } from "../../core/src/testing/store-suite/budget-histories.js";
import { budgetListCases } from "../../core/src/testing/store-suite/budget-lists.js";
import { budgetLookupCases } from "../../core/src/testing/store-suite/budget-lookups.js";
import { budgetRevisionCases } from "../../core/src/testing/store-suite/budget-revisions.js";
import { budgetRoundTripCases } from "../../core/src/testing/store-suite/budget-round-trips.js";
import { budgetSearchCases } from "../../core/src/testing/store-suite/budget-search.js";
import { budgetCases } from "../../core/src/testing/store-suite/budgets.js";
import { eventCases } from "../../core/src/testing/store-suite/events.js";
import { idempotencyCases } from "../../core/src/testing/store-suite/idempotency.js";
import { idCases } from "../../core/src/testing/store-suite/ids.js";
import { paymentCases } from "../../core/src/testing/store-suite/payments.js";
import { receiptCases } from "../../core/src/testing/store-suite/receipts.js";
import { suiteOn } from "../../core/src/testing/store-suite/suite.js";
import { testSchema } from "./testing/test-schema.js";

describe("part", () => {
  const schema = testSchema();
  const suite = suiteOn(
    { describe, it },
    async () => {
      const store = await schema.freshStore();
      let latest = store;
      return { store, reopen: async () => (latest = schema.open()), close: () => latest.close() };
    },
    { persists: true },
  );
  for (const cases of [
    idCases,
    budgetCases,
    budgetCursorCases,
    budgetHistoryCases,
    budgetListCases,
    budgetLookupCases,
    budgetRevisionCases,
    budgetRoundTripCases,
    budgetSearchCases,
    eventCases,
    idempotencyCases,
    auditCases,
    receiptCases,
    paymentCases,
  ])
    cases(suite);
});
