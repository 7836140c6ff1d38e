import { err, ok, type Result } from "neverthrow";
import type { CustomerEmailFree, CustomerWrite } from "../catalog/catalog-commits.js";
import type { Commit } from "../commit/commit.js";
import { matchCommitted } from "../commit/match-committed.js";
import { claimLost } from "../idempotency/write-options.js";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { quotaExceeded } from "../limits/storage-quota.js";
import type { Budget } from "./budget.js";
import {
  type BudgetCondition,
  type BudgetWrite,
  insertBudgetCommit,
  insertForCustomerCommit,
  withReminderCheck,
} from "./budget-commits.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { budgetEventOf } from "./budget-event.js";
import { checkBudgetSize } from "./budget-size.js";
import type { Summaries } from "./budget-view.js";
import { keepNumber, notNumbered, prepareSending, type Sending } from "./first-sending.js";
import { type AddedCustomer, cuitTaken } from "./inline-customer.js";
import { isOfferedByLink } from "./revision.js";

/** The content of a new budget. insertBudget sets the other fields. */
export type NewBudget = Omit<
  Budget,
  | "businessId"
  | "version"
  | "revision"
  | "revised"
  | "paid"
  | "createdAt"
  | "createdBy"
  | "updatedAt"
  | "approvedAt"
  | "approvedBy"
  | "acceptance"
  | "deletion"
  | "number"
  | "hasTermsOfBusiness"
>;

/** A new budget and its customer, who is looked up beforehand: together with other look-ups, in one round trip. */
export interface Insertion {
  readonly budget: NewBudget;
  readonly summaries: Summaries;
  readonly added?: AddedCustomer | null; // null or absent = the catalog stays as it is
}

type Present<View> = (budget: Budget, summaries: Summaries, actor: Actor) => View;

/** A creation decides again when another commit has added its customer: about as often as a creation of a customer. */
const ATTEMPTS = 32;

/**
 * Commits a new budget with its `budget.created` event, after the new customer and its `customer.created` event if there
 * is one. `decide` runs again after a commit that was refused because of the customer; it counts these from 0.
 * Errors: those of `decide`; BUDGET_TOO_LARGE; QUOTA_EXCEEDED; NUMBER_TAKEN; a conflict when another customer has the
 * cuit, or another request holds the idempotency key.
 */
export function insertBudget<View>(
  context: BudgetContext,
  actor: Actor,
  decide: (attempt: number) => Promise<Result<Insertion, Problem>>,
  now: Instant,
  options: WriteOptions,
  present: Present<View>,
): Promise<Result<View, Problem>> {
  let attempt = 0;
  return retryOnConflict(
    async () => {
      const decided = await decide(attempt);
      attempt += 1;
      return decided.isErr()
        ? err(decided.error)
        : commitInsertion(context, actor, decided.value, now, options, present);
    },
    () => keepsChanging("customer", ""),
    ATTEMPTS,
  );
}

async function commitInsertion<View>(
  context: BudgetContext,
  actor: Actor,
  { budget: given, summaries, added = null }: Insertion,
  now: Instant,
  options: WriteOptions,
  present: Present<View>,
): Promise<Result<View, Problem> | typeof STALE> {
  const sized = checkBudgetSize(given);
  if (sized.isErr()) return err(sized.error);
  const content: Budget = {
    businessId: actor.businessId,
    version: 1,
    revision: 1,
    revised: { at: now, by: actorLabel(actor), changes: [], asked: given.status !== "DRAFT" },
    paid: 0,
    createdAt: now,
    createdBy: actorLabel(actor),
    updatedAt: now,
    approvedAt: null,
    approvedBy: null,
    acceptance: null,
    deletion: null,
    ...given,
  };
  const { budget, numbering } = await sendingOf(context, content, now, options);
  const draft = { type: "budget.created", fields: [], from: null, to: budget.status, reason: null } as const;
  const eventId = await context.ids.next(budget.businessId);
  const event = budgetEventOf(draft, eventId, budget, summaries, actor, now);
  const result = present(budget, summaries, actor);
  const { commit, quota, store, mailing } = context;
  const beside = { events: [...(added?.events ?? []), event], quota, numbering };
  const insertion: Commit<BudgetWrite | CustomerWrite, BudgetCondition | CustomerEmailFree> =
    added === null ? insertBudgetCommit(budget, beside) : insertForCustomerCommit(added, budget, beside);
  const isChecked = mailing !== null && isOfferedByLink(null, budget);
  const checked = isChecked ? withReminderCheck(insertion, budget.id, now) : insertion;
  const committed = await commit(checked, { claim: options.claim, result });
  const number = committed.kind === "written" ? committed.number : null;
  const outcome = matchCommitted(committed, {
    written: () => ok(number === null ? result : present({ ...budget, number }, summaries, actor)),
    number: () => err(numberTaken),
    id: () => STALE, // of the customer
    email: () => STALE,
    cuit: () => err(cuitTaken),
    "claim-lost": () => err(claimLost),
    "quota-exceeded": async () => err(await quotaExceeded(store, budget.businessId, quota, true)),
  });
  return outcome();
}

async function sendingOf(
  context: BudgetContext,
  budget: Budget,
  now: Instant,
  { imported }: WriteOptions,
): Promise<Sending> {
  if (imported !== undefined) return keepNumber(context, budget, imported.number);
  return budget.status === "PENDING" ? prepareSending(context, budget, now) : notNumbered(budget);
}

const numberTaken: Problem = brokenRule("NUMBER_TAKEN", "Another budget of the business has this number.", {
  field: "number",
});
