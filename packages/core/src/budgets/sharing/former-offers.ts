import { customerNameIn } from "../../kernel/actor.js";
import { toTimestamp } from "../../kernel/clock.js";
import { fromMinor } from "../../kernel/money.js";
import { readEvidence } from "../accepted-revision.js";
import type { Budget } from "../budget.js";
import type { BudgetStore } from "../budget-store.js";
import type { PageParts } from "../offer/page-parts.js";
import { customerOrBusiness } from "../offer/public-view.js";
import { revisedOfferOf } from "../revisions/revised-offer.js";

/** The parts of the page that say what the offer was before. */
export type FormerOffers = Pick<PageParts, "revised" | "acceptedBefore">;

/** Reads nothing for a first revision. */
export async function readFormerOffers(store: BudgetStore, budget: Budget): Promise<FormerOffers> {
  if (budget.revision === 1) return {};
  const { businessId, id, revision } = budget;
  const evidence = budget.evidence === undefined ? null : readEvidence(budget.evidence);
  const accepted = evidence === null || evidence.revision === revision ? revision - 1 : evidence.revision;
  const [last, found] = await Promise.all([
    store.findRevision(businessId, id, revision - 1),
    accepted === revision - 1 ? null : store.findRevision(businessId, id, accepted),
  ]);
  const before = last === null || last.revised.asked ? last : await findShownBefore(store, last);
  const isNew = before !== null && couldBeOpened(before) && customerNameIn(budget.revised.by) === null;
  const revised = isNew ? revisedOfferOf(before, budget) : undefined; // what customers have selected is no news to them
  const acceptedBefore = acceptedBeforeOf(evidence, found ?? last);
  return {
    ...(revised === undefined ? {} : { revised }),
    ...(acceptedBefore === undefined ? {} : { acceptedBefore }),
  };
}

/** Whether the revision had a link, in its last state: an offer that was only prepared is none of the customer's. */
function couldBeOpened({ publicTokenHash }: Budget): boolean {
  return publicTokenHash !== null;
}

/** Revisions to look through for the last one that the customer could see. */
const MAX_DRAFTS = 100;

/** The last revision before one that was a draft all the time; null = none. */
async function findShownBefore(store: BudgetStore, { businessId, id, revision }: Budget): Promise<Budget | null> {
  const { entries } = await store.listRevisions(businessId, id, MAX_DRAFTS, 2); // behind the present one and the draft
  const shown = entries.find((entry) => entry.revision < revision && entry.revised.asked);
  return shown === undefined ? null : store.findRevision(businessId, id, shown.revision);
}

/**
 * `former`: the accepted revision in its last state. One that was declined after all is not accepted. Budgets that were
 * approved before there was evidence have none.
 */
function acceptedBeforeOf(
  evidence: ReturnType<typeof readEvidence> | null,
  former: Budget | null,
): PageParts["acceptedBefore"] {
  if (former === null || former.status === "REJECTED") return undefined;
  const { revision, currency, approvedAt, approvedBy } = former;
  const facts = { revision, total: fromMinor(former.total, currency), currency };
  if (evidence?.revision === revision) {
    return { ...facts, acceptedAt: evidence.at, acceptedBy: customerOrBusiness(evidence.by) };
  }
  if (approvedAt === null || approvedBy === null) return undefined;
  return { ...facts, acceptedAt: toTimestamp(approvedAt), acceptedBy: customerOrBusiness(approvedBy) };
}
