import type { Actor } from "../../kernel/actor.js";
import { actorLabel } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import type { Budget } from "../budget.js";
import { paymentUrlField } from "../budget.js";
import type { CheckedCreation, PreviewBudgetInput } from "../create-budget.js";
import { pricedItems } from "../items.js";
import { depositField } from "../price-figures.js";
import { reviseBudget } from "../revision.js";

/** A line that may continue one of the stored budget. */
interface OwnLine {
  readonly id?: string | undefined;
}

export type UnsavedContent = Pick<PreviewBudgetInput, "notes" | "terms" | "paymentUrl" | "metadata"> & {
  readonly items: readonly OwnLine[];
};

/** Of a budget that has none yet. No budget of a business has it. */
const NO_ID = "0";

/**
 * The budget as it would be after its content is saved and sent: PENDING, without an answer. `former` is the stored budget
 * that it continues; null = a new one.
 */
export function unsavedBudget(
  former: Budget | null,
  customerId: string,
  input: UnsavedContent,
  { currency, items, taxation, totals, figures, deposit, validUntil }: CheckedCreation,
  actor: Actor,
  now: Instant,
): Budget {
  const next: Budget = {
    ...(former === null ? begun(actor, now) : continued(former)),
    ...termsOf(former, input.terms),
    ...paymentUrlField(input.paymentUrl),
    ...depositField(deposit),
    ...figures,
    customerId,
    currency,
    items: pricedItems(items, idsOf(input.items), totals),
    taxRate: taxation.kind === "rate" ? taxation.rate : null,
    notes: input.notes ?? null,
    validUntil,
    metadata: input.metadata,
  };
  return former === null ? next : reviseBudget(former, next, actor, now);
}

type Begun = Pick<
  Budget,
  | "businessId"
  | "id"
  | "version"
  | "revision"
  | "revised"
  | "status"
  | "paid"
  | "createdAt"
  | "createdBy"
  | "updatedAt"
  | "approvedAt"
  | "approvedBy"
  | "acceptance"
  | "deletion"
  | "publicTokenHash"
  | "publicOffer"
>;

function begun(actor: Actor, now: Instant): Begun {
  const by = actorLabel(actor);
  return {
    businessId: actor.businessId,
    id: NO_ID,
    version: 1,
    revision: 1,
    revised: { at: now, by, changes: [], asked: true },
    status: "PENDING",
    paid: 0,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    approvedAt: null,
    approvedBy: null,
    acceptance: null,
    deletion: null,
    publicTokenHash: null,
    publicOffer: null,
  };
}

/** The stored budget without its content and its answer. */
function continued(former: Budget): Begun {
  const {
    taxes: _taxes,
    withheld: _withheld,
    discountAmount: _discount,
    recurring: _recurring,
    deposit: _deposit,
    cost: _cost,
    pricing: _pricing,
    terms: _terms,
    hasTermsOfBusiness: _copied,
    paymentUrl: _url,
    ...kept
  } = former;
  const unanswered = { acceptance: null, approvedAt: null, approvedBy: null };
  return { ...kept, version: former.version + 1, status: "PENDING", ...unanswered };
}

/** Absent = as the stored budget was sent; null = those of the business. */
function termsOf(former: Budget | null, terms: string | null | undefined): Pick<Budget, "terms"> {
  if (terms === null) return {};
  if (terms !== undefined) return { terms };
  const { terms: sent, hasTermsOfBusiness } = former ?? {};
  return sent === undefined ? {} : { terms: sent, ...(hasTermsOfBusiness === true ? { hasTermsOfBusiness } : {}) };
}

/** New lines get ids that no budget has: large ones, as long as an id can be. */
function idsOf(lines: readonly OwnLine[]): string[] {
  return lines.map(({ id }, index) => id ?? String(Number.MAX_SAFE_INTEGER - index));
}
