import { accessRoundTripCases, catalogRoundTripCases } from "./access-round-trips.js";
import { budgetCursorCases } from "./budget-cursors.js";
import { budgetHistoryCases } from "./budget-histories.js";
import { budgetListCases } from "./budget-lists.js";
import { budgetLookupCases } from "./budget-lookups.js";
import { budgetRoundTripCases } from "./budget-round-trips.js";
import { budgetSearchCases } from "./budget-search.js";
import { budgetCases } from "./budgets.js";
import { businessCases } from "./businesses.js";
import { catalogCases } from "./catalog.js";
import { eventCases } from "./events.js";
import { idempotencyCases } from "./idempotency.js";
import { idCases } from "./ids.js";
import { isolationCases } from "./isolation.js";
import { keyCases } from "./keys.js";
import { lifecycleCases } from "./lifecycle.js";
import { rateLimitDecisionCases } from "./rate-limit-decisions.js";
import { rateLimitCases } from "./rate-limits.js";
import { receiptCases } from "./receipts.js";
import { sessionCases } from "./sessions.js";
import { type MakeStore, type SuiteOptions, type SuiteRunner, suiteOn } from "./suite.js";
import { userCases } from "./users.js";
import { webhookAttemptCases } from "./webhook-attempts.js";
import { webhookClaimCases } from "./webhook-claims.js";
import { webhookDeliveryCases } from "./webhook-deliveries.js";
import { webhookEndpointCases } from "./webhook-endpoints.js";
import { webhookFanOutCases } from "./webhook-fan-out.js";
import { webhookLeaseCases } from "./webhook-leases.js";
import { webhookPruningCases } from "./webhook-pruning.js";
import { webhookRoundTripCases } from "./webhook-round-trips.js";
import { webhookSettlementCases } from "./webhook-settlements.js";
import { webhookShareCases } from "./webhook-shares.js";

/**
 * Every promise that the ports make, as cases that any store can be held to:
 *
 * ```ts
 * storeSuite({ describe, it }, async () => ({ store: myStore() }));
 * ```
 */
export function storeSuite(runner: SuiteRunner, makeStore: MakeStore, options: SuiteOptions = {}): void {
  const suite = suiteOn(runner, makeStore, options);
  idCases(suite);
  budgetCases(suite);
  budgetLookupCases(suite);
  budgetListCases(suite);
  budgetCursorCases(suite);
  budgetSearchCases(suite);
  budgetHistoryCases(suite);
  eventCases(suite);
  idempotencyCases(suite);
  receiptCases(suite);
  businessCases(suite);
  userCases(suite);
  sessionCases(suite);
  keyCases(suite);
  catalogCases(suite);
  rateLimitCases(suite);
  rateLimitDecisionCases(suite);
  budgetRoundTripCases(suite);
  accessRoundTripCases(suite);
  catalogRoundTripCases(suite);
  webhookEndpointCases(suite);
  webhookFanOutCases(suite);
  webhookClaimCases(suite);
  webhookShareCases(suite);
  webhookLeaseCases(suite);
  webhookSettlementCases(suite);
  webhookAttemptCases(suite);
  webhookDeliveryCases(suite);
  webhookPruningCases(suite);
  webhookRoundTripCases(suite);
  isolationCases(suite);
  lifecycleCases(suite);
}
