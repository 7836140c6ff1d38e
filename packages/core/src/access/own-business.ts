import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import { auditedChange } from "../events/field-changes.js";
import { refuseStaleVersion } from "../idempotency/write-options.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../kernel/actor.js";
import { patternFault } from "../kernel/number-pattern.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { checkNamedTaxes } from "../pricing/named-tax.js";
import { replaceBusinessCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import type { AccessStore } from "./access-store.js";
import { type Business, type BusinessProfile, TIER_RATES } from "./business.js";
import { type BusinessView, businessViewOf, type UpdateBusinessInput } from "./business-view.js";
import { changedMails } from "./mail-settings.js";

/** The actor's business with its profile. Errors: forbidden, not-found. */
export async function getBusiness({ store }: AccessContext, actor: Actor): Promise<Result<BusinessView, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const business = await store.findBusiness(actor.businessId);
  return business === null ? err(notFound("business", actor.businessId)) : ok(businessViewOf(business));
}

/**
 * Changes the given fields of the actor's business; null clears one. Without a difference nothing is written.
 * Errors: INVALID_NUMBER_PATTERN; those of checkNamedTaxes; forbidden; not-found; stale when `expectedVersion` is not the
 * stored version; conflict after repeated lost writes.
 */
export async function updateBusiness(
  { store, commit, ids, clock }: AccessContext,
  actor: Actor,
  input: UpdateBusinessInput,
  expectedVersion: number | null = null,
): Promise<Result<BusinessView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const fault = patternFaultOf(input);
  if (fault !== null) return err(fault);
  const taxes = checkNamedTaxes(input.taxes ?? []);
  if (taxes.isErr()) return err(taxes.error);
  const { businessId } = actor;
  const now = clock.now();
  return retryOnConflict(
    async () => {
      const current = await store.findBusiness(businessId);
      if (current === null) return err(notFound("business", businessId));
      const stale = refuseStaleVersion("business", current, { expectedVersion });
      if (stale !== null) return err(stale);
      const changed = withFields(current, input);
      const difference = auditedChange(businessViewOf(current), businessViewOf(changed));
      if (difference.change.fields.length === 0) return ok(businessViewOf(current));
      const act = { type: "business.updated", subjectId: businessId, now, ...difference } as const;
      const next = { ...changed, version: current.version + 1 };
      const audit = await makeAuditEntry(ids, actor, act);
      const committed = await commit(replaceBusinessCommit(next, current.version, audit));
      return matchCommitted(committed, { written: ok(businessViewOf(next)), stale: STALE });
    },
    () => keepsChanging("business", businessId),
  );
}

function patternFaultOf({ numberPattern }: UpdateBusinessInput): Problem | null {
  const fault = numberPattern === null || numberPattern === undefined ? null : patternFault(numberPattern);
  if (fault === null) return null;
  return brokenRule("INVALID_NUMBER_PATTERN", `numberPattern ${fault}.`, { field: "numberPattern" });
}

function withFields(business: Business, input: UpdateBusinessInput): Business {
  const { name, timeZone, paymentUrl, linkPreview, mails, taxes, ...profile } = input;
  const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  const {
    paymentUrl: formerUrl,
    linkPreview: formerPreview,
    mails: formerMails,
    taxes: formerTaxes,
    ...others
  } = business.profile;
  const fields = {
    paymentUrl: paymentUrl === undefined ? formerUrl : paymentUrl,
    linkPreview: linkPreview === undefined ? formerPreview : linkPreview,
    mails: mails === undefined ? formerMails : changedMails(formerMails, mails),
    taxes: taxes === undefined ? formerTaxes : taxes,
  };
  return {
    ...business,
    name: name ?? business.name,
    timeZone: timeZone ?? business.timeZone,
    profile: { ...others, ...given, ...whereGiven(fields) },
  };
}

/** The fields that have a value: a profile has no others of these. */
function whereGiven({ paymentUrl, linkPreview, mails, taxes }: OptionalFields): Partial<BusinessProfile> {
  return {
    ...(paymentUrl == null ? {} : { paymentUrl }),
    ...(linkPreview == null ? {} : { linkPreview }),
    ...(mails == null ? {} : { mails }),
    ...(taxes == null || taxes.length === 0 ? {} : { taxes }),
  };
}

type OptionalFields = Pick<UpdateBusinessInput, "paymentUrl" | "linkPreview"> & {
  readonly mails: BusinessProfile["mails"] | null;
  readonly taxes: BusinessProfile["taxes"] | null;
};

/**
 * Requests an hour of each user: the rate that a key of the business has by default. A host may resolve a user of a
 * business that the service does not know, which has nothing to read: it gets the lowest rate.
 */
export async function userRatePerHour(store: Pick<AccessStore, "findBusiness">, businessId: string): Promise<number> {
  const business = await store.findBusiness(businessId);
  return TIER_RATES[business?.tier ?? "STANDARD"].defaultPerHour;
}
